"""How a new statement relates to a known one: exact rules and the classifier's scores, weighed by what a mistake costs.

Replacing a true fact or merging opposites loses something; a flag or a second copy costs a glance. So nothing is
replaced unless a rule sees the change and the classifier sees no exception, and nothing merged against a rule, a
number, a denial or the order of names; what only the classifier sees is flagged. Without a classifier the rules stand
alone. Thresholds were chosen on writers whose texts neither saw before: docs/why/classifier.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from nightgarden.domain.classify import RelationScores
from nightgarden.domain.memory import Category, Memory
from nightgarden.domain.verdict import Rule
from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.relation import APART, DETAIL, EXACT, SAME_MEANING

SAME_MIN = 0.97  # to merge where only the classifier sees it, with nothing exact against it
SAME_COSINE_MIN = 0.80  # of bge-small; paraphrases that share no word score lower, and so do many opposites
SAME_MIN_RULE_AGREES = 0.5
LEAVES_STANDING_MIN = 0.8
CHANGES_FLAG_MIN = 0.6
REVERSED_MIN = 0.5
BESIDE_MIN = 0.5  # narrower, an exception, or side by side: then a rule's doubt is none

_FALLS_TO_REVERSALS = (Category.NEGATIVE, Category.CORRECTION)
LEARNED_CHANGE = Rule(id="outdated", sentence="The newer one makes the older one outdated.")
LEARNED_NARROWER = Rule(id="narrower", sentence="The newer one is a special case of the older one, or adds to it.")
LEARNED_EXCEPTION = Rule(id="exception", sentence="The newer one is an exception to the older one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is known of two statements besides what the rules say."""

    scores: RelationScores | None  # None: the classifier was not asked
    cosine: float | None = None
    mergeable: bool = True  # nothing exact stands against taking them for one


def weigh(ruled: Comparison, evidence: Evidence) -> Comparison:
    """The relation to act upon. The classifier alone never replaces anything: it flags."""
    scores = evidence.scores
    if scores is None or ruled.rule is EXACT:
        return ruled
    if ruled.relation is Relation.CONTRADICTS_SURE:
        return _rule_says_conflict(ruled, scores)
    if ruled.relation is Relation.CONTRADICTS_MAYBE:
        return _beside(scores) if _stands_beside(scores) else ruled
    if _is_same(ruled, evidence, scores):
        return Comparison(relation=Relation.SAME, rule=ruled.rule if ruled.relation is Relation.SAME else SAME_MEANING)
    if scores.changes >= CHANGES_FLAG_MIN:
        return Comparison(relation=Relation.CONTRADICTS_MAYBE, rule=LEARNED_CHANGE)
    return _beside(scores)


def may_fall(known: Memory, ruled: Comparison, evidence: Evidence) -> bool:
    """Whether a sure conflict is enough to replace this memory. What the user forbade or corrected falls only to an
    explicit reversal: the rules see it, and the classifier, if there is one, takes it for a change and nothing else."""
    if known.category not in _FALLS_TO_REVERSALS or evidence.scores is None:
        return True
    return ruled.relation is Relation.CONTRADICTS_SURE and evidence.scores.changes >= REVERSED_MIN


def _is_same(ruled: Comparison, evidence: Evidence, scores: RelationScores) -> bool:
    if ruled.relation is Relation.SAME:
        return scores.same >= SAME_MIN_RULE_AGREES
    near = evidence.cosine is None or evidence.cosine >= SAME_COSINE_MIN
    return scores.same >= SAME_MIN and near and evidence.mergeable


def _rule_says_conflict(ruled: Comparison, scores: RelationScores) -> Comparison:
    """A rule's certainty is exact (another number, a denial); only a clear exception or special case makes it doubt."""
    if scores.narrows + scores.excepts < LEAVES_STANDING_MIN:
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
