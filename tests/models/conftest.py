"""The real models, fetched once into a cache folder."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from nightgarden.models.catalog import BGE_SMALL, MINILM, MS_MARCO_RERANKER, MULTILINGUAL
from nightgarden.models.fetch import fetch
from nightgarden.models.local import LocalEmbedder, LocalReranker
from nightgarden.models.model_files import find_model

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def model_cache() -> Path:
    """The folder with bge-small and the reranker. Asks the registry only the first time."""
    folder = Path(os.environ.get("NIGHTGARDEN_TEST_CACHE") or REPOSITORY / ".cache" / "models")
    fetch(into=folder)
    return folder


@pytest.fixture(scope="session")
def multilingual_cache(model_cache: Path) -> Path:
    """The same folder, with the multilingual model in it too."""
    fetch((MULTILINGUAL,), into=model_cache)
    return model_cache


@pytest.fixture(scope="session")
def multilingual(multilingual_cache: Path) -> LocalEmbedder:
    file = find_model(MULTILINGUAL, [multilingual_cache])
    assert file is not None
    return LocalEmbedder(file)


@pytest.fixture(scope="session")
def bge(model_cache: Path) -> LocalEmbedder:
    file = find_model(BGE_SMALL, [model_cache])
    assert file is not None
    return LocalEmbedder(file)


@pytest.fixture(scope="session")
def minilm() -> LocalEmbedder:
    file = find_model(MINILM)
    assert file is not None, "the floor model is a dependency of the package"
    return LocalEmbedder(file)


@pytest.fixture(scope="session")
def reranker(model_cache: Path) -> LocalReranker:
    file = find_model(MS_MARCO_RERANKER, [model_cache])
    assert file is not None
    return LocalReranker(file)
