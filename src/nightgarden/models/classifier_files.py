"""Where the files of built-in judgement are. Apart from who reads them, so that asking costs no import of numpy."""

from __future__ import annotations

import os
import zlib
from importlib import resources
from pathlib import Path
from zipfile import BadZipFile

from nightgarden.errors import ModelDamaged

FOLDER_VARIABLE = "NG_CLASSIFIER_FOLDER"  # a folder without the files leaves rules to judge alone
NETWORK, WORDS = "classifier.onnx", "classifier-words.npz"
OCCASIONS = "occasions.npz"
OCCASIONS_MULTILINGUAL = "occasions-multilingual.npz"  # for the multilingual embedding model, which judges by itself
CONTRASTS = "contrasts.npz"
UNREADABLE = (OSError, ValueError, KeyError, EOFError, BadZipFile, zlib.error)  # what numpy raises on a damaged file
DEEP_NETWORK = "classifier-deep.onnx"  # stands on the weights of bge-small, which are not in it
SECOND_NETWORK = "classifier-second.onnx"  # the same on those of the reranker
_WHY_CHARS_MAX = 160


def classifier_folder() -> Path:
    """The folder that the environment names, else the package's own data."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(str(resources.files("nightgarden.models").joinpath("data")))


def classifier_is_here(folder: Path | None = None) -> bool:
    """Whether all files of the classifier are there."""
    where = folder or classifier_folder()
    return all((where / name).is_file() for name in (NETWORK, WORDS, CONTRASTS))


def damaged(file: str, why: Exception) -> ModelDamaged:
    """The error that tells of a file that cannot be read, and what to do."""
    return ModelDamaged(
        f"{file} is damaged or cannot be loaded: install nightgarden again ({_first_line(why)})", file=file
    )


def _first_line(error: Exception) -> str:
    words = str(error).strip().splitlines()
    return words[0][:_WHY_CHARS_MAX] if words else type(error).__name__


def network_is_here(name: str) -> bool:
    """Whether the part of a deep network that ships is there."""
    return (classifier_folder() / name).is_file()


def occasions_are_here() -> bool:
    """Whether the files that say when a memory matters are there."""
    return all((classifier_folder() / name).is_file() for name in (OCCASIONS, OCCASIONS_MULTILINGUAL))
