"""How the arms become one order. Pure. What was measured and what was turned down: docs/why/fusion.md.

Evidence adds up, in log-odds. BM25 is a sum of log-odds already, but grows with the number of words asked for, so it is
divided by the root of the best score: a query whose best text matches little of it leans on meaning, without a switch.
A cosine means nothing by itself (one model gives strangers .5, another .2), so it is measured in spreads of its model.
Ranks alone throw away how much better the first is than the second, and lost by four to seven points.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, pstdev

from nightgarden.domain.odds import log_odds, share_of
from nightgarden.domain.ports import Hit
from nightgarden.recall.options import Fusion

# All weights: docs/why/fusion.md. Fitted by listwise logistic regression on five conversations, tested on five others,
# then rounded with both fits in view. Text between .8 and 1.5 changes recall@10 by less than half a point.
TEXT_WEIGHT = 0.9
VECTOR_WEIGHT = 0.66
TEXT_ALONE_WEIGHT = 1.8  # without vectors the words stand for both arms
SUPPORT_TEXT_WEIGHT = 0.3  # words of the conversation so far, and of files at hand
_RANK_OFFSET = 60  # as in the reciprocal rank fusion everybody measures against
_RANK_SCALE = 180.0  # brings 1/60 to the size of the other methods, so that boosts weigh alike

# What strangers' cosines look like, by model: their middle and their spread (measured on questions against turns).
_MODEL_COSINES: dict[str, tuple[float, float]] = {
    "bge-small-en-v1.5": (0.50, 0.06),
    "all-MiniLM-L6-v2": (0.24, 0.12),
    "universal-sentence-encoder-multilingual-3": (0.10, 0.10),
}
_UNKNOWN_MODEL_COSINES = (0.30, 0.09)  # between the two


def text_evidence(hits: Sequence[Hit], *, weight: float = TEXT_WEIGHT) -> dict[str, float]:
    """BM25 scores as evidence."""
    if not hits:
        return {}
    scale = weight / math.sqrt(max(hit.score for hit in hits) + 0.5)
    return {hit.id: scale * hit.score for hit in hits}


def vector_evidence(cosines: Mapping[str, float], model_name: str) -> dict[str, float]:
    """Cosines as evidence; 0 for a stranger, so an item without a vector is neither helped nor hurt."""
    middle, spread = _MODEL_COSINES.get(model_name, _UNKNOWN_MODEL_COSINES)
    return {id: VECTOR_WEIGHT * (cosine - middle) / spread for id, cosine in cosines.items()}


def fuse(arms: Mapping[str, Mapping[str, float]], method: Fusion) -> dict[str, float]:
    """One number per item from each arm's evidence."""
    match method:
        case Fusion.EVIDENCE:
            return _sum(arms)
        case Fusion.ZSCORE:
            return _sum({name: _spread_out(found) for name, found in arms.items()})
        case Fusion.RANKS:
            return _sum({name: _by_rank(found) for name, found in arms.items()})


def _sum(arms: Mapping[str, Mapping[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for found in arms.values():
        for id, evidence in found.items():
            total[id] = total.get(id, 0.0) + evidence
    return total


def _spread_out(found: Mapping[str, float]) -> dict[str, float]:
    if not found:
        return {}
    middle, spread = fmean(found.values()), pstdev(found.values()) or 1.0
    return {id: (evidence - middle) / spread for id, evidence in found.items()}


def _by_rank(found: Mapping[str, float]) -> dict[str, float]:
    order = sorted(found, key=lambda id: (-found[id], id))
    return {id: _RANK_SCALE / (_RANK_OFFSET + rank) for rank, id in enumerate(order, start=1)}


# How evidence becomes a strength between 0 and 1: fitted so that a first result of strength x holds the answer about x
# of the time (docs/why/fusion.md).
_STRENGTH_MIDDLE = 9.5
_STRENGTH_SPREAD = 2.0


def strength(evidence: float) -> float:
    """Evidence as a number between 0 and 1; keeps the order."""
    return share_of((evidence - _STRENGTH_MIDDLE) / _STRENGTH_SPREAD)


def evidence_of(strength_: float) -> float:
    """The evidence that has this strength."""
    return _STRENGTH_MIDDLE + _STRENGTH_SPREAD * log_odds(strength_, least=1e-9)
