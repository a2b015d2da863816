"""Two procedures are the same when they have the same steps in the same order, whatever they are called. Pure."""

from __future__ import annotations

from itertools import pairwise

from nightgarden.domain.memory import Procedure
from nightgarden.domain.text import query_terms
from nightgarden.domain.verdict import Rule
from nightgarden.remember.compare.guards import signs
from nightgarden.remember.compare.relation import CHANGED, DETAIL, Comparison, Relation, perhaps, surely

SAME_STEPS = Rule(id="same-steps", sentence="The two have the same steps.")
OTHER_ORDER = Rule(id="other-order", sentence="The two have the same steps in another order.")
SAME_SHARE = 0.8  # of the longer one's steps
STEP_SHARE = 0.7  # of the words of two steps, from which they are the same step. Taste


def compare_procedures(known: Procedure, new: Procedure, *, told_as_change: bool = False) -> Comparison:
    """By their steps alone: the same, the same in another order, or another way of doing something."""
    left, places = list(enumerate(known.steps)), []
    for step in new.steps:
        alike = [(_share(step, other), -at, (at, other)) for at, other in left if _is_one_step(other, step)]
        if alike:
            found = max(alike)[2]
            left.remove(found)
            places.append(found[0])
    if len(places) < SAME_SHARE * max(len(known.steps), len(new.steps), 1):
        return Comparison(relation=Relation.ADDS, rule=DETAIL)
    if any(later < earlier for earlier, later in pairwise(places)):
        return surely(CHANGED) if told_as_change else perhaps(OTHER_ORDER)
    return Comparison(relation=Relation.SAME, rule=SAME_STEPS)


def _share(one: str, other: str) -> float:
    first, second = frozenset(query_terms(one)), frozenset(query_terms(other))
    return len(first & second) / max(1, len(first | second))


def _is_one_step(known: str, new: str) -> bool:
    """ "Copy staging to production" and "copy production to staging" have the same words."""
    if known.casefold() == new.casefold():
        return True
    seen = signs(known, new)
    return _share(known, new) >= STEP_SHARE and seen.mergeable and not (seen.one_denies or seen.other_directions)
