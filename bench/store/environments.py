"""An environment of its own for each peer, in a cache folder, made once."""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

PEERS: dict[str, tuple[str, ...]] = {
    "chromadb": ("chromadb",),
    "qdrant": ("qdrant-client",),
    "lancedb": ("lancedb", "pyarrow"),
    "sqlite-vec": ("sqlite-vec", "apsw", "numpy"),
    "mem0": ("mem0ai",),
    "mcp-memory-service": ("mcp-memory-service", "sqlite-vec", "pysqlite3-binary"),
}
SHOWN = {"qdrant": "qdrant-client", "mem0": "mem0ai"}  # the package whose version is shown


def prepare(name: str, cache: Path) -> Path:
    """The Python of a peer's environment; installs it when it is not there yet."""
    folder = cache / name
    python = folder / "bin" / "python"
    if not (folder / ".done").exists():
        print(f"installing {name}", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        quiet = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([python, *quiet, *PEERS[name]], check=True)
        (folder / ".done").touch()
    return python


def version(name: str, python: Path) -> str:
    """The version that is measured."""
    code = f"from importlib.metadata import version; print(version({SHOWN.get(name, name)!r}))"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip()
