"""What a purge makes of documents, which may quote what is erased. Pure.

A document goes whole when its key is erased, or when its field `session_id`, `memory_id` or `passage_id` names what is
erased. In all others the sentences that quote it are struck out. Keys, owners and statuses are names, never quotations.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nightgarden.domain.memory import Memory
from nightgarden.domain.said import ERASED, Saying, saying, sentences
from nightgarden.domain.session import Session

_NAMING = ("session_id", "memory_id", "passage_id")
_WORD = re.compile(r"\w{2,}")
_WORDS_MIN = 2  # one word alone is no quotation
_CUT = "…. "  # what an excerpt ends with where it was cut off


@dataclass(frozen=True, slots=True, kw_only=True)
class Erasing:
    """What is being erased: ids, memories, and texts that were said."""

    ids: frozenset[str]
    sayings: tuple[Saying, ...] = ()
    contents: tuple[str, ...] = ()  # of memories, word for word
    said: str = ""  # everything said in what goes, in plain form
    by_word: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # its sentences by their longest word

    def takes(self, key: object, value: object) -> bool:
        """Whether a document goes whole."""
        named = [value.get(name) for name in _NAMING] if isinstance(value, Mapping) else []
        return any(isinstance(each, str) and each in self.ids for each in (key, *named))

    def struck(self, value: Any) -> Any:
        """The value without the sentences that quote what goes; equal when there are none."""
        named = frozenset(_strings(value)) if self.sayings else frozenset()
        return _mapped(value, lambda text: self._struck_text(text, named))

    def struck_session(self, session_id: str, record: Mapping[str, Any]) -> dict[str, Any] | None:
        """A session's record with a title that no longer quotes what goes; None when it does not. The reader's mark
        has the title too, and would bring it back."""
        title = record["title"]
        struck = self._struck_text(title, frozenset({session_id}))
        for sought in self.sayings:
            struck = sought.struck_title(struck, session_id)
        if struck == title:
            return None
        cursor = record["cursor"]
        for ascii_only in (True, False):
            written, anew = (json.dumps(each, ensure_ascii=ascii_only)[1:-1] for each in (title, struck))
            cursor = cursor.replace(written, anew)
        return {**record, "title": struck, "cursor": cursor}

    def _struck_text(self, text: str, named: frozenset[str]) -> str:
        for content in self.contents:
            text = text.replace(content, ERASED)
        for sought in self.sayings:
            # Where the memory or its session is named, fewer of its words are enough.
            near = sought.sessions if self.ids & named else sought.sessions & named
            text = sought.struck(text, next(iter(near), ""), "")
        if self.said:
            for start, end in reversed([span for span in sentences(text) if self._quotes(text[slice(*span)])]):
                text = text[:start] + ERASED + text[end:]
        return text

    def _quotes(self, sentence: str) -> bool:
        plain = _plain(sentence)
        words = _WORD.findall(plain)
        if len(words) < _WORDS_MIN:
            return False
        if any(each in plain for word in words for each in self.by_word.get(word, ())):
            return True
        return plain.rstrip(_CUT) in self.said


def erasing(ids: Iterable[str], memories: Iterable[Memory] = (), texts: Iterable[str] = ()) -> Erasing:
    """What to look for when these go: memories whole, and texts that were said in sessions or passages."""
    memories, texts = list(memories), list(texts)
    by_word: dict[str, list[str]] = {}
    for text in texts:
        for start, end in sentences(text):
            plain = _plain(text[start:end])
            words = _WORD.findall(plain)
            if len(words) >= _WORDS_MIN:
                by_word.setdefault(max(words, key=len), []).append(plain)
    return Erasing(
        ids=frozenset(ids),
        sayings=tuple(map(saying, memories)),
        contents=tuple(each.content for each in memories if len(_WORD.findall(each.content)) >= _WORDS_MIN),
        said="\n".join(map(_plain, texts)),
        by_word={word: tuple(found) for word, found in by_word.items()},
    )


def texts_of(session: Session) -> list[str]:
    """All that was said in a session, and what tools were called with."""
    return [text for message in session.messages for text in (message.text, *message.arguments.values())]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _strings(value: Any) -> Iterable[str]:
    match value:
        case str():
            yield value
        case Mapping():
            for key, each in value.items():
                yield from _strings(key)
                yield from _strings(each)
        case list():
            for each in value:
                yield from _strings(each)


def _mapped(value: Any, change: Callable[[str], str]) -> Any:
    match value:
        case str():
            return change(value)
        case Mapping():
            return {change(str(key)): _mapped(each, change) for key, each in value.items()}
        case list():
            return [_mapped(each, change) for each in value]
        case _:
            return value
