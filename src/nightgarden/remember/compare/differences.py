"""What one gap between two aligned statements amounts to: an opposite, another value, another name. Pure.

Knows pairs of words in the same place and the words that govern that place. It does not weigh several gaps against
each other; `decide` does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from nightgarden.remember.compare.align import AlignmentGap
from nightgarden.remember.compare.entities import EntityKind
from nightgarden.remember.compare.lexicon import classes, grammar
from nightgarden.remember.compare.lexicon.classes import Firmness
from nightgarden.remember.compare.lexicon.opposites import opposed
from nightgarden.remember.compare.statement import Statement, Word


class Sign(StrEnum):
    """What kind of difference stands in one place."""

    OPPOSITE = "opposite"
    HARD = "hard"  # members of a class of which there is one
    SOFT = "soft"
    SCOPE = "scope"
    NUMBER = "number"
    NAME = "name"
    WORD = "word"  # other words, nothing known about them
    EXTRA = "extra"  # only one side says something here


class Slot(StrEnum):
    """How many values the place of a difference can hold."""

    ONE = "one"
    HABIT = "habit"
    MANY = "many"


@dataclass(frozen=True, slots=True)
class Difference:
    """One gap, read."""

    sign: Sign
    old: tuple[Word, ...]
    new: tuple[Word, ...]
    slot: Slot
    single: bool  # a noun before it says that there is one value
    subject: bool  # stands where the statement's subject stands
    early: bool  # among the first two words of both
    group: str = ""  # the class, for HARD, SOFT and SCOPE
    words: tuple[str, str] = ("", "")  # the two that differ

    @property
    def detail(self) -> str:
        one, other = self.words
        return f"{one} → {other}" if one and other else ""


_NAMING = frozenset({EntityKind.NAME, EntityKind.PATH, EntityKind.URL, EntityKind.IDENTIFIER, EntityKind.TECHNOLOGY})
_GAP_WORDS_MAX = 12  # a longer gap is another passage, not another value
_RANK = {Sign.OPPOSITE: 0, Sign.HARD: 1, Sign.NUMBER: 2, Sign.SOFT: 3, Sign.SCOPE: 4, Sign.NAME: 5}


def read_gap(gap: AlignmentGap, old: Statement, new: Statement) -> Difference:
    left = tuple(old.content[i] for i in gap.old)
    right = tuple(new.content[j] for j in gap.new)
    sign, group, words = _sign(left, right)
    if right:
        slot, single = _governor(new, right[0])
        if slot is Slot.ONE and left:
            slot = _governor(old, left[0])[0]
            single = single or _governor(old, left[0])[1]
    else:
        slot, single = _governor(old, left[0])
    subject = 0 in gap.old and 0 in gap.new and not _led_in(new)
    early = bool(gap.old and gap.new) and gap.old[0] < 2 and gap.new[0] < 2
    return Difference(sign, left, right, slot, single, subject, early, group, words)


def _led_in(statement: Statement) -> bool:
    """Does it begin with a place or time ("In China, …") and not with its subject?"""
    return statement.words[0].low in grammar.PREPOSITIONS


def _sign(left: tuple[Word, ...], right: tuple[Word, ...]) -> tuple[Sign, str, tuple[str, str]]:
    if not left or not right:
        return Sign.EXTRA, "", ("", "")
    best: tuple[Sign, str, tuple[str, str]] | None = None
    covered = False
    for one in left[:_GAP_WORDS_MAX]:
        for other in right[:_GAP_WORDS_MAX]:
            found = compare_words(one, other)
            if found and (best is None or _RANK[found[0]] < _RANK[best[0]]):
                best = (*found, (one.text, other.text))
            covered = covered or (len(left) == len(right) == 1 and classes.covers(one.key, other.key))
    if best and not covered:
        return best
    return Sign.WORD, "", (" ".join(w.text for w in left), " ".join(w.text for w in right))


def compare_words(one: Word, other: Word) -> tuple[Sign, str] | None:
    """What two different words in the same place amount to; None when nothing is known about them."""
    if one.denied != other.denied:
        return None
    if opposed(one.key, other.key):
        return Sign.OPPOSITE, ""
    shared = classes.exclusive(one.key, other.key)
    if shared:
        name, firmness = shared
        return {Firmness.HARD: Sign.HARD, Firmness.SOFT: Sign.SOFT, Firmness.SCOPE: Sign.SCOPE}[firmness], name
    if one.numeric and other.numeric:
        return (Sign.NUMBER, "") if _comparable(one, other) else None
    if one.low != other.low and _skeleton(one.low) == _skeleton(other.low) and "#" in _skeleton(one.low):
        return Sign.NUMBER, ""  # node18, node20; eu-west-1, eu-west-2
    if one.kind in _NAMING and other.kind in _NAMING:
        derived = one.kind is other.kind is EntityKind.NAME and one.key[:4] == other.key[:4]  # Syria, Syrian
        return None if derived else (Sign.NAME, "")
    return None


@lru_cache(maxsize=16384)
def _skeleton(low: str) -> str:
    return _DIGITS.sub("#", low)


_DIGITS = re.compile(r"\d+")


def _comparable(one: Word, other: Word) -> bool:
    """`30 s` and `5 min` are two values of one thing; `30 s` and `5 GB` are not."""
    if EntityKind.QUANTITY in (one.kind, other.kind) and one.kind is other.kind:
        return True
    return one.kind is other.kind or {one.kind, other.kind} <= {
        EntityKind.NUMBER,
        EntityKind.VERSION,
        EntityKind.PORT,
        EntityKind.QUANTITY,
    }


def _is_single(before: list[Word]) -> bool:
    """Do the words before a value say that there is one: "the port is", "lives in"?"""
    at = len(before) - 1
    while at >= 0 and before[at].low in _PASSED_OVER:
        at -= 1
    if at < 1:
        return False
    last = before[at].low
    if last in grammar.LOCATORS and any(each.key in grammar.LOCATING for each in before[max(0, at - 2) : at]):
        return True
    return last in grammar.COPULAS and any(each.key in grammar.SINGLE_NOUNS for each in before[max(0, at - 5) : at])


_PASSED_OVER = grammar.ARTICLES | frozenset("der die das le la el un une una ein eine now".split())


def _governor(statement: Statement, word: Word) -> tuple[Slot, bool]:
    """The slot a word stands in, by the verb before it in its clause, and whether a noun there has one value only."""
    before: list[Word] = []
    for each in statement.words:
        if each is word:
            break
        if each.clause == word.clause:
            before.append(each)
    single = not statement.anonymous and not word.low.endswith("ing") and _is_single(before)
    for each in reversed(before):
        if each.key in grammar.MANY_VALUED or each.low in ("depend", "depends"):
            happening = each.low.endswith("ing") and each.low != "working"
            return (Slot.ONE if single or happening or statement.anonymous else Slot.MANY), single
        if each.key in grammar.HABITS and each.low not in ("has", "have", "had"):
            happening = each.low.endswith("ing") and each.low != "using"
            return (Slot.ONE if happening or single or statement.anonymous else Slot.HABIT), single
    if any(each.low in ("has", "have", "had", "hat", "a", "tiene") and each.low != "a" for each in before):
        return Slot.HABIT, single
    return Slot.ONE, single
