"""Figures of scores against the truth that need no threshold. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def auc(scores: ArrayLike, truth: ArrayLike) -> float:
    """Area under the curve, by ranks."""
    order = np.argsort(np.argsort(np.array(scores))) + 1.0
    positive = np.array(truth, dtype=bool)
    n, m = positive.sum(), (~positive).sum()
    return float((order[positive].sum() - n * (n + 1) / 2) / max(1, n * m))


def recall_at(scores: ArrayLike, truth: ArrayLike, *, precision: float) -> float:
    """The largest share of the true ones found with that precision or better."""
    order = np.argsort(-np.array(scores))
    hits = np.cumsum(np.array(truth, dtype=bool)[order])
    precise = hits / np.arange(1, len(hits) + 1) >= precision
    return float(hits[precise].max() / max(1, hits[-1])) if precise.any() else 0.0
