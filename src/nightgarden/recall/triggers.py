"""Memories that fire by pattern, whatever their similarity: what must not be done, and how a thing is done here.
Pure.

A pattern is a regular expression when it is written between slashes or has signs that only expressions have, else
words that must all be in the text, in order, with at most a few others between them. A pattern that cannot be read,
or that is too long, never fires.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from nightgarden.domain.memory import Category, Memory
from nightgarden.domain.text import query_terms, terms

TRIGGER_WEIGHT = 12.0  # by rule, not by measure: a fired pattern stands among the best hits
_FIRING = frozenset({Category.NEGATIVE, Category.PROCEDURE, Category.CORRECTION, Category.GOTCHA})
_PATTERN_CHARS_MAX = 200
_TEXT_CHARS_MAX = 4000
_GAP_MAX = 3  # other words between two words of a pattern
_EXPRESSION = re.compile(r"\\[a-zA-Z.]|[|^$\[\]]|\.[*+]")
# A group that repeats and is repeated itself can take for ever: such expressions are not run.
_NESTED_REPEAT = re.compile(r"\([^)]*[*+{][^)]*\)\s*[*+{]")


@dataclass(frozen=True, slots=True)
class Fired:
    """A memory and the pattern that fired."""

    memory: Memory
    pattern: str


def fire(memories: Iterable[Memory], text: str) -> list[Fired]:
    """Those whose pattern the text matches, in the order given; one pattern each."""
    text = text[:_TEXT_CHARS_MAX]
    words = terms(text)
    fired: list[Fired] = []
    for memory in memories:
        if memory.category not in _FIRING:
            continue
        pattern = next((pattern for pattern in patterns_of(memory) if _matches(pattern, text, words)), None)
        if pattern is not None:
            fired.append(Fired(memory, pattern))
    return fired


def patterns_of(memory: Memory) -> tuple[str, ...]:
    """Trigger patterns, and the trigger of a procedure."""
    procedural = (memory.procedure.trigger,) if memory.procedure and memory.procedure.trigger else ()
    return (*memory.trigger_patterns, *procedural)


def _matches(pattern: str, text: str, words: list[str]) -> bool:
    slashed = len(pattern) > 2 and pattern.startswith("/") and pattern.endswith("/")
    if slashed or _EXPRESSION.search(pattern):
        expression = _compiled(pattern[1:-1] if slashed else pattern)
        return expression is not None and expression.search(text) is not None
    return _in_order(_wanted(pattern), words)


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


@lru_cache(maxsize=1024)
def _compiled(expression: str) -> re.Pattern[str] | None:
    if len(expression) > _PATTERN_CHARS_MAX or _NESTED_REPEAT.search(expression):
        return None
    try:
        return re.compile(expression, re.IGNORECASE)
    except re.error:
        return None
