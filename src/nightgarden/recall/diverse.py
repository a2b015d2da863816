"""No two results that say the same: maximal marginal relevance, felt only by near-duplicates. Pure.

Full strength MMR costs recall where several turns of one talk are all wanted; so likeness counts only above a bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nightgarden.domain.ports import Vector
from nightgarden.domain.text import jaccard, words

ALIKE = 0.92  # cosine from which two texts begin to be the same (duplicates start at .90, docs/why/fusion.md)
SAME_WORDS = 0.8  # shared words, for items without vectors
PENALTY = 6.0  # evidence lost by a perfect copy: enough to fall behind anything good


def spread_out(
    order: Sequence[str], evidence: Mapping[str, float], vectors: Mapping[str, Vector], texts: Mapping[str, str]
) -> dict[str, float]:
    """What each item loses for being like a better one. `order` is best first; only losers are in the answer."""
    lost: dict[str, float] = {}
    kept: list[str] = []
    said = {id: words(texts[id]) for id in order}
    for id in order:
        likeness = max((_likeness(id, other, vectors, said) for other in kept), default=0.0)
        if likeness > 0.0:
            lost[id] = PENALTY * likeness
        kept.append(id)
    return lost


def _likeness(one: str, other: str, vectors: Mapping[str, Vector], said: Mapping[str, frozenset[str]]) -> float:
    """0 for different texts, 1 for the same."""
    if one in vectors and other in vectors:
        by_meaning = (float(vectors[one] @ vectors[other]) - ALIKE) / (1.0 - ALIKE)
    else:
        by_meaning = 0.0
    by_words = (jaccard(said[one], said[other]) - SAME_WORDS) / (1.0 - SAME_WORDS)
    return min(1.0, max(0.0, by_meaning if one in vectors and other in vectors else by_words))
