"""Which memories help with a turn, by a learned sum over what recall and the occasion say of them. Pure.

Replaces thresholds on similarity where vectors are at hand; `worth.py` stands where they are not, and for passages,
of which nothing was learned. The weights come with the matrices (`models/occasions.py`).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from nightgarden.domain.odds import log_sum_exp, share_of
from nightgarden.domain.other_languages import in_other_language
from nightgarden.models.glossary import language_of
from nightgarden.recall.result import Result

if TYPE_CHECKING:  # numpy: 60 ms that recall by words does without
    from nightgarden.models.occasions import Occasion

BY_EVIDENCE = 5  # results looked at, the best by evidence
BY_OCCASION = 5  # and the best of those that the turned vector found
SHOWN_MIN = 0.16  # chosen on writers whom neither matrices nor weights were fitted on
BESIDE_BEST_MIN = 0.6  # of the likeliest, for another one to be shown with it
MEMORIES_MAX = 3
# In a larger garden more memories match by chance. Measured between 36 and 1,000: what matches best of strangers grows
# with the logarithm of their number.
_ITEMS_FITTED = 50
_MORE_IN_LARGER = 0.2  # log-odds asked for on top, per e-fold
_MORE_FOR_OTHER_LANGUAGES = 0.2  # of models that read English; so much keeps other languages as quiet


def looked_at(results: Sequence[Result]) -> list[Result]:
    """The memories to be judged: the best by evidence and by occasion. What a pattern fired needs no judge."""
    memories = [each for each in results if each.kind == "memory" and not fired(each)]
    by_occasion = sorted((each for each in memories if "occasion" in each.explanation.arms), key=_occasion_rank)
    chosen = {each.id for each in (*memories[:BY_EVIDENCE], *by_occasion[:BY_OCCASION])}
    return [each for each in memories if each.id in chosen]


def features(
    other_language: bool, results: Sequence[Result], occasion: Occasion, *, by_judge: bool
) -> list[list[float]]:
    """What the sum is over, in the order of the weights, for each of the results that the occasion was read for.
    `by_judge`: the judging model ranked them too."""
    if not results:
        return []
    evidence = [each.explanation.evidence for each in results]
    best, best_match = max(evidence), max(occasion.matches)
    total = log_sum_exp([*occasion.matches, -occasion.matters])
    return [
        [
            1.0,
            cosine,
            best - own,
            match,
            best_match - match,
            match - total,
            occasion.matters,
            occasion.needs,
            each.explanation.arms["text"].evidence if "text" in each.explanation.arms else 0.0,
            float(other_language),
            float(by_judge),
        ]
        for each, own, match, cosine in zip(results, evidence, occasion.matches, occasion.cosines, strict=True)
    ]


def likelihoods(
    text: str,
    results: Sequence[Result],
    occasion: Occasion,
    *,
    by_judge: bool,
    weights: Sequence[float],
    items: int,
    english: bool = True,
) -> dict[str, float]:
    """How likely each result helps with the turn, by its id. `english`: the judge reads nothing else, and what there is
    a glossary for in English words."""
    less = _MORE_IN_LARGER * math.log(max(1.0, items / _ITEMS_FITTED))
    other = in_other_language(text) and not (english and language_of(text))
    if other and english:
        less += _MORE_FOR_OTHER_LANGUAGES
    rows = features(other, results, occasion, by_judge=by_judge)
    sums = [sum(weight * value for weight, value in zip(weights, row, strict=True)) - less for row in rows]
    return {each.id: share_of(total) for each, total in zip(results, sums, strict=True)}


def helping(results: Sequence[Result], likely: Mapping[str, float]) -> list[Result]:
    """Those that are likely enough, and not much less so than the likeliest, which comes first."""
    order = sorted(results, key=lambda each: (-likely[each.id], each.id))
    least = max(SHOWN_MIN, BESIDE_BEST_MIN * max((likely[each.id] for each in order), default=0.0))
    return [each for each in order if likely[each.id] >= least][:MEMORIES_MAX]


def fired(result: Result) -> bool:
    """Whether a pattern of its own brought it."""
    return "trigger" in result.explanation.boosts


def _occasion_rank(result: Result) -> tuple[int, str]:
    return result.explanation.arms["occasion"].rank, result.id
