"""Where the files of built-in judgement are. Apart from who reads them, so that asking costs no import of numpy."""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

FOLDER_VARIABLE = "NG_CLASSIFIER_FOLDER"  # a folder without the files leaves rules to judge alone
NETWORK, WORDS = "classifier.onnx", "classifier-words.npz"
OCCASIONS = "occasions.npz"
OCCASIONS_MULTILINGUAL = "occasions-multilingual.npz"  # for the multilingual embedding model, which judges by itself
CONTRASTS = "contrasts.npz"
DEEP_NETWORK = "classifier-deep.onnx"  # stands on the weights of bge-small, which are not in it
SECOND_NETWORK = "classifier-second.onnx"  # the same on those of the reranker


def classifier_folder() -> Path:
    """The folder that the environment names, else the package's own data."""
    named = os.environ.get(FOLDER_VARIABLE)
    return Path(named) if named else Path(str(resources.files("nightgarden.models").joinpath("data")))


def classifier_is_here(folder: Path | None = None) -> bool:
    """Whether all files of the classifier are there."""
    where = folder or classifier_folder()
    return all((where / name).is_file() for name in (NETWORK, WORDS, CONTRASTS))


def network_is_here(name: str) -> bool:
    """Whether the part of a deep network that ships is there."""
    return (classifier_folder() / name).is_file()


def occasions_are_here() -> bool:
    """Whether the files that say when a memory matters are there."""
    return all((classifier_folder() / name).is_file() for name in (OCCASIONS, OCCASIONS_MULTILINGUAL))
