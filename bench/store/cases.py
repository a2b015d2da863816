"""What every store is given: the same texts, vectors and questions, made from a seed and kept in a folder.

Texts have English words, as often as natural language has them (Zipf), so that common words match much and rare ones
little. The words and their order come from the vocabulary of the embedding model, which lists the common ones first.
Vectors are those of bench/vector_cases.py: topics of many sizes, as in sentence embeddings.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import numpy as np
import numpy.typing as npt

from bench.vector_cases import DIMENSION, Cases

QUERIES = 200
NEAREST = 10
FRESH = 400  # texts and vectors for single writes, not among those written in bulk
_VOCABULARY = 20_000
_ZIPF = 1.07
_WORDS_LEAST, _WORDS_MOST = 8, 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """The cases of one size, mapped from their folder."""

    size: int
    texts: list[str]
    vectors: npt.NDArray[np.float32]
    fresh_texts: list[str]
    fresh_vectors: npt.NDArray[np.float32]
    query_texts: list[str]
    query_vectors: npt.NDArray[np.float32]
    nearest: npt.NDArray[np.int64]  # of each query the true nearest rows, counted from 0


def make(folder: Path, size: int) -> Path:
    """Writes the cases of one size, unless they are there."""
    place = folder / f"cases-{size}"
    if (place / "done").exists():
        return place
    place.mkdir(parents=True, exist_ok=True)
    cases = Cases("clustered", size)
    vectors = np.lib.format.open_memmap(place / "vectors.npy", mode="w+", dtype=np.float32, shape=(size, DIMENSION))
    for numbers, piece in cases.pieces():
        vectors[numbers - 1] = piece
    vectors.flush()
    queries = cases.queries()
    fresh = Cases("clustered", max(size, 1000)).queries() if size < FRESH else cases._items(7, FRESH, 0.7)
    np.save(place / "fresh.npy", fresh[:FRESH])
    np.save(place / "queries.npy", queries[:QUERIES])
    np.save(place / "nearest.npy", cases.nearest(queries[:QUERIES], [None])[0] - 1)
    texts = _texts(np.random.default_rng(11), size + FRESH)
    questions = _questions(np.random.default_rng(12), texts[:size])
    written = {"texts": texts[:size], "fresh": texts[size:], "questions": questions}
    (place / "texts.json").write_text(json.dumps(written), encoding="utf-8")
    (place / "done").touch()
    return place


def read(place: Path) -> Given:
    """The cases of a folder."""
    written = json.loads((place / "texts.json").read_text(encoding="utf-8"))
    vectors = np.load(place / "vectors.npy", mmap_mode="r")
    return Given(
        size=len(vectors),
        texts=written["texts"],
        vectors=vectors,
        fresh_texts=written["fresh"],
        fresh_vectors=np.load(place / "fresh.npy"),
        query_texts=written["questions"],
        query_vectors=np.load(place / "queries.npy"),
        nearest=np.load(place / "nearest.npy")[:, :NEAREST],
    )


def _words() -> list[str]:
    """English words, the commonest first."""
    packed = files("nightgarden.models").joinpath("data", "bert-base-uncased-vocab.txt.gz").read_bytes()
    listed = gzip.decompress(packed).decode("utf-8").split()
    return [word for word in listed if word.isascii() and word.isalpha() and len(word) > 1][:_VOCABULARY]


def _texts(chance: np.random.Generator, count: int) -> list[str]:
    words = np.array(_words())
    weights = 1.0 / np.arange(1, len(words) + 1) ** _ZIPF
    lengths = chance.integers(_WORDS_LEAST, _WORDS_MOST + 1, count)
    chosen = words[chance.choice(len(words), int(lengths.sum()), p=weights / weights.sum())]
    ends = np.cumsum(lengths)
    return [" ".join(chosen[end - length : end]).capitalize() for end, length in zip(ends, lengths, strict=True)]


def _questions(chance: np.random.Generator, texts: list[str]) -> list[str]:
    """Half of the words of one text, in another order."""
    questions = []
    for place in chance.integers(0, len(texts), QUERIES):
        words = texts[place].lower().split()
        questions.append(" ".join(chance.permutation(words)[: max(3, len(words) // 2)]))
    return questions
