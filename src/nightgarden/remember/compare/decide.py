"""How two short statements relate, from their words and, when there is one, the cosine of their embeddings. Pure.

Why these rules and thresholds, with what was measured and what did not work: docs/why/duplicates-and-contradictions.md.
It does not know time, sources or scopes, and it knows the world only as far as its lexicon goes: two words it has never
seen in the same place are "other words", which keeps the statements from merging but is no contradiction.
"""

from __future__ import annotations

from os.path import commonprefix

from nightgarden.domain.text import dedupe_key, jaccard, words
from nightgarden.domain.verdict import Rule
from nightgarden.remember.compare import relation as found
from nightgarden.remember.compare.align import Alignment, agree, align
from nightgarden.remember.compare.change import Change, find_change
from nightgarden.remember.compare.differences import Difference, Sign, Slot, compare_words, read_gap
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.lexicon.opposites import opposed
from nightgarden.remember.compare.relation import Comparison, Relation
from nightgarden.remember.compare.statement import Statement, Word, read
from nightgarden.remember.compare.swaps import Swap, find_swap

JACCARD_SAME = 0.85  # the seed's
COSINE_SAME = 0.90  # the seed's; measured again in docs/why
COSINE_SAME_CLEAN = 0.87  # three quarters of the words shared, the rest is said by one side only
COSINE_SAME_OTHER_WORDS = 0.92  # words it does not know stand in each other's place, and it is not the only difference
COSINE_SAME_NEW_NAME = 0.95  # the newer names something the older does not
OVERLAP_CLEAN = 0.6
OVERLAP_SURE = 0.5
OVERLAP_SURE_LONG = 0.65  # six content words and more
OVERLAP_MAYBE = 0.45
OVERLAP_TOPIC = 0.34
COSINE_TOPIC = 0.72

_STRONG = (Sign.OPPOSITE, Sign.HARD, Sign.SOFT, Sign.NUMBER)
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
    laid = align(one, other)
    if not one.content or not other.content:
        return _by_words_alone(old, new, one, other)
    differences = [read_gap(gap, one, other) for gap in laid.gaps]
    return (
        _changed(one, other, laid, cosine)
        or _denied(one, other, laid, differences, cosine)
        or _swapped(one, other, laid, differences)
        or _small_words(one, other, laid, differences)
        or _differs(one, other, laid, differences, cosine)
        or _same(old, new, one, other, laid, differences, cosine)
        or _on_topic(laid, cosine)
    )


def _by_words_alone(old: str, new: str, one: Statement, other: Statement) -> Comparison:
    if one.negators == other.negators and jaccard(words(old), words(new)) >= JACCARD_SAME and words(old):
        return Comparison(relation=Relation.SAME, rule=found.SAME_WORDS)
    return Comparison(relation=Relation.UNRELATED, rule=found.APART)


def _sure(rule: Rule, detail: str, *, newer_wins: bool = True) -> Comparison:
    return Comparison(relation=Relation.CONTRADICTS_SURE, rule=rule, newer_wins=newer_wins, detail=detail)


def _maybe(rule: Rule, detail: str) -> Comparison:
    return Comparison(relation=Relation.CONTRADICTS_MAYBE, rule=rule, detail=detail)


# -- changes ---------------------------------------------------------------------------------------------------------
def _changed(one: Statement, other: Statement, laid: Alignment, cosine: float | None) -> Comparison | None:
    change, earlier = find_change(other), find_change(one)
    if change and not earlier:
        return _left_behind(one, change, laid, cosine)
    if earlier and not change:
        back = _left_behind(other, earlier, laid, cosine)
        # The older tells of the move; the newer may be a late echo of how it was before.
        return _maybe(found.CHANGED, back.detail) if back else None
    return None


def _left_behind(plain: Statement, change: Change, laid: Alignment, cosine: float | None) -> Comparison | None:
    """Does the plain statement still say what the change left behind?"""
    if _among(change.taken, plain) and not _among(change.left, plain):
        return None
    leaving = [word for word in change.left if word.specific or len(change.left) <= 2]
    for word in leaving:
        holder = next((each for each in plain.content if agree(each, word) and not each.denied), None)
        if holder and (_shares_more_than(laid, plain, word) or word.specific):
            taken = " ".join(each.text for each in change.taken)
            return _sure(found.CHANGED, f"{holder.text} → {taken}" if taken else holder.text)
    for word in () if change.left else change.taken:
        for each in plain.content:
            sign = compare_words(each, word)
            if sign and sign[0] in _STRONG and (laid.overlap > 0 or (cosine or 0) >= COSINE_TOPIC):
                return _sure(found.CHANGED, f"{each.text} → {word.text}")
    return None


def _among(some: tuple[Word, ...], statement: Statement) -> bool:
    return bool(some) and any(agree(word, each) for word in some for each in statement.content)


def _shares_more_than(laid: Alignment, plain: Statement, word: Word) -> bool:
    return laid.overlap > 0.2 and len(plain.content) > 1


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
    if not conflicts:
        return None
    detail = conflicts[0][1].text
    if one.negators % 2 == other.negators % 2:
        both_ways = {before.denied for before, _ in conflicts} == {True, False}  # "A, not B" and "B, not A"
        return _sure(found.NEGATION, detail) if both_ways and laid.overlap >= 0.8 else None
    other_subject = any(d.subject and d.sign is not Sign.EXTRA for d in differences)
    replaced = [d for d in differences if d.sign is not Sign.EXTRA]
    if laid.containment >= 0.8 and laid.overlap >= OVERLAP_CLEAN and not other_subject and not replaced:
        return _sure(found.NEGATION, detail)
    if laid.overlap >= OVERLAP_MAYBE or (cosine or 0) >= 0.8:
        return _maybe(found.NEGATION, detail)
    return None


# -- exchanged sides -------------------------------------------------------------------------------------------------
def _swapped(one: Statement, other: Statement, laid: Alignment, differences: list[Difference]) -> Comparison | None:
    swap = find_swap(one, other, laid)
    if swap is Swap.NONE or laid.overlap < OVERLAP_CLEAN:
        return None
    if swap is Swap.UNDONE or (swap is Swap.ROLES and laid.overlap < 0.85):
        return None
    if swap is Swap.ORDERED and not any(d.sign is not Sign.EXTRA for d in differences):
        return _sure(found.SWAPPED, "")
    return _maybe(found.SWAPPED, "")


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
                return _maybe(found.OPPOSITE, detail) if one.anonymous else _sure(found.OPPOSITE, detail)
            if abs(grammar.QUANTIFIERS.get(word, 0) - grammar.QUANTIFIERS.get(against, 0)) > 1:
                return _maybe(found.OPPOSITE, f"{word} → {against}")
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
    telling = [d for d in replaced if d.sign is not Sign.WORD]
    if not telling:
        return _other_words(laid, replaced)
    if laid.overlap < OVERLAP_TOPIC and (cosine or 0) < COSINE_TOPIC:
        return None
    first = telling[0]
    if any(d.sign is Sign.SCOPE or _is_other_subject(d, one, other) for d in replaced):
        return Comparison(relation=Relation.ADDS, rule=found.QUALIFIED, detail=first.detail)
    graded = [_grade(d, one, other, laid) for d in telling]
    rule, detail = _RULE_OF[first.sign], first.detail
    enough = OVERLAP_SURE if min(len(one.content), len(other.content)) <= 5 else OVERLAP_SURE_LONG
    if Relation.CONTRADICTS_SURE in graded and len(replaced) == 1 and laid.overlap >= enough:
        return _sure(rule, detail)
    if any(grade in (Relation.CONTRADICTS_SURE, Relation.CONTRADICTS_MAYBE) for grade in graded):
        return _maybe(rule, detail) if laid.overlap >= OVERLAP_MAYBE else None
    return Comparison(relation=Relation.ADDS, rule=found.DETAIL, detail=detail)


def _other_words(laid: Alignment, replaced: list[Difference]) -> Comparison | None:
    """Unknown words in one place: telling only where a noun says that there is one value."""
    if len(replaced) == 1 and replaced[0].single and not replaced[0].subject and laid.overlap >= OVERLAP_SURE:
        return _sure(found.OTHER_NAME, replaced[0].detail)
    return None


def _is_other_subject(difference: Difference, one: Statement, other: Statement) -> bool:
    """Another subject makes another statement, unless there can be one holder only ("leads the team")."""
    if not difference.subject or difference.sign in (Sign.HARD, Sign.NUMBER, Sign.OPPOSITE):
        return difference.subject and one.anonymous and _names_beings(difference)
    return not any(word.key in grammar.SINGLE_HOLDER for word in one.content) and not _is_the(other)


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
        for a, b in zip(lows, lows[1:], strict=False)
    )


def _grade(difference: Difference, one: Statement, other: Statement, laid: Alignment) -> Relation:
    """What one difference means, were it the only one."""
    sure, maybe, adds = Relation.CONTRADICTS_SURE, Relation.CONTRADICTS_MAYBE, Relation.ADDS
    if one.anonymous and other.anonymous and difference.sign is not Sign.NUMBER:
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
            return adds
        case (Sign.SOFT, _):
            return sure
        case (Sign.NAME, Slot.HABIT):
            return adds
        case (Sign.NAME, _):
            return maybe
        case _:
            return adds


def _counts_versions(statement: Statement, difference: Difference) -> bool:
    """Does the number belong to a name ("Python 3.12") and not count things?"""
    at = next(i for i, word in enumerate(statement.words) if word is difference.new[0])
    return at > 0 and statement.words[at - 1].specific


# -- duplicates ------------------------------------------------------------------------------------------------------
def _same(
    old: str,
    new: str,
    one: Statement,
    other: Statement,
    laid: Alignment,
    differences: list[Difference],
    cosine: float | None,
) -> Comparison | None:
    if (one.negators % 2) != (other.negators % 2):
        return None
    replaced = [d for d in differences if d.sign is not Sign.EXTRA]
    added = any(word.specific for d in differences for word in d.new)
    if not replaced and not added and (laid.overlap >= 0.95 or jaccard(words(old), words(new)) >= JACCARD_SAME):
        return Comparison(relation=Relation.SAME, rule=found.SAME_WORDS)
    if len(replaced) == 1 and _is_minimal(one, other) and not _spelled_alike(replaced[0]):
        return None  # one unknown word for another in an equal frame: similarity cannot tell a synonym from an opposite
    if added:
        if replaced or laid.overlap < 0.8 or any(word.numeric for d in differences for word in d.new):
            return None
        needed = COSINE_SAME_NEW_NAME
    elif replaced:
        needed = COSINE_SAME_OTHER_WORDS
    else:
        needed = COSINE_SAME_CLEAN if laid.overlap >= 0.75 else COSINE_SAME
    if cosine is not None and cosine >= needed:
        return Comparison(relation=Relation.SAME, rule=found.SAME_MEANING, detail=f"{cosine:.2f}")
    return None


def _spelled_alike(difference: Difference) -> bool:
    """A slip of the pen or another form of the word: colour/color, playing/palying, migration/migrating."""
    if len(difference.old) != 1 or len(difference.new) != 1:
        return False
    one, other = difference.old[0].low, difference.new[0].low
    shared = len(commonprefix((one, other)))
    return (
        "-" not in one + other
        and len(one) > 4
        and (shared >= 0.6 * max(len(one), len(other)) or sorted(one) == sorted(other))
    )


def _is_minimal(one: Statement, other: Statement) -> bool:
    """Do they differ in one run of words only, everything around it being the same to the letter?"""
    left, right = [word.low for word in one.words], [word.low for word in other.words]
    start = len(commonprefix((left, right)))
    end = len(commonprefix((left[start:][::-1], right[start:][::-1])))
    return max(len(left), len(right)) - start - end <= 2


def _on_topic(laid: Alignment, cosine: float | None) -> Comparison:
    near = laid.overlap >= OVERLAP_TOPIC or laid.containment >= 0.6 or (cosine or 0) >= COSINE_TOPIC
    if near:
        return Comparison(relation=Relation.ADDS, rule=found.DETAIL)
    return Comparison(relation=Relation.UNRELATED, rule=found.APART)
