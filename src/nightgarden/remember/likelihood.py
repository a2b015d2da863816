"""How likely two statements say the same, or the newer one outdates the older: a logistic sum over what the classifier,
two plain signs and, where there are any, the vectors of the two say of them.

The classifier alone is fooled by numbers and exchanged names; each network has weights of its own. How near the two are
in meaning, how long they are and how many words they share was tried too, and served the writers it was fitted on but
not others. The weights were fitted by `python -m train.calibrate` on the validating writers, whose texts the classifier
had not seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from nightgarden.domain.classify import RelationScores, VectorScores
from nightgarden.remember.compare.guards import PairSigns
from nightgarden.remember.weights import DEEP, DEEP_WITH_VECTORS, SMALL, SMALL_WITH_VECTORS

_LEAST = 1e-5  # of a score, so that its logarithm stays finite
_LOG_ODDS_MAX = 6.0  # of what vectors say


@dataclass(frozen=True, slots=True, kw_only=True)
class Likelihood:
    """The rest, up to one, is that both stand."""

    same: float
    changes: float


def features(scores: RelationScores, signs: PairSigns, by_vectors: VectorScores | None = None) -> list[float]:
    """What the sum is over, in the order of the weights."""
    vectors = () if by_vectors is None else (by_vectors.same, by_vectors.changes)
    return [
        *(math.log(max(_LEAST, score)) for score in (scores.same, scores.changes, scores.narrows, scores.excepts)),
        *(math.log(max(_LEAST, score)) for score in (scores.compatible, scores.unrelated)),
        float(signs.other_numbers),
        float(signs.names_swapped),
        *(max(-_LOG_ODDS_MAX, min(_LOG_ODDS_MAX, odds)) for odds in vectors),
    ]


def likelihood(scores: RelationScores, signs: PairSigns, by_vectors: VectorScores | None = None) -> Likelihood:
    """For one pair, older first."""
    values = (1.0, *features(scores, signs, by_vectors))
    without, with_vectors = (DEEP, DEEP_WITH_VECTORS) if scores.deep else (SMALL, SMALL_WITH_VECTORS)
    rows = without if by_vectors is None else with_vectors
    same, changes = (math.exp(sum(weight * value for weight, value in zip(row, values, strict=True))) for row in rows)
    return Likelihood(same=same / (1.0 + same + changes), changes=changes / (1.0 + same + changes))
