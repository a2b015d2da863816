"""Fits how the vectors of two statements tell their relation and writes `contrasts.npz`: `python -m train.contrasts`,
about five minutes on a quiet core. No training framework. Run `python -m train.calibrate` after it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench.judgement.__main__ import find_embedder

from nightgarden.domain.ports import Embedder
from nightgarden.models.classifier_files import CONTRASTS
from nightgarden.models.contrasts import parts
from train.corpus import Row, load

OUT = Path(__file__).parent.parent / "src" / "nightgarden" / "models" / "data"
CLASSES = ("same", "changes")
# Products and differences of unit vectors are small; so scaled, one penalty suits all parts.
SCALES = (20.0, 20.0, 10.0)
PENALTY = 100.0
STEPS = 9
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


def _fit_one(x: Array, y: Array) -> Array:
    """Logistic regression by Newton's method."""
    w = np.zeros(x.shape[1])
    pull = np.r_[np.full(x.shape[1] - 1, PENALTY), 1e-6]
    for _ in range(STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ w, -30, 30)))
        bent = x * (p * (1.0 - p))[:, None].astype(np.float32)
        w = w - np.linalg.solve(bent.T @ x + np.diag(pull), x.T @ (p - y) + pull * w)
    return w


def main() -> None:
    embedder = find_embedder(None)
    if embedder is None:
        raise SystemExit("no embedding model: run `nightgarden models fetch` first")
    rows = load("tune").pairs
    vectors = embed_all([row[side] for row in rows for side in ("a", "b")], embedder)
    np.savez_compressed(OUT / CONTRASTS, **{embedder.model.name: fit(rows, vectors).astype(np.float16)})  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
