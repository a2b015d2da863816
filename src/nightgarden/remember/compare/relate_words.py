"""How two short statements relate, from their words and, when there is one, the cosine of their embeddings. Pure.

Why these rules and thresholds, with what was measured and what did not work: docs/why/duplicates-and-contradictions.md.
It does not know time, sources or scopes, and it knows the world only as far as its lexicon goes: two words it has never
seen in the same place are "other words", which keeps the statements from merging but is no contradiction.
"""

from __future__ import annotations

from itertools import pairwise

from nightgarden.domain.text import dedupe_key
from nightgarden.remember.compare import relation as found
from nightgarden.remember.compare.align import Alignment, agree, align
from nightgarden.remember.compare.changed import find_changed, news_of_a_number
from nightgarden.remember.compare.differences import Difference, Sign, Slot, read_gap
from nightgarden.remember.compare.duplicates import (
    compare_words_alone,
    differ_in_notation,
    find_same,
    is_long,
    is_minimal,
)
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.lexicon.opposites import opposed
from nightgarden.remember.compare.relation import COSINE_TOPIC, Comparison, Relation, perhaps, surely
from nightgarden.remember.compare.statement import Statement, Word, read
from nightgarden.remember.compare.swaps import Swap, find_swap

# Shares of weighted words. Taste, kept because nine in ten sure contradictions are right with them on every set.
OVERLAP_CLEAN = 0.6
OVERLAP_SURE = 0.5
OVERLAP_SURE_LONG = 0.65  # six content words and more
OVERLAP_MAYBE = 0.45
OVERLAP_TOPIC = 0.34

_RULE_OF = {
    Sign.OPPOSITE: found.OPPOSITE,
    Sign.HARD: found.OTHER_KIND,
    Sign.SOFT: found.OTHER_KIND,
    Sign.NUMBER: found.OTHER_NUMBER,
    Sign.NAME: found.OTHER_NAME,
    Sign.WORD: found.OTHER_NAME,
    Sign.SCOPE: found.QUALIFIED,
    Sign.EXTRA: found.DETAIL,
}
# Tools of which a project mostly has one, though "uses" does not say so.
_MOSTLY_ONE = frozenset(
    "database os editor cloud ci git_host tracker web_framework frontend_framework orm bundler vcs auth_kind".split()
)


def compare(old: str, new: str, *, cosine: float | None) -> Comparison:
    """How `new` relates to `old`, a statement known before it."""
    if dedupe_key(old) == dedupe_key(new):
        return Comparison(relation=Relation.SAME, rule=found.EXACT)
    one, other = read(old), read(new)
    if differ_in_notation(one, other):
        return Comparison(relation=Relation.SAME, rule=found.EXACT)
    laid = align(one, other)
    if not one.content or not other.content:
        return compare_words_alone(old, new, one, other)
    if not laid.overlap and (cosine or 0) < COSINE_TOPIC and not one.changes and not other.changes:
        return Comparison(relation=Relation.UNRELATED, rule=found.APART)
    differences = [read_gap(gap, one, other) for gap in laid.gaps]
    swap = find_swap(one, other, laid)
    if swap is Swap.UNDONE:  # "A before B", "B after A": the opposite words make it the same again
        differences = [
            d for d in differences if not (d.sign is Sign.OPPOSITE and d.words[0].lower() in grammar.ORDER_WORDS)
        ]
    return (
        find_changed(one, other, laid, cosine)
        or _denied(one, other, laid, differences, cosine)
        or _swapped(swap, laid, differences)
        or _small_words(one, other, laid, differences)
        or _differs(one, other, laid, differences, cosine)
        or news_of_a_number(one, other)
        or find_same(old, new, one, other, laid, differences, cosine)
        or _on_topic(laid, cosine)
    )


# -- negation --------------------------------------------------------------------------------------------------------
def _denied(
    one: Statement, other: Statement, laid: Alignment, differences: list[Difference], cosine: float | None
) -> Comparison | None:
    if not one.negators and not other.negators:
        return None
    conflicts = [
        (one.content[i], other.content[j])
        for i, j in (*laid.pairs, *laid.moved)
        if one.content[i].denied != other.content[j].denied and not opposed(one.content[i].key, other.content[j].key)
    ]
    turned = any(opposed(one.content[i].key, other.content[j].key) for i, j in laid.pairs)
    if not conflicts or turned:  # "fails" and "does not work" agree
        return None
    detail = conflicts[0][1].text
    if one.negators == other.negators:
        both_ways = {before.denied for before, _ in conflicts} == {True, False}  # "A, not B" and "B, not A"
        return surely(found.NEGATION, detail) if both_ways and laid.overlap >= 0.8 else None
    other_subject = any(d.subject and d.sign is not Sign.EXTRA for d in differences)
    replaced = [d for d in differences if d.sign is not Sign.EXTRA]
    # To deny something narrower ("not in winter") leaves the wider statement standing.
    narrower = any(word.denied for d in differences for word in ((*d.new,) if conflicts[0][1].denied else (*d.old,)))
    if (
        laid.containment >= 0.8
        and laid.overlap >= OVERLAP_CLEAN
        and not other_subject
        and not replaced
        and not narrower
    ):
        return surely(found.NEGATION, detail)
    if laid.overlap >= OVERLAP_MAYBE or (cosine or 0) >= 0.8:
        return perhaps(found.NEGATION, detail)
    return None


# -- exchanged sides -------------------------------------------------------------------------------------------------
def _swapped(swap: Swap, laid: Alignment, differences: list[Difference]) -> Comparison | None:
    if swap is Swap.NONE or laid.overlap < OVERLAP_CLEAN:
        return None
    if swap is Swap.UNDONE or (swap is Swap.ROLES and laid.overlap < 0.85):
        return None
    if swap is Swap.ORDERED and not any(d.sign is not Sign.EXTRA for d in differences):
        return surely(found.SWAPPED, "")
    return perhaps(found.SWAPPED, "")


# -- on and off, all and some ----------------------------------------------------------------------------------------
def _small_words(one: Statement, other: Statement, laid: Alignment, differences: list[Difference]) -> Comparison | None:
    """Opposite prepositions and quantities around the same words."""
    if laid.overlap < 0.75 or any(d.sign is not Sign.EXTRA for d in differences):
        return None
    gone, come = one.lows - other.lows, other.lows - one.lows
    for word in gone:
        for against in come:
            if word in _DIRECTIONS and opposed(word, against):
                detail = f"{word} → {against}"
                return perhaps(found.OPPOSITE, detail) if one.anonymous else surely(found.OPPOSITE, detail)
    amounts = [[word.low for word in each.words if word.low in grammar.QUANTIFIERS] for each in (one, other)]
    for word, against in zip(*amounts, strict=False) if len(amounts[0]) == len(amounts[1]) else ():
        if abs(grammar.QUANTIFIERS[word] - grammar.QUANTIFIERS[against]) > 1:
            return perhaps(found.OPPOSITE, f"{word} → {against}")
    return None


_DIRECTIONS = frozenset(
    "in out on off up down into out_of onto over under above below inside outside with without".split()
)


# -- another value in the same place ---------------------------------------------------------------------------------
def _differs(
    one: Statement, other: Statement, laid: Alignment, differences: list[Difference], cosine: float | None
) -> Comparison | None:
    replaced = [d for d in differences if d.sign is not Sign.EXTRA]
    if not replaced:
        return None
    long = is_long(one, other)
    telling = [d for d in replaced if d.sign is not Sign.WORD and not (long and d.sign is Sign.NAME)]
    if not telling:
        return _other_words(one, other, laid, replaced)
    minimal = is_minimal(
        one, other, run=2, spots=0
    )  # "User is married", "User is divorced": little is shared, and all of it
    if laid.overlap < OVERLAP_TOPIC and (cosine or 0) < COSINE_TOPIC and not minimal:
        return None
    first = telling[0]
    if any(d.sign is Sign.SCOPE or _is_other_subject(d, one, other) for d in replaced):
        return Comparison(relation=Relation.ADDS, rule=found.QUALIFIED, detail=first.detail)
    if (
        len(replaced) > 1 and replaced[0].early
    ):  # "in summer … 8", "in winter … 9": the first says where the second holds
        return Comparison(relation=Relation.ADDS, rule=found.QUALIFIED, detail=first.detail)
    if _speak_of_two_things(differences, telling) or all(_in_other_roles(d, one, other) for d in telling):
        return Comparison(relation=Relation.ADDS, rule=found.QUALIFIED, detail=first.detail)
    graded = [_grade(d, one, other) for d in telling]
    rule, detail = _RULE_OF[first.sign], first.detail
    enough = OVERLAP_SURE if min(len(one.content), len(other.content)) <= 5 else OVERLAP_SURE_LONG
    if Relation.CONTRADICTS_SURE in graded and len(replaced) == 1 and (minimal or laid.overlap >= enough):
        return surely(rule, detail)
    if any(grade in (Relation.CONTRADICTS_SURE, Relation.CONTRADICTS_MAYBE) for grade in graded):
        return perhaps(rule, detail) if minimal or laid.overlap >= OVERLAP_MAYBE else None
    return Comparison(relation=Relation.ADDS, rule=found.DETAIL, detail=detail)


def _speak_of_two_things(differences: list[Difference], telling: list[Difference]) -> bool:
    """Has each something that the other has nowhere, besides the two values: "parser logs are kept for 30 days", "we
    keep archive logs for 90 days"? Somebody who corrects a value may leave words out or add some, seldom both."""
    values = {text for d in telling for text in d.words}
    gaps = [d for d in differences if d.sign is Sign.EXTRA or d in telling]
    return any(_has_more(d.old, values) for d in gaps) and any(_has_more(d.new, values) for d in gaps)


def _has_more(words: tuple[Word, ...], values: set[str]) -> bool:
    return any(word.text not in values and word.key not in grammar.LIGHT and not word.numeric for word in words)


def _in_other_roles(difference: Difference, one: Statement, other: Statement) -> bool:
    """Do the small words before the two values give them different parts: "in Dublin" and "with Terraform"? Or do other
    verbs stand with other objects: "written in Go", "runs in Frankfurt"?"""
    old, new = (
        next((word for word in side if word.text == text), side[0])
        for side, text in zip((difference.old, difference.new), difference.words, strict=True)
    )
    roles = [_role(statement, word) for statement, word in ((one, old), (other, new))]
    if roles[0] and roles[1] and roles[0] != roles[1]:
        return True
    deeds = difference.group == "activity" and len(difference.old) > 1 and len(difference.new) > 1
    return deeds and not any(agree(a, b) for a in difference.old for b in difference.new)


def _role(statement: Statement, word: Word) -> str:
    """The part that the preposition before a word gives it; empty where none stands near."""
    at = next(i for i, each in enumerate(statement.words) if each is word)
    near = (each.low for each in reversed(statement.words[max(0, at - _ROLE_REACH) : at]))
    return next((grammar.ROLES[low] for low in near if low in grammar.ROLES), "")


_ROLE_REACH = 3  # words: "with the new pipeline"


def _other_words(one: Statement, other: Statement, laid: Alignment, replaced: list[Difference]) -> Comparison | None:
    """Unknown words in one place: telling only where a noun or verb says that there is one value, or one holder."""
    first = replaced[0]
    if len(replaced) > 1 or laid.overlap < OVERLAP_SURE:
        return None
    names = all(word.text[:1].isupper() for word in (*first.old, *first.new)) and not one.anonymous
    if (first.single and not first.subject) or (first.subject and names and _has_one_holder(one, other)):
        return surely(found.OTHER_NAME, first.detail)
    return None


def _has_one_holder(one: Statement, other: Statement) -> bool:
    return any(word.key in grammar.SINGLE_HOLDER for word in one.content) or _is_the(other)


def _is_other_subject(difference: Difference, one: Statement, other: Statement) -> bool:
    """Another subject makes another statement, unless there can be one holder only ("leads the team")."""
    if not difference.subject or difference.sign in (Sign.HARD, Sign.NUMBER, Sign.OPPOSITE):
        return difference.subject and (one.anonymous or other.anonymous) and _names_beings(difference)
    return not _has_one_holder(one, other)


def _names_beings(difference: Difference) -> bool:
    return any(word.key in grammar.BEINGS for word in (*difference.old, *difference.new))


def _is_momentary(difference: Difference) -> bool:
    """What somebody unnamed does: sits, then runs. Two such statements may be of two moments, or of two people."""
    return any(word.low.endswith("ing") for word in (*difference.old, *difference.new)) or difference.group in _PASSING


_PASSING = frozenset("activity place sport animal limb furniture instrument vehicle garment".split())


def _is_the(statement: Statement) -> bool:
    lows = [word.low for word in statement.words]
    return any(
        a in ("is", "ist", "est", "es") and b in ("the", "our", "my", "der", "die", "le", "la", "el")
        for a, b in pairwise(lows)
    )


def _grade(difference: Difference, one: Statement, other: Statement) -> Relation:  # noqa: C901 - a table of cases
    """What one difference means, were it the only one."""
    sure, maybe, adds = Relation.CONTRADICTS_SURE, Relation.CONTRADICTS_MAYBE, Relation.ADDS
    if (one.anonymous or other.anonymous) and difference.sign is not Sign.NUMBER:
        unsure = difference.subject or _names_beings(difference) or _is_momentary(difference)
        sure = maybe if unsure else sure
    match difference.sign, difference.slot:
        case (_, _) if difference.single:
            return sure
        case (Sign.NUMBER, Slot.MANY):
            return adds if _counts_versions(other, difference) else sure
        case (Sign.NUMBER, _):
            return sure
        case (Sign.OPPOSITE, Slot.MANY):
            return maybe
        case (Sign.OPPOSITE, _):
            return sure
        case (Sign.HARD | Sign.SOFT | Sign.NAME, Slot.MANY):
            return adds
        case (Sign.HARD, _):
            return sure
        case (Sign.SOFT, Slot.HABIT):
            if difference.group in _MOSTLY_ONE:
                return sure if other.changes else maybe
            return sure if "now" in other.lows - one.lows else adds
        case (Sign.SOFT, _):
            return sure
        case (Sign.NAME, Slot.HABIT):
            return maybe if "now" in other.lows - one.lows else adds
        case (Sign.NAME, _):
            return maybe
        case _:
            return adds


def _counts_versions(statement: Statement, difference: Difference) -> bool:
    """Does the number belong to a name ("Python 3.12") and not count things?"""
    at = next(i for i, word in enumerate(statement.words) if word is difference.new[0])
    return at > 0 and statement.words[at - 1].specific


# -- the rest ----------------------------------------------------------------------------------------------------------
def _on_topic(laid: Alignment, cosine: float | None) -> Comparison:
    near = laid.overlap >= OVERLAP_TOPIC or laid.containment >= 0.6 or (cosine or 0) >= COSINE_TOPIC
    if near:
        return Comparison(relation=Relation.ADDS, rule=found.DETAIL)
    return Comparison(relation=Relation.UNRELATED, rule=found.APART)
