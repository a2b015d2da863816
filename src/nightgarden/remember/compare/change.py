"""Statements that tell of a change: "switched from X to Y", "replaced X with Y", "Y instead of X", "not X any more, Y
now". Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from nightgarden.remember.compare.lexicon import classes, grammar
from nightgarden.remember.compare.statement import Statement, Word


@dataclass(frozen=True, slots=True)
class StatedChange:
    """What was left behind and what took its place; either may be unsaid. `about` is what it happened to, if said."""

    left: tuple[Word, ...]
    taken: tuple[Word, ...]
    about: tuple[Word, ...] = ()


def find_change(statement: Statement) -> StatedChange | None:
    """The change a statement tells of, if its words say so."""
    words = statement.words
    for index, word in enumerate(words):
        if word.low in ("instead_of", "rather_than", "as_opposed_to"):
            return StatedChange(_content(words, index + 1, ()), _before(words, index))
        if word.low in grammar.LEAVING and "now" in statement.lows:
            now = next(at for at, each in enumerate(words) if each.low == "now")
            return StatedChange(_content(words, index + 1, (now,)), _content(words, now + 1, ()))
        if word.low == TOOK_OVER:
            return _taken_over(words, index)
        if word.key in grammar.CHANGE_VERBS or (word.key in grammar.SHIFT_VERBS and {"from", "to"} <= statement.lows):
            found = _after_verb(words, index)
            if found:
                return replace(found, about=_about(words, index, found))
    return _given_up(statement)


TOOK_OVER = "took_over"
_SMALL = frozenset("haben hat sind ist wurde nous on sommes avons est ont a de du des hemos han ha fue el la".split())
_OF_MANY = grammar.COMMON_THINGS | grammar.LIGHT | grammar.HABITS | grammar.SINGLE_HOLDER
_NO_TOPIC = grammar.DROPPERS | grammar.CHANGE_MARKS | grammar.MOMENTS | _SMALL


def _about(words: tuple[Word, ...], verb: int, change: StatedChange) -> tuple[Word, ...]:
    """What else the clause names: who it happened to, not who did it or when."""
    known = {id(word) for word in (words[verb], *change.left, *change.taken)}
    return _topic([word for word in words if word.clause == words[verb].clause and id(word) not in known])


def _topic(words: Iterable[Word]) -> tuple[Word, ...]:
    """What distinguishes it: "billing" of "the billing service", unless there is only "the service"."""
    found = tuple(word for word in words if word.content and word.low not in _NO_TOPIC)
    return _own(found) or found


def _own(words: Iterable[Word]) -> tuple[Word, ...]:
    return tuple(word for word in words if word.low not in _NO_TOPIC and word.key not in _OF_MANY)


def _taken_over(words: tuple[Word, ...], index: int) -> StatedChange | None:
    """ "Ben took over billing from Anna". Without the last part nobody knows who had it before."""
    origin = next((at for at in range(index + 1, len(words)) if words[at].low == "from"), None)
    taken = tuple(word for word in words[:index] if word.content)
    if origin is None or not taken:
        return None
    return StatedChange(_content(words, origin + 1, ()), taken, _topic(_content(words, index + 1, (origin,))))


def _given_up(statement: Statement) -> StatedChange | None:
    """ "We no longer use X, we use Y now", "it is in Y now, not in X any more": both said, one denied, one held now."""
    if "now" not in statement.lows:
        return None
    now = {word.clause for word in statement.words if word.low == "now"}
    held = [word for word in statement.content if word.clause in now and not word.denied]
    denied = [word for word in statement.content if word.denied and word.clause not in now]
    both = {word.key for word in held} & {word.key for word in denied}
    left = [word for word in denied if word.key not in both]
    left = [word for word in left if word.specific] or left
    fresh = [word for word in held if word.key not in both]
    taken = [word for word in fresh if word.specific] or fresh
    if not left or not taken or len(left) > 2:
        return _had_been(statement, now)
    return StatedChange(tuple(left), tuple(taken), _own(word for word in held if word not in taken))


_PAST = frozenset("was were used had changed left closed war waren etait era".split())


def _had_been(statement: Statement, now: set[int]) -> StatedChange | None:
    """ "The limit is 20 now, it was 7", "our servers are in Dublin now, Frankfurt was closed"."""
    past = {word.clause for word in statement.words if word.low in _PAST} - now
    left = tuple(word for word in statement.content if word.clause in past and word.specific)
    held = [word for word in statement.content if word.clause in now and word.low not in _NO_TOPIC]
    values = [word for word in held if word.specific and any(word.numeric == each.numeric for each in left)]
    taken = values or held[:1]  # "Ben does it now, Anna left": a name at the start looks like any word
    if not left or not taken or any(word.key == each.key for word in left for each in held):
        return None
    return StatedChange(left, tuple(taken), _topic(word for word in held if word not in taken))


def _after_verb(words: tuple[Word, ...], index: int) -> StatedChange | None:
    clause = words[index].clause
    rest = [at for at in range(index + 1, len(words)) if words[at].clause == clause]
    if not any(words[position].content for position in rest):  # "von A auf B geändert": German verbs come last
        rest = [position for position in range(index) if words[position].clause == clause]
    at = {words[position].low: position for position in reversed(rest)}
    into = next(
        (at[low] for low in ("to", "zu", "auf", "a", "vers", "with", "by", "durch", "par", "por", "con") if low in at),
        None,
    )
    ends = tuple(at[low] for low in _PURPOSE if low in at)
    if words[index].key in _REPLACING and into is not None:
        passive = words[into].low in ("by", "durch", "par", "por") or into == index + 1
        left = _before(words, index) if passive else _content(words, index + 1, (into,))
        return StatedChange(left, _content(words, into + 1, ends))
    origin = next((at[low] for low in ("from", "von", "de", "away") if low in at), None)
    if into is None:
        return None
    if origin is not None and origin < into:
        return StatedChange(_content(words, origin + 1, (into,)), _content(words, into + 1, ends))
    stops = (*ends, origin) if origin is not None else ends
    left = _content(words, origin + 1, ends) if origin is not None else ()
    return StatedChange(left, _content(words, into + 1, stops))


_PURPOSE = ("for", "fur", "pour", "para")  # what follows is what it happened to
_REPLACING = frozenset({"replac", "swap", "ersetzt", "remplac", "reemplaz"})


def _content(words: tuple[Word, ...], start: int, stops: tuple[int, ...]) -> tuple[Word, ...]:
    """Content words from `start` to the end of the clause or a stop."""
    if start >= len(words):
        return ()
    clause = words[start].clause
    end = min((stop for stop in stops if stop > start), default=len(words))
    return tuple(word for word in words[start:end] if word.clause == clause and word.content)


def _before(words: tuple[Word, ...], index: int) -> tuple[Word, ...]:
    return tuple(
        word
        for word in words[:index]
        if word.clause == words[index].clause and word.content and (word.specific or classes.classes_of(word.key))
    )
