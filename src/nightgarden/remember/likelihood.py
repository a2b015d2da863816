"""How likely two statements say the same, or the newer one outdates the older: a logistic sum over what the classifier,
the rules and two plain signs say of them.

The classifier alone is fooled by numbers and exchanged names, rules alone by free wording; together they part the cases
better than either. How near the two are in meaning, how long they are and how many words they share was tried too, and
served the writers it was fitted on but not others. The weights were fitted by `python -m train.calibrate` on the
validating writers, whose texts neither the rules nor the classifier had seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from nightgarden.domain.classify import RelationScores
from nightgarden.remember.compare import Relation
from nightgarden.remember.compare.guards import Signs
from nightgarden.remember.weights import CHANGES, SAME

_LEAST = 1e-5  # of a score, so that its logarithm stays finite


@dataclass(frozen=True, slots=True, kw_only=True)
class Likelihood:
    """The rest, up to one, is that both stand."""

    same: float
    changes: float


def features(scores: RelationScores, ruled: Relation, signs: Signs) -> list[float]:
    """What the sum is over, in the order of the weights."""
    return [
        *(math.log(max(_LEAST, score)) for score in (scores.same, scores.changes, scores.narrows, scores.excepts)),
        *(math.log(max(_LEAST, score)) for score in (scores.compatible, scores.unrelated)),
        float(ruled is Relation.SAME),
        float(ruled is Relation.CONTRADICTS_SURE),
        float(ruled is Relation.CONTRADICTS_MAYBE),
        float(signs.other_numbers),
        float(signs.names_swapped),
    ]


def likelihood(scores: RelationScores, ruled: Relation, signs: Signs) -> Likelihood:
    """For one pair, older first."""
    values = (1.0, *features(scores, ruled, signs))
    same, changes = (
        math.exp(sum(weight * value for weight, value in zip(row, values, strict=True))) for row in (SAME, CHANGES)
    )
    return Likelihood(same=same / (1.0 + same + changes), changes=changes / (1.0 + same + changes))
