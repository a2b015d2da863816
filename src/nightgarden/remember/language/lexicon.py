"""The shape of what is known of one language. Knows no language."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Phrase:
    """A pattern that is compiled when it is first used: all four languages take over a second, most runs need one."""

    __slots__ = ("_compiled", "_source")

    def __init__(self, source: str) -> None:
        self._source = source
        self._compiled: re.Pattern[str] | None = None

    @property
    def _pattern(self) -> re.Pattern[str]:
        if self._compiled is None:
            self._compiled = re.compile(self._source, re.IGNORECASE)
        return self._compiled

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """A match at `start`."""
        return self._pattern.match(text, start)

    def search(self, text: str, start: int = 0) -> re.Match[str] | None:
        """The first match from `start` on."""
        return self._pattern.search(text, start)

    def sub(self, replacement: str, text: str, count: int = 0) -> str:
        """The text with its matches replaced."""
        return self._pattern.sub(replacement, text, count)


class Guard(StrEnum):
    """Why a sentence is no lasting statement of its speaker."""

    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    REPORTED = "reported"  # somebody else's words or wish
    SARCASTIC = "sarcastic"
    TRANSIENT = "transient"  # true now, not next week
    ONE_OFF = "one_off"  # about this line, file or answer only


@dataclass(frozen=True, slots=True, kw_only=True)
class Lexicon:
    """Everything the readers know of one language. All patterns ignore case."""

    code: str
    frequent: frozenset[str]  # small words that tell the language
    openers: Phrase  # filler at the start that carries nothing
    closers: Phrase  # filler at the end
    request: Phrase  # "remember that …" at the start; what follows is the content
    request_after: Phrase  # "…, keep that in mind" at the end; what stands before is the content
    pointer: Phrase  # content that only points elsewhere: "that", "this please"
    guards: tuple[tuple[Guard, Phrase], ...]
    forbids: Phrase  # "never …", "don't … in general"
    refusal: Phrase  # "no, …", "that's wrong, …": the speaker rejects what was just said
    refusal_chatter: Phrase  # what looks like a refusal and is none: "no worries"
    amendment: tuple[Phrase, ...]  # after a refusal: an imperative or a claim that replaces what was said
    bare_value: Phrase  # after a refusal: "it's 8080"; group `value`, optional group `old`
    assent: Phrase  # "yes, exactly": confirms what the other one just said
    success: Phrase  # "that fixed it"
    session_only: Phrase
    seasonal: Phrase  # group `season`


def one_of(*alternatives: str) -> str:
    """A group of alternatives; a space in them stands for any white space."""
    return "(?:" + _spaced("|".join(alternatives)) + ")"


def words(text: str) -> str:
    """A group of alternatives from a list of words."""
    return "(?:" + "|".join(text.split()) + ")"


def compiled(pattern: str) -> Phrase:
    """A pattern that ignores case; a space in it stands for any white space."""
    return Phrase(_spaced(pattern))


def _spaced(pattern: str) -> str:
    return pattern.replace(" ?", r"\s*").replace(" ", r"\s+")
