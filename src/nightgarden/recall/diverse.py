"""No two results that say the same: maximal marginal relevance, felt only by near-duplicates. Pure.

Full strength MMR costs recall where several turns of one talk are all wanted; so likeness counts only above a bound.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from nightgarden.domain.ports import Vector
from nightgarden.domain.text import jaccard, words

ALIKE = 0.97  # cosine from which two texts begin to be the same (docs/why/fusion.md)
SAME_WORDS = 0.8  # shared words, for items without vectors
PENALTY = 4.0  # evidence lost by a perfect copy: enough to fall behind what is nearly as good


def spread_out(order: Sequence[str], vectors: Mapping[str, Vector], texts: Mapping[str, str]) -> dict[str, float]:
    """What each item loses for being like a better one. `order` is best first; only losers are in the answer."""
    lost = {id: PENALTY * likeness for id, likeness in _by_meaning([id for id in order if id in vectors], vectors)}
    kept: list[frozenset[str]] = []
    bare = [id for id in order if id not in vectors]
    for id in bare:
        said = words(texts[id])
        shared = max((jaccard(said, other) for other in kept), default=0.0)
        if shared > SAME_WORDS:
            lost[id] = PENALTY * (shared - SAME_WORDS) / (1.0 - SAME_WORDS)
        kept.append(said)
    return lost


def _by_meaning(order: Sequence[str], vectors: Mapping[str, Vector]) -> Iterator[tuple[str, float]]:
    """Each item that is like one before it, with its likeness, up to 1 for a copy."""
    if len(order) < 2:
        return
    import numpy as np  # 60 ms; recall without vectors does without

    rows = np.stack([vectors[id] for id in order])
    # Not `@`: for so few rows a threaded product waits longer for its threads than it computes (30 ms on busy cores).
    closest = np.tril(np.einsum("ik,jk->ij", rows, rows), k=-1).max(axis=1)
    for id, cosine in zip(order, closest, strict=True):
        if cosine > ALIKE:
            yield id, min(1.0, (float(cosine) - ALIKE) / (1.0 - ALIKE))
