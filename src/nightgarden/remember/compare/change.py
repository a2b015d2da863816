"""Statements that tell of a change: "switched from X to Y", "replaced X with Y", "Y instead of X". Pure."""

from __future__ import annotations

from dataclasses import dataclass

from nightgarden.remember.compare.lexicon import classes, grammar
from nightgarden.remember.compare.statement import Statement, Word


@dataclass(frozen=True, slots=True)
class Change:
    """What was left behind and what took its place; either may be unsaid."""

    left: tuple[Word, ...]
    taken: tuple[Word, ...]


def find_change(statement: Statement) -> Change | None:
    """The change a statement tells of, if its words say so."""
    words = statement.words
    for index, word in enumerate(words):
        if word.low in ("instead_of", "rather_than", "as_opposed_to"):
            return Change(_content(words, index + 1, ()), _before(words, index))
        if word.low in grammar.LEAVING and "now" in statement.lows:
            now = next(at for at, each in enumerate(words) if each.low == "now")
            return Change(_content(words, index + 1, (now,)), _content(words, now + 1, ()))
        if word.key in grammar.CHANGE_VERBS:
            found = _after_verb(words, index)
            if found:
                return found
    return None


def _after_verb(words: tuple[Word, ...], index: int) -> Change | None:
    clause = words[index].clause
    rest = [at for at in range(index + 1, len(words)) if words[at].clause == clause]
    at = {words[position].low: position for position in reversed(rest)}
    into = next(
        (at[low] for low in ("to", "zu", "auf", "a", "vers", "with", "by", "durch", "par", "por", "con") if low in at),
        None,
    )
    if words[index].key in _REPLACING and into is not None:
        passive = words[into].low in ("by", "durch", "par", "por") or into == index + 1
        left = _before(words, index) if passive else _content(words, index + 1, (into,))
        return Change(left, _content(words, into + 1, ()))
    origin = next((at[low] for low in ("from", "von", "de", "away") if low in at), None)
    if into is None:
        return None
    if origin is not None and origin < into:
        return Change(_content(words, origin + 1, (into,)), _content(words, into + 1, ()))
    stop = (origin,) if origin is not None else ()
    left = _content(words, origin + 1, ()) if origin is not None else ()
    return Change(left, _content(words, into + 1, stop))


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
