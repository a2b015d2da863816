"""Where a memory was said: the sentences of sessions that say what it says. Pure.

A sentence in a session that the memory came from, or was confirmed in, says it when most of the memory's words stand in
it; one said elsewhere only when nearly all do. Does not cover the same thing in other words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nightgarden.domain.memory import Memory
from nightgarden.domain.redact import note_of
from nightgarden.domain.text import query_terms

ERASED = note_of("purged")
IN_MESSAGE, IN_SESSION, ELSEWHERE = 0.4, 0.6, 0.9  # share of the memory's words; taste, not measured
OF_TITLE = 0.5  # share of a title's own words, in a session it came from: a title is cut short; taste, not measured
ELSEWHERE_WORDS_MIN = 3  # fewer say too little to be the same statement by chance
_ABOUT_WHOM = frozenset({"user"})  # "I prefer tea" is kept as "User prefers tea"
_SENTENCE = re.compile(r"\S.*?(?:(?<![.!?…])[.!?…]++[\"'”’)\]]*+(?=\s|$)|[。！？]|$)", re.MULTILINE)
_PLAIN_WORD = re.compile(r"[A-Za-z0-9]{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """What to look for of one memory, and where it is expected."""

    terms: frozenset[str]
    sessions: frozenset[str]
    messages: frozenset[tuple[str, str]]  # session and message
    word: str  # one that every sentence that says it elsewhere is likely to hold; empty when there is none

    def spans(self, text: str, session_id: str, message_id: str) -> list[tuple[int, int]]:
        """The sentences of a message that say it."""
        if not self.terms:
            return []
        needed = ELSEWHERE
        if (session_id, message_id) in self.messages:
            needed = IN_MESSAGE
        elif session_id in self.sessions:
            needed = IN_SESSION
        elif len(self.terms) < ELSEWHERE_WORDS_MIN:
            return []
        return [found.span() for found in _SENTENCE.finditer(text) if self._share(found[0]) >= needed]

    def struck(self, text: str, session_id: str, message_id: str) -> str:
        """The text with those sentences replaced by a note, so that the rest stays readable."""
        for start, end in reversed(self.spans(text, session_id, message_id)):
            text = text[:start] + ERASED + text[end:]
        return text

    def struck_title(self, title: str, session_id: str) -> str:
        """A session's title without the sentences that quote it, whole or cut short."""
        for start, end in reversed(sentences(title) if session_id in self.sessions else []):
            words = frozenset(query_terms(title[start:end]))
            if words and len(words & self.terms) >= OF_TITLE * len(words):
                title = title[:start] + ERASED + title[end:]
        return self.struck(title, session_id, "")

    def _share(self, sentence: str) -> float:
        return len(self.terms.intersection(query_terms(sentence))) / len(self.terms)


def sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end."""
    return [found.span() for found in _SENTENCE.finditer(text)]


def saying(memory: Memory) -> Saying:
    """What to look for of a memory."""
    places = [(memory.session_id, each) for each in memory.message_range or ()]
    places += [(seen.session_id, seen.message_id) for seen in memory.reinforcements if seen.message_id is not None]
    sessions = {memory.session_id, *(seen.session_id for seen in memory.reinforcements)}
    return Saying(
        terms=frozenset(query_terms(memory.content)) - _ABOUT_WHOM,
        sessions=frozenset(each for each in sessions if each),
        messages=frozenset((session, message) for session, message in places if session),
        word=max(_PLAIN_WORD.findall(memory.content), key=len, default="").lower(),
    )


def struck_message(
    sought: Saying, record: Mapping[str, Any], session_id: str, message_id: str
) -> dict[str, Any] | None:
    """A message's record without the sentences, in its words or a tool's arguments; None without them."""
    text = sought.struck(record["text"], session_id, message_id)
    given = record.get("arguments") or {}
    arguments = {name: sought.struck(value, session_id, message_id) for name, value in given.items()}
    if text == record["text"] and arguments == given:
        return None
    return {**record, "text": text, "arguments": arguments}


def struck_record(sought: Saying, record: Mapping[str, Any], session_id: str) -> dict[str, Any] | None:
    """A memory's record without the sentence in its context; None when it is not there."""
    snippet = record.get("context_snippet")
    if not isinstance(snippet, str) or (text := sought.struck(snippet, session_id, "")) == snippet:
        return None
    return {**record, "context_snippet": text}
