"""Sentences that may be a lesson, and what kind of one, by the words they use. Pure.

For text from reviews, interruptions and failures, where somebody says what was wrong. What is a lesson is decided by
cue words; whether it is worth keeping is the gate's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from nightgarden.domain.memory import Category
from nightgarden.domain.text import squash

SENTENCE_CHARS_MIN = 8
LESSON_CHARS_MAX = 400
LESSONS_MAX = 2  # of one message; the first ones say what matters
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]?")
_WORDS_MIN = 4
_CUES: tuple[tuple[Category, float, float, re.Pattern[str]], ...] = tuple(
    (category, sure, unsure, re.compile(rf"\b(?:{words})\b", re.IGNORECASE))
    for category, sure, unsure, words in (
        (Category.CONVENTION, 0.68, 0.58, "never|always|must(?:n't| not)?|should(?:n't| not)?|do not|don't|instead of"),
        (Category.PREFERENCE, 0.52, 0.52, "prefer|rather|style|nicer|i like|we like"),
        (
            Category.GOTCHA,
            0.72,
            0.62,
            "breaks?|broke|broken|regression|fails?|failing|failed|crash(?:es|ed)?|race|leaks?|deadlocks?|bug|corrupts?",
        ),
        (Category.PATTERN, 0.56, 0.56, "when|before|after|whenever|make sure|remember to|for (?:each|every|all)|use"),
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CapturedLesson:
    """A sentence with the kind of statement it is, and how sure that makes it."""

    text: str
    category: Category
    confidence: float


def lessons_in(text: str, *, default: Category | None = None, strong: bool = False) -> list[CapturedLesson]:
    """The first sentences with a cue. With a `default`, the whole text when no sentence has one. `strong`: it was said
    with weight (the work was stopped, changes were requested)."""
    found = [lesson for sentence in sentences(text) if (lesson := _read(sentence, strong)) is not None]
    if not found and default is not None and len(squash(text).split()) >= _WORDS_MIN:
        category = next(((sure, unsure) for kind, sure, unsure, _ in _CUES if kind is default), (0.56, 0.56))
        found = [
            CapturedLesson(text=squash(text)[:LESSON_CHARS_MAX], category=default, confidence=category[not strong])
        ]
    return found[:LESSONS_MAX]


def sentences(text: str) -> Sequence[str]:
    """Those that are long enough to say something, without marks of lists and quotes around them."""
    plain = (squash(match[0]).strip(" -*#>\t") for match in _SENTENCE.finditer(text[:20_000]))
    return [line for line in plain if len(line) >= SENTENCE_CHARS_MIN and len(line.split()) >= _WORDS_MIN]


def has_cue(text: str) -> bool:
    """Whether anything in it reads like a rule or a warning."""
    return any(pattern.search(text) for _, _, _, pattern in _CUES[:3])


def _read(sentence: str, strong: bool) -> CapturedLesson | None:
    for category, sure, unsure, pattern in _CUES:
        if pattern.search(sentence):
            text = sentence[:LESSON_CHARS_MAX]
            return CapturedLesson(text=text, category=category, confidence=sure if strong else unsure)
    return None
