"""How likely two statements say the same, or the newer one outdates the older: a logistic sum over what the classifier,
the rules, the embedding model and plain signs say of them.

The classifier alone is fooled by numbers, denials and exchanged names, rules alone by free wording; together they part
the cases better than either. The weights were fitted by `python -m train.calibrate` on the validating writers, whose
texts neither the rules nor the classifier had seen.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from nightgarden.domain.classify import RelationScores
from nightgarden.remember.compare import Relation
from nightgarden.remember.compare.guards import Signs
from nightgarden.remember.weights import WITH_COSINE, WITHOUT_COSINE

_LEAST = 1e-5  # of a score, so that its logarithm stays finite


@dataclass(frozen=True, slots=True, kw_only=True)
class Likelihood:
    """The rest, up to one, is that both stand."""

    same: float
    changes: float


def features(scores: RelationScores, ruled: Relation, signs: Signs, cosine: float | None) -> list[float]:
    """What the sum is over, in the order of the weights. Without a cosine there is one number less."""
    return [
        *(math.log(max(_LEAST, score)) for score in (scores.same, scores.changes, scores.narrows, scores.excepts)),
        *(math.log(max(_LEAST, score)) for score in (scores.compatible, scores.unrelated)),
        float(signs.other_numbers),
        float(signs.one_denies),
        float(signs.names_swapped),
        signs.overlap,
        signs.newer_share,
        float(ruled is Relation.SAME),
        float(ruled is Relation.CONTRADICTS_SURE),
        float(ruled is Relation.CONTRADICTS_MAYBE),
        *(() if cosine is None else (cosine,)),
    ]


def likelihood(scores: RelationScores, ruled: Relation, signs: Signs, cosine: float | None) -> Likelihood:
    """For one pair, older first."""
    weights = WITHOUT_COSINE if cosine is None else WITH_COSINE
    values = (1.0, *features(scores, ruled, signs, cosine))
    same, changes = (
        math.exp(sum(weight * value for weight, value in zip(row, values, strict=True))) for row in weights
    )
    return Likelihood(same=same / (1.0 + same + changes), changes=changes / (1.0 + same + changes))
