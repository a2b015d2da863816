"""Which file on this machine holds a known model: the user's folders, this environment's share, an installed carrier.

A file is what its SHA-256 says, whatever its name. Nothing is imported to find it and nothing is downloaded. Does not
guard against someone who can write to the model folders: they could as well replace the program."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nightgarden.errors import ModelMissing
from nightgarden.models.catalog import (
    BGE_SMALL,
    EMBEDDERS,
    MS_MARCO_RERANKER,
    MULTILINGUAL,
    RERANKERS,
    KnownFile,
    KnownModel,
)
from nightgarden.models.classifier_files import DEEP_NETWORK, SECOND_NETWORK, network_is_here

DEEP_NETWORKS = {DEEP_NETWORK: BGE_SMALL, SECOND_NETWORK: MS_MARCO_RERANKER}  # and the weights that each stands on
RECORD_NAME = ".verified.json"  # hashing 34 MB takes 55 ms; remembered by path, size and time of change


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFile:
    """A known model and the file that was verified to hold it."""

    model: KnownModel
    path: Path
    vocabulary: Path | None = None


def environment_folder() -> Path:
    """Where one environment keeps models for every user of it, whatever their home."""
    return Path(sys.prefix) / "share" / "nightgarden" / "models"


def find_embedder(folders: Sequence[Path] = (), *, wanted: Sequence[KnownModel] = EMBEDDERS) -> ModelFile:
    """The best embedding model that is here. Raises ModelUnavailable when there is none."""
    return _first(wanted, folders, "an embedding model; recall works by words alone")


def find_reranker(folders: Sequence[Path] = (), *, wanted: Sequence[KnownModel] = RERANKERS) -> ModelFile:
    """The best reranker that is here. Raises ModelUnavailable when there is none."""
    return _first(wanted, folders, "a reranker; recall keeps its first order")


def find_model(model: KnownModel, folders: Sequence[Path] = ()) -> ModelFile | None:
    """The file of one model, with that of its vocabulary if it has one of its own; None unless all are here."""
    paths = [_find(file, folders) for file in model.files]
    if paths[0] is None or None in paths:
        return None
    return ModelFile(model=model, path=paths[0], vocabulary=paths[1] if model.vocabulary is not None else None)


def find_deep_weights(folders: Sequence[Path]) -> dict[str, ModelFile]:
    """The deep networks whose published weights are here, the first one first; without it there is none. They find them
    by their name, so a file that a carrier calls otherwise does not count."""
    found: dict[str, ModelFile] = {}
    for network, model in DEEP_NETWORKS.items():
        file = find_model(model, folders) if network_is_here(network) else None
        if file is None or file.path.name != model.file_name:
            break
        found[network] = file
    return found


def _find(file: KnownFile, folders: Sequence[Path]) -> Path | None:
    records = (*folders, environment_folder())
    return next((path for path in _candidates(file, folders) if verify(path, file, record_folders=records)), None)


def verify(path: Path, model: KnownFile, *, record_folders: Sequence[Path] = ()) -> bool:
    """Whether the file is the model, byte for byte. An earlier answer for the unchanged file is believed."""
    try:
        status = path.stat()
        if status.st_size != model.size_bytes:
            return False
        mark = [status.st_size, status.st_mtime_ns, model.sha256]
        if any(_read_record(folder).get(str(path)) == mark for folder in record_folders):
            return True
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return False  # unreadable is as good as absent: the next place is tried
    if found != model.sha256:
        return False
    for folder in record_folders:
        if _write_record(folder, {str(path): mark}):
            break
    return True


def _first(wanted: Sequence[KnownModel], folders: Sequence[Path], what: str) -> ModelFile:
    for model in wanted:
        found = find_model(model, folders)
        if found is not None:
            return found
    looked = ", ".join(str(folder) for folder in (*folders, environment_folder()))
    option = " --multilingual" if MULTILINGUAL in wanted else ""
    raise ModelMissing(
        f"There is no file of {what}. Looked in {looked} and in the installed packages. "
        f"Run `nightgarden models fetch{option}` to bring the models."
    )


def _candidates(model: KnownFile, folders: Sequence[Path]) -> Iterator[Path]:
    for folder in (*folders, environment_folder()):
        named = folder / model.file_name
        yield named
        try:
            yield from (path for path in sorted(folder.rglob(f"*{model.suffix}")) if path != named)
        except OSError:
            continue
    for entry in sys.path:
        yield from (Path(entry or ".") / carrier.path for carrier in model.carriers)


def _read_record(folder: Path) -> dict[str, list[object]]:
    try:
        record = json.loads((folder / RECORD_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}  # no record, or a damaged one: the file is hashed again
    return record if isinstance(record, dict) else {}


def _write_record(folder: Path, news: dict[str, list[object]]) -> bool:
    """Merges into the folder's record. False when the folder is not there or not writable: that costs only time."""
    if not folder.is_dir():
        return False
    partial = folder / f"{RECORD_NAME}.{os.getpid()}.part"
    try:
        partial.write_text(json.dumps(_read_record(folder) | news, indent=1), encoding="utf-8")
        partial.replace(folder / RECORD_NAME)
    except OSError:
        return False
    return True
