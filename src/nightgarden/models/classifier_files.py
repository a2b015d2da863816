"""Where the built-in classifier's two files are. Apart from it, so that asking costs no import of numpy."""

from __future__ import annotations

from importlib import resources
from pathlib import Path

NETWORK, WORDS = "classifier.onnx", "classifier-words.npz"


def classifier_folder() -> Path:
    """The package's own data."""
    return Path(str(resources.files("nightgarden.models").joinpath("data")))


def classifier_is_here(folder: Path | None = None) -> bool:
    """Whether both files are there."""
    where = folder or classifier_folder()
    return (where / NETWORK).is_file() and (where / WORDS).is_file()
