"""Fits how the vectors of two statements tell their relation and writes it into `contrasts.npz`: `python -m
train.contrasts`, about five minutes on a quiet core. No training framework. Run `python -m train.calibrate` after it.

`python -m train.contrasts multilingual` does the same for the multilingual model, and fits what its vectors tell of
chatter, which in other languages than English the network does not know. The weights of likelihood.py stay as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench.judgement.__main__ import find_embedder

from nightgarden.domain.ports import Embedder
from nightgarden.models.classifier_files import CONTRASTS
from nightgarden.models.contrasts import CHATTER, parts
from train.corpus import Corpus, Row, load

OUT = Path(__file__).parent.parent / "src" / "nightgarden" / "models" / "data"
CLASSES = ("same", "changes")
# Products and differences of unit vectors are small; so scaled, one penalty suits all parts.
SCALES = (20.0, 20.0, 10.0)
PENALTY = 100.0
STEPS = 9
CHATTER_SCALE, CHATTER_PENALTY = 10.0, 10.0
IDLE = ("chatter", "ephemeral")  # why nothing of a message is worth keeping
IDLE_CHARS_MAX = 200
Array = np.ndarray[Any, Any]


def embed_all(texts: Sequence[str], embedder: Embedder) -> dict[str, Array]:
    """The vector of each text; one at a time, as the product does it."""
    return {text: embedder.embed([text])[0].astype(np.float32) for text in dict.fromkeys(texts)}


def fit(rows: Sequence[Row], vectors: Mapping[str, Array]) -> Array:
    """One row of weights for each class, the constant last."""
    older, newer = (np.stack([vectors[row[side]] for row in rows]) for side in ("a", "b"))
    scale = np.repeat(SCALES, older.shape[1]).astype(np.float32)
    x = parts(older, newer)
    x[:, :-1] *= scale
    found = np.stack([_fit_one(x, np.array([row["rel"] == name for row in rows], dtype=float)) for name in CLASSES])
    found[:, :-1] *= scale
    return found.astype(np.float32)


def _fit_one(x: Array, y: Array, *, penalty: float = PENALTY) -> Array:
    """Logistic regression by Newton's method."""
    w = np.zeros(x.shape[1])
    pull = np.r_[np.full(x.shape[1] - 1, penalty), 1e-6]
    for _ in range(STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ w, -30, 30)))
        bent = x * (p * (1.0 - p))[:, None].astype(np.float32)
        w = w - np.linalg.solve(bent.T @ x + np.diag(pull), x.T @ (p - y) + pull * w)
    return w


def chatter_rows(corpus: Corpus) -> dict[str, bool]:
    """Texts and whether they are chatter: sentences to store, memories, and what of messages is worth keeping, because
    people say of themselves what sounds like chatter ("I'm vegetarian")."""
    kept = {span["from"]: False for row in corpus.messages for span in row["keep"]}
    idle = [row["text"] for row in corpus.messages if row["why"] in IDLE and not row["keep"]]
    known = {row["text"]: False for garden in corpus.gardens.values() for row in garden.values()}
    told = {row["text"]: row["label"] == "junk" for row in corpus.writes if row["label"] != "secret"}
    return kept | {text: True for text in idle if len(text) <= IDLE_CHARS_MAX} | known | told


def fit_chatter(rows: Mapping[str, bool], vectors: Mapping[str, Array]) -> Array:
    """The weight of each number of a vector, the constant last."""
    x = np.stack([np.append(CHATTER_SCALE * vectors[text], 1.0) for text in rows])
    found = _fit_one(x, np.array(list(rows.values()), dtype=float), penalty=CHATTER_PENALTY)
    return np.append(CHATTER_SCALE * found[:-1], found[-1])


def main(setting: str) -> None:
    embedder = find_embedder(None, setting)
    if embedder is None:
        raise SystemExit("no such embedding model here: run `nightgarden models fetch --multilingual` first")
    corpus = load("tune")
    name = embedder.model.name
    vectors = embed_all([row[side] for row in corpus.pairs for side in ("a", "b")], embedder)
    with np.load(OUT / CONTRASTS) as kept:
        arrays: dict[str, Any] = {known: kept[known] for known in kept.files}
    arrays[name] = fit(corpus.pairs, vectors).astype(np.float16)
    if setting == "multilingual":
        rows = chatter_rows(corpus)
        arrays[name + CHATTER] = fit_chatter(rows, embed_all(list(rows), embedder)).astype(np.float16)
    np.savez_compressed(OUT / CONTRASTS, **arrays)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "auto")
