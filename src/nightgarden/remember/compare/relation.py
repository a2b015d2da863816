"""How a new statement relates to one already known. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from nightgarden.domain.verdict import Rule


class Relation(StrEnum):
    """What a new statement is to an old one."""

    SAME = "same"
    CONTRADICTS_SURE = "contradicts_sure"  # both cannot hold: the newer may replace the older
    CONTRADICTS_MAYBE = "contradicts_maybe"  # both are kept, and somebody is asked
    ADDS = "adds"  # the same topic: more detail, or another thing of its kind
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The relation found, and the rule that says why."""

    relation: Relation
    rule: Rule

    @property
    def contradicts(self) -> bool:
        return self.relation in (Relation.CONTRADICTS_SURE, Relation.CONTRADICTS_MAYBE)


def surely(rule: Rule) -> Comparison:
    """Both cannot hold."""
    return Comparison(relation=Relation.CONTRADICTS_SURE, rule=rule)


def perhaps(rule: Rule) -> Comparison:
    """Somebody should look."""
    return Comparison(relation=Relation.CONTRADICTS_MAYBE, rule=rule)


EXACT = Rule(
    id="same-text",
    sentence="The two differ only in case, spacing, accents, closing punctuation or how a number is written.",
)
SAME_WORDS = Rule(id="same-words", sentence="The two share nearly all their words, and nothing in them conflicts.")
SAME_MEANING = Rule(id="same-meaning", sentence="The two mean the same, and nothing in them conflicts.")
NEGATION = Rule(id="negation", sentence="One denies what the other says.")
OPPOSITE = Rule(id="opposite", sentence="They say opposite things about the same subject.")
OTHER_NUMBER = Rule(
    id="other-number", sentence="They give different numbers, dates, times or versions for the same thing."
)
CHANGED = Rule(id="changed", sentence="The newer one says that what the older one says has changed.")
DETAIL = Rule(id="same-topic", sentence="They are about the same thing, and each says something of its own.")
APART = Rule(id="other-topic", sentence="They are about different things.")
