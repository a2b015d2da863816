"""How a new statement relates to a known one: exact rules and the classifier's scores, weighed by what a mistake costs.

Replacing a true fact or merging opposites loses something; a flag or a second copy costs a glance. So the classifier
proposes, and replaces or merges only when it is sure and no rule objects; what is between is flagged or stands beside.
Without a classifier the rules stand alone. Thresholds were chosen on writers whose texts neither saw before:
docs/why/classifier.md.
"""

from __future__ import annotations

from nightgarden.domain.classify import RelationScores
from nightgarden.domain.verdict import Rule
from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.relation import APART, DETAIL, EXACT, SAME_MEANING

SAME_MIN = 0.80  # to merge, when no rule sees a conflict
SAME_MIN_RULE_AGREES = 0.45
CHANGES_MIN = 0.93  # to replace, when the rules see nothing
CHANGES_MIN_RULE_SURE = 0.50
CHANGES_FLAG_MIN = 0.55
BESIDE_MIN = 0.5  # narrower, an exception, or side by side: then a rule's conflict is no more than a flag

LEARNED_CHANGE = Rule(id="outdated", sentence="The newer one makes the older one outdated.")
LEARNED_NARROWER = Rule(id="narrower", sentence="The newer one is a special case of the older one, or adds to it.")
LEARNED_EXCEPTION = Rule(id="exception", sentence="The newer one is an exception to the older one.")


def weigh(ruled: Comparison, scores: RelationScores | None, *, protected: bool = False) -> Comparison:
    """The relation to act upon. What is `protected` is flagged where only one of the two sees a change."""
    found = _weigh(ruled, scores)
    agreed = ruled.relation is Relation.CONTRADICTS_SURE
    if protected and scores is not None and found.relation is Relation.CONTRADICTS_SURE and not agreed:
        return Comparison(relation=Relation.CONTRADICTS_MAYBE, rule=found.rule, detail=found.detail)
    return found


def _weigh(ruled: Comparison, scores: RelationScores | None) -> Comparison:
    if scores is None or ruled.rule is EXACT:
        return ruled
    if ruled.relation is Relation.CONTRADICTS_SURE:
        return _rule_says_conflict(ruled, scores)
    if ruled.relation is Relation.CONTRADICTS_MAYBE:
        if scores.changes >= CHANGES_MIN:
            return Comparison(relation=Relation.CONTRADICTS_SURE, rule=LEARNED_CHANGE, newer_wins=True)
        return _beside(scores) if _stands_beside(scores) else ruled
    if scores.same >= (SAME_MIN_RULE_AGREES if ruled.relation is Relation.SAME else SAME_MIN):
        return Comparison(relation=Relation.SAME, rule=SAME_MEANING)
    if scores.changes >= CHANGES_MIN:
        return Comparison(relation=Relation.CONTRADICTS_SURE, rule=LEARNED_CHANGE, newer_wins=True)
    if scores.changes >= CHANGES_FLAG_MIN:
        return Comparison(relation=Relation.CONTRADICTS_MAYBE, rule=LEARNED_CHANGE)
    return _beside(scores)


def _rule_says_conflict(ruled: Comparison, scores: RelationScores) -> Comparison:
    if scores.changes >= CHANGES_MIN_RULE_SURE:
        return ruled
    return Comparison(relation=Relation.CONTRADICTS_MAYBE, rule=ruled.rule, detail=ruled.detail)


def _stands_beside(scores: RelationScores) -> bool:
    return scores.narrows + scores.excepts + scores.compatible + scores.unrelated >= BESIDE_MIN


def _beside(scores: RelationScores) -> Comparison:
    best = max(scores.narrows, scores.excepts, scores.compatible)
    if scores.unrelated > best:
        return Comparison(relation=Relation.UNRELATED, rule=APART)
    rule = LEARNED_NARROWER if best == scores.narrows else LEARNED_EXCEPTION if best == scores.excepts else DETAIL
    return Comparison(relation=Relation.ADDS, rule=rule)
