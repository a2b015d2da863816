"""The shape of one language's cues. Knows no language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from nightgarden.domain.memory import Category


class Guard(StrEnum):
    """Why a sentence that carries a cue is still not a lasting statement of its speaker."""

    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    REPORTED = "reported"  # somebody else's words or wish
    SARCASTIC = "sarcastic"
    TRANSIENT = "transient"  # true now, not next week
    ONE_OFF = "one_off"  # about this line, file or answer only


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """A way of saying something lasting. `ignores` names the guards that do not hold against it."""

    category: Category
    pattern: re.Pattern[str]
    confidence: float
    reason: str
    ignores: frozenset[Guard] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Everything the readers know of one language. All patterns ignore case."""

    code: str
    frequent: frozenset[str]  # small words that tell the language
    openers: re.Pattern[str]  # filler at the start that carries nothing
    closers: re.Pattern[str]  # filler at the end
    request: re.Pattern[str]  # "remember that …" at the start; what follows is the content
    request_after: re.Pattern[str]  # "…, keep that in mind" at the end; what stands before is the content
    pointer: re.Pattern[str]  # content that only points elsewhere: "that", "this please"
    guards: tuple[tuple[Guard, re.Pattern[str]], ...]
    cues: tuple[Cue, ...]  # first match wins
    refusal: re.Pattern[str]  # "no, …", "that's wrong, …": the speaker rejects what was just said
    refusal_chatter: re.Pattern[str]  # what looks like a refusal and is none: "no worries"
    amendment: tuple[re.Pattern[str], ...]  # after a refusal: an imperative or a claim that replaces what was said
    bare_value: re.Pattern[str]  # after a refusal: "it's 8080"; group `value`, optional group `old`
    assent: re.Pattern[str]  # "yes, exactly": confirms what the other one just said
    success: re.Pattern[str]  # "that fixed it"
    clause_start: re.Pattern[str]  # a new main clause may start here after "and", "but" or a comma
    conjunction: re.Pattern[str]  # where compounds may be cut
    session_only: re.Pattern[str]
    seasonal: re.Pattern[str]  # group `season`


def one_of(*alternatives: str) -> str:
    """A group of alternatives; a space in them stands for any white space."""
    return "(?:" + _spaced("|".join(alternatives)) + ")"


def words(text: str) -> str:
    """A group of alternatives from a list of words."""
    return "(?:" + "|".join(text.split()) + ")"


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern that ignores case; a space in it stands for any white space."""
    return re.compile(_spaced(pattern), re.IGNORECASE)


def _spaced(pattern: str) -> str:
    return pattern.replace(" ?", r"\s*").replace(" ", r"\s+")
