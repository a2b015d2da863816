"""Wheels of our own that carry the models, so that no stranger's package has to: weights, licences, origin.

python -m train.wheels [FOLDER]

A wheel has no code. Its files go into the environment's share/nightgarden/models, where models are looked for, and are
taken there for what their hash says. Building the same models twice gives the same bytes. Publishes nothing.
"""

from __future__ import annotations

import base64
import hashlib
import sys
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nightgarden.models.catalog import BGE_SMALL, MINILM, MS_MARCO_RERANKER, KnownModel
from nightgarden.models.model_files import find_model

WHEN = (2026, 1, 1, 0, 0, 0)  # of every file inside; the time of a build would make two builds differ
APACHE = Path(__file__).resolve().parents[1] / "LICENSE"
MIT = """MIT License

Copyright (c) 2022 staoxiao

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without
limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the
Software, and to permit persons to whom the Software is furnished to do so, subject to the following
conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions
of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED
TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL
THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF
CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER
DEALINGS IN THE SOFTWARE.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """One wheel to build."""

    name: str
    summary: str
    models: tuple[KnownModel, ...]
    version: str = "1.0.0"


PACKAGES = (
    Package(name="nightgarden-embedder", summary="Embedding models of nightgarden.", models=(BGE_SMALL, MINILM)),
    Package(name="nightgarden-reranker", summary="The reranker of nightgarden.", models=(MS_MARCO_RERANKER,)),
)


def build(package: Package, files: Mapping[str, Path], folder: Path) -> Path:
    """The wheel, of the file of each model by its id."""
    stem = f"{package.name.replace('-', '_')}-{package.version}"
    info = f"{stem}.dist-info"
    inside = {
        f"{stem}.data/data/share/nightgarden/models/{m.file_name}": files[m.id].read_bytes() for m in package.models
    }
    licences = sorted({model.licence for model in package.models})
    inside |= {f"{info}/licenses/{name}.txt": licence_text(name).encode() for name in licences}
    inside[f"{info}/METADATA"] = metadata(package, licences).encode()
    inside[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: nightgarden\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    rows = [f"{name},sha256={_digest(content)},{len(content)}" for name, content in inside.items()]
    inside[f"{info}/RECORD"] = "\n".join([*rows, f"{info}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in inside.items():
            entry = zipfile.ZipInfo(name, WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return wheel


def metadata(package: Package, licences: Sequence[str]) -> str:
    """What the registry shows: whose weights these are, and how to know that they are."""
    lines = ["Metadata-Version: 2.4", f"Name: {package.name}", f"Version: {package.version}"]
    lines += [f"Summary: {package.summary}", f"License-Expression: {' AND '.join(licences)}"]
    lines += [f"License-File: {name}.txt" for name in licences]
    lines += ["Description-Content-Type: text/markdown", "", "Weights only, without code, unchanged:", ""]
    for model in package.models:
        lines.append(f"- {model.name} ({model.build}), {model.licence}, from {model.origin}; SHA-256 {model.sha256}")
    return "\n".join([*lines, ""])


def licence_text(name: str) -> str:
    """The text that a licence asks to go with the work."""
    return {"MIT": MIT, "Apache-2.0": APACHE.read_text(encoding="utf-8")}[name]


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


def main(folder: Path) -> int:
    for package in PACKAGES:
        found = {model.id: find_model(model) for model in package.models}
        files = {id: each.path for id, each in found.items() if each is not None}
        if missing := [model.name for model in package.models if model.id not in files]:
            print(f"{', '.join(missing)} is not here; run `nightgarden models fetch` first", file=sys.stderr)
            return 1
        wheel = build(package, files, folder)
        print(f"{wheel}  {wheel.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path("dist")))
