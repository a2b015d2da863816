"""Whether a told change ends what another statement says. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nightgarden.remember.compare import relation as found
from nightgarden.remember.compare.align import Alignment, agree
from nightgarden.remember.compare.change import StatedChange, find_change
from nightgarden.remember.compare.differences import Sign, compare_words
from nightgarden.remember.compare.entities import EntityKind
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.relation import COSINE_TOPIC, Comparison, perhaps, surely
from nightgarden.remember.compare.statement import Statement, Word

_PLACED = frozenset("for in on at of during when if für bei im pour dans para en".split())
_FIGURE = re.compile(r"^\d[\d.,]*(?:e[+-]?\d+)?")  # 14 days are 1.2096e+06 seconds
_STRONG = (Sign.OPPOSITE, Sign.HARD, Sign.SOFT, Sign.NUMBER)


def find_changed(one: Statement, other: Statement, laid: Alignment, cosine: float | None) -> Comparison | None:
    """What a change told in either statement makes of the other; None when neither tells of one."""
    change, earlier = find_change(other), find_change(one)
    if change and earlier:
        return _changed_again(earlier, change)
    if change:
        return _left_behind(one, change, laid, cosine)
    if earlier:
        back = _left_behind(other, earlier, laid, cosine)
        # The older tells of the move; the newer may be a late echo of how it was before.
        return perhaps(found.CHANGED, back.detail) if back else _moved_on(earlier, other)
    return None


def news_of_a_number(one: Statement, other: Statement) -> Comparison | None:
    """ "The rate limit was raised to 1000", "we have 6 runners now": a short word on a number that the older statement
    tells with more detail. One that says where its number holds ("for avatars") may be about less, so it is asked."""
    shifted = any(word.key in grammar.SHIFT_VERBS for word in other.words)
    numbers = one_number_each(one, other)
    if not (shifted or other.changes) or numbers is None or agree(*numbers):
        return None
    before, after = numbers
    known = grammar.SHIFT_VERBS | grammar.CHANGE_VERBS | grammar.HABITS
    about = [word for word in other.content if not word.numeric and word.key not in known]
    if not about or not all(_in(word, one) for word in about) or other.negators or one.negators:
        return None
    if any(word.key in grammar.MANY_VALUED for word in one.words):
        return None
    if not same_unit(before, after) or after.kind is EntityKind.VERSION:  # of versions several may do
        return None
    named = len(about) > 1 or any(word.specific for word in one.content if agree(word, about[0]))
    sure = named and not one.lows & _PLACED
    return (surely if sure else perhaps)(found.CHANGED, f"{before.text} → {after.text}")


def one_number_each(one: Statement, other: Statement) -> tuple[Word, Word] | None:
    """The number of either statement; None unless each tells exactly one."""
    before, after = ([word for word in each.content if word.numeric] for each in (one, other))
    return (before[0], after[0]) if len(before) == len(after) == 1 else None


def same_unit(one: Word, other: Word) -> bool:
    """Whether two numbers are of one kind: "14 days" and "30 invoices" are not."""
    return _unit(one) == _unit(other)


def _unit(word: Word) -> tuple[EntityKind | None, str]:
    return word.kind, _FIGURE.sub("", word.low).strip("0123456789., ")


def _moved_on(earlier: StatedChange, plain: Statement) -> Comparison | None:
    """A plain statement of the same thing with yet another value of the same kind than the earlier change ended at."""
    if not earlier.about or _mostly_missing(earlier.about, plain.content):
        return None
    if any(agree(word, each) for word in earlier.taken for each in plain.content if word.specific):
        return None
    for word in plain.content:
        if word.numeric and word.kind in _kinds(earlier) and not word.denied:
            return surely(found.CHANGED, f"{_text(earlier.taken)} → {word.text}")
    return None


def _kinds(change: StatedChange) -> set[EntityKind | None]:
    """Of the numbers it names: "from port 80 to 81" says only once that it is a port."""
    return {word.kind for word in (*change.left, *change.taken) if word.numeric}


def _left_behind(plain: Statement, change: StatedChange, laid: Alignment, cosine: float | None) -> Comparison | None:
    """Does the plain statement still say what the change left behind?"""
    leaving = [word for word in change.left if word.specific] or [word for word in change.left if len(change.left) <= 2]
    if (
        change.taken
        and all(_in(word, plain) for word in change.taken)
        and not any(_in(word, plain) for word in leaving)
    ):
        return None
    elsewhere = _mostly_missing(change.about, plain.content)
    known = {word.key for word in leaving} | grammar.HABITS
    if elsewhere and any(word.key not in known for word in plain.content):
        return None  # it happened to something else
    for word in leaving:
        holder = next((each for each in plain.content if agree(each, word) and not each.denied), None)
        if holder and (word.specific or (laid.overlap > 0.2 and len(plain.content) > 1)):
            detail = f"{holder.text} → {_text(change.taken)}" if change.taken else holder.text
            doubtful = elsewhere or (not change.about and _tells_of(holder, plain, change))
            return perhaps(found.CHANGED, detail) if doubtful else surely(found.CHANGED, detail)
    for word in () if change.left else change.taken:
        for each in () if _in(word, plain) else plain.content:
            sign = compare_words(each, word)
            if sign and sign[0] in _STRONG and (laid.overlap > 0 or (cosine or 0) >= COSINE_TOPIC):
                return surely(found.CHANGED, f"{each.text} → {word.text}")
    return None


def _tells_of(holder: Word, plain: Statement, change: StatedChange) -> bool:
    """ "Jenkins runs on port 8080" tells of what was left behind, and not only that it is used."""
    known = (*change.left, *change.taken)
    later = plain.content[plain.content.index(holder) + 1 :]
    return any(word.specific and not any(agree(word, each) for each in known) for word in later)


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)


def _changed_again(earlier: StatedChange, change: StatedChange) -> Comparison | None:
    """One change after another of the same thing: the later one starts where the earlier one ended."""
    if _mostly_missing(change.about, earlier.about) or _mostly_missing(earlier.about, change.about):
        return None
    same_kind = _kinds(earlier) & _kinds(change)
    goes_on = any(word.specific and agree(word, each) for word in change.left for each in earlier.taken)
    if all(any(agree(word, each) for each in earlier.taken) for word in change.taken):
        return None
    if goes_on or (same_kind and change.about):
        return surely(found.CHANGED, f"{_text(earlier.taken)} → {_text(change.taken)}")
    return None


def _mostly_missing(wanted: Sequence[Word], among: Sequence[Word]) -> bool:
    """Whether half or more of the words are not there."""
    there = sum(any(agree(word, each) for each in among) for word in wanted)
    return bool(wanted) and 2 * there <= len(wanted)


def _in(word: Word, statement: Statement) -> bool:
    return any(agree(word, each) for each in statement.content)
