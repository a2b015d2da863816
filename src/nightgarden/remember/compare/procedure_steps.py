"""Two procedures are the same when their steps are, whatever they are called. Pure."""

from __future__ import annotations

from nightgarden.domain.memory import Procedure
from nightgarden.domain.text import query_terms
from nightgarden.domain.verdict import Rule
from nightgarden.remember.compare.relation import DETAIL, Comparison, Relation

SAME_STEPS = Rule(id="same-steps", sentence="The two have the same steps.")
SAME_SHARE = 0.8  # of the longer one's steps
STEP_SHARE = 0.7  # of the words of two steps, from which they are the same step. Taste


def compare_procedures(known: Procedure, new: Procedure) -> Comparison:
    """By their steps alone: the same, or another way of doing something."""
    old, fresh = ([frozenset(query_terms(step)) for step in each.steps] for each in (known, new))
    left, shared = list(old), 0
    for step in fresh:
        best = max(left, key=lambda other: _alike(step, other), default=None)
        if best is not None and _alike(step, best) >= STEP_SHARE:
            left.remove(best)
            shared += 1
    same = shared >= SAME_SHARE * max(len(old), len(fresh), 1)
    if same:
        return Comparison(relation=Relation.SAME, rule=SAME_STEPS)
    return Comparison(relation=Relation.ADDS, rule=DETAIL)


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
