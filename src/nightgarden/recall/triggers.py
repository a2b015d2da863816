"""Memories that fire by pattern, whatever their similarity: what must not be done, and how a thing is done here.
Pure.

A pattern is a regular expression when it is written between slashes or has signs that only expressions have, else
words that must all be in the text, in order, with at most a few others between them. Between slashes and not readable
as an expression, it never fires: `remember` refuses those, and `doctor` names the ones that are stored.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from nightgarden.domain.memory import Category, Memory, Status
from nightgarden.domain.ports import Check
from nightgarden.domain.text import query_terms, terms
from nightgarden.domain.trigger_expression import Effort, Unreadable, expression_of

TRIGGER_WEIGHT = 12.0  # by rule, not by measure: a fired pattern stands among the best hits
_FIRING = frozenset({Category.NEGATIVE, Category.PROCEDURE, Category.CORRECTION, Category.GOTCHA})
_TEXT_CHARS_MAX = 4000
_SHOWN_MAX = 10
_GAP_MAX = 3  # other words between two words of a pattern


@dataclass(frozen=True, slots=True)
class Fired:
    """A memory and the pattern that fired."""

    memory: Memory
    pattern: str


def fire(memories: Iterable[Memory], text: str) -> list[Fired]:
    """Those whose pattern the text matches, in the order given; one pattern each."""
    text = text[:_TEXT_CHARS_MAX]
    words = terms(text)
    effort = Effort()
    fired: list[Fired] = []
    for memory in memories:
        unproven = memory.learned and memory.status is Status.CANDIDATE
        if memory.category not in _FIRING or unproven:
            continue
        pattern = next((pattern for pattern in patterns_of(memory) if _matches(pattern, text, words, effort)), None)
        if pattern is not None:
            fired.append(Fired(memory, pattern))
    return fired


def patterns_of(memory: Memory) -> tuple[str, ...]:
    """Trigger patterns, and the trigger of a procedure."""
    procedural = (memory.procedure.trigger,) if memory.procedure and memory.procedure.trigger else ()
    return (*memory.trigger_patterns, *procedural)


def check_triggers(memories: Iterable[Memory]) -> Check:
    """Which stored patterns never fire: written by an earlier version, or imported."""
    unreadable = [memory.id for memory in memories if not all(map(_is_readable, patterns_of(memory)))]
    if not unreadable:
        return Check(name="triggers", ok=True, detail="every trigger can be read")
    shown = ", ".join(unreadable[:_SHOWN_MAX])
    words = f"{len(unreadable):,} memories have a trigger that cannot be read and never fires: {shown}"
    return Check(name="triggers", ok=True, detail=f"{words}; forget them, and remember them with plain words")


def _is_readable(pattern: str) -> bool:
    try:
        expression_of(pattern)
    except Unreadable:
        return False
    return True


def _matches(pattern: str, text: str, words: list[str], effort: Effort) -> bool:
    try:
        expression = expression_of(pattern)
    except Unreadable:
        return False
    return expression.found_in(text, effort) if expression is not None else _in_order(_wanted(pattern), words)


@lru_cache(maxsize=4096)
def _wanted(pattern: str) -> tuple[str, ...]:
    return tuple(query_terms(pattern))


def _in_order(wanted: tuple[str, ...], words: list[str]) -> bool:
    """Whether the wanted terms stand in the text in order, close together."""
    if not wanted:
        return False
    for start, word in enumerate(words):
        if word != wanted[0]:
            continue
        at = start
        for term in wanted[1:]:
            window = words[at + 1 : at + 2 + _GAP_MAX]
            if term not in window:
                break
            at += 1 + window.index(term)
        else:
            return True
    return False
