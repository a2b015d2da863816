"""The real models: the same text gives the same vector, near texts give near ones, odd text breaks nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from nightgarden.errors import ModelUnavailable
from nightgarden.models.catalog import BGE_SMALL
from nightgarden.models.local import LocalEmbedder, LocalReranker
from nightgarden.models.model_files import ModelFile, find_model

TEXTS = [
    "The deployment runs on Fridays after the tests are green.",
    "cat",
    "We moved the service to another port because 8080 was taken by the proxy, and nobody had written that down.",
    "I like tea.",
    "parse_config() raises KeyError when the section is missing",
    "a much longer text about nothing in particular " * 12,
]
ODD = ["", " ", "\x00", "\ud800", "\U0001f600" * 50, "\u202e\u05e9\u05dc\u05d5\u05dd", "x" * 5000, "[SEP] [CLS]"]


@pytest.fixture(params=["bge", "minilm", "multilingual"])
def embedder(request: pytest.FixtureRequest) -> LocalEmbedder:
    found = request.getfixturevalue(request.param)
    assert isinstance(found, LocalEmbedder)
    return found


def test_vectors_are_unit_rows_of_the_models_dimension(embedder: LocalEmbedder) -> None:
    rows = embedder.embed(TEXTS + ODD)
    assert rows.shape == (len(TEXTS + ODD), embedder.model.dimension)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert embedder.embed([]).shape == (0, embedder.model.dimension)


def test_a_text_has_the_same_vector_bit_for_bit_in_any_company(embedder: LocalEmbedder) -> None:
    together = embedder.embed(TEXTS)
    for position, text in enumerate(TEXTS):
        assert np.array_equal(embedder.embed([text])[0], together[position])
    assert np.array_equal(embedder.embed(TEXTS[::-1])[::-1], together)


def test_the_number_of_threads_changes_no_vector(model_cache: Path) -> None:
    file = find_model(BGE_SMALL, [model_cache])
    assert file is not None
    one, two = (LocalEmbedder(file, threads=count).embed(TEXTS) for count in (1, 2))
    assert np.array_equal(one, two)


def test_calls_from_several_threads_agree_with_calls_from_one(embedder: LocalEmbedder) -> None:
    expected = embedder.embed(TEXTS)
    with ThreadPoolExecutor(4) as pool:
        rows = list(pool.map(lambda text: embedder.embed([text])[0], TEXTS * 3))
    assert np.array_equal(np.stack(rows), np.concatenate([expected] * 3))


def test_near_meanings_are_nearer_than_far_ones(embedder: LocalEmbedder) -> None:
    query = embedder.embed_query("when do we ship a release?")
    near, far = embedder.embed(["Deployments happen on Friday evening.", "The cat prefers tuna."])
    assert query @ near > query @ far + 0.1


def test_a_query_is_remembered_and_cannot_be_spoiled(bge: LocalEmbedder) -> None:
    first = bge.embed_query("where is the config?")
    assert bge.embed_query("where is the config?") is first
    with pytest.raises(ValueError, match="read-only"):
        first[0] = 5.0


def test_bge_prefixes_queries_and_the_floor_model_does_not(bge: LocalEmbedder, minilm: LocalEmbedder) -> None:
    assert not np.array_equal(bge.embed_query("tea"), bge.embed(["tea"])[0])
    assert np.array_equal(minilm.embed_query("tea"), minilm.embed(["tea"])[0])


def test_nothing_is_loaded_before_the_first_text(model_cache: Path) -> None:
    file = find_model(BGE_SMALL, [model_cache])
    assert file is not None
    embedder = LocalEmbedder(file)
    assert not embedder.loaded
    assert embedder.model.id == BGE_SMALL.embedding.id
    embedder.load()
    assert embedder.loaded


def test_a_file_that_is_no_model_is_unavailable_in_words(tmp_path: Path) -> None:
    path = tmp_path / "model.onnx"
    path.write_bytes(b"not a model")
    with pytest.raises(ModelUnavailable, match="models fetch"):
        LocalEmbedder(ModelFile(model=BGE_SMALL, path=path)).embed(["text"])


def test_the_reranker_puts_the_answer_first_and_scores_each_text_alone(reranker: LocalReranker) -> None:
    query = "On which port does the proxy listen?"
    texts = ["The proxy listens on 8080.", "The bakery opens at eight.", "Proxies are common.", ""]
    scores = reranker.score(query, texts)
    assert scores.dtype == np.float32
    assert scores.argmax() == 0
    assert scores[0] > scores[1] + 3
    assert np.array_equal(reranker.score(query, texts[::-1])[::-1], scores)
    assert reranker.score(query, []).shape == (0,)
    assert np.isfinite(reranker.score("\ud800" * 3000, ODD)).all()


def test_loading_a_model_reports_to_nobody(tmp_path: Path) -> None:
    """onnxruntime leaves a device id in the home folder when it gets ready to report its use."""
    code = (
        "from nightgarden.models.local import LocalEmbedder; from nightgarden.models.model_files import find_embedder;"
        "from nightgarden.models.catalog import FLOOR;"
        "LocalEmbedder(find_embedder(wanted=(FLOOR,))).embed(['roses need sun'])"
    )
    env = {key: value for key, value in os.environ.items() if not key.startswith("XDG_")} | {"HOME": str(tmp_path)}
    env.pop("ORT_DISABLE_TELEMETRY", None)
    subprocess.run([sys.executable, "-c", code], env=env, check=True)
    assert [path for path in tmp_path.rglob("*") if "Microsoft" in str(path)] == []
