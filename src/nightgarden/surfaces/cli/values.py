"""Values of records as people read them: no brackets, quotes or names of types."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from nightgarden.domain.doubt import describe
from nightgarden.domain.ids import ID_LENGTH
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory
from nightgarden.surfaces.cli.screen import cut, when

NAME_CHARS = 60
DOUBTED_BELOW = 0.55  # what was only inferred starts above it
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:\d\d)")
_ID = re.compile(rf"\b[0-9a-hjkmnp-tv-z]{{{ID_LENGTH}}}\b")
_CLUSTER = re.compile(r"\bcluster:\w+")


def in_words(value: Any) -> str:
    """A value of a record."""
    match value:
        case None | "" | [] | {}:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.3g}"
        case list() | tuple():
            return ", ".join(map(in_words, value))
        case Mapping():
            return ", ".join(f"{label(name)} {in_words(each)}" for name, each in value.items() if not is_empty(each))
        case str() if _MOMENT.fullmatch(value):
            return when(datetime.fromisoformat(value))
        case _:
            return str(value)


def is_empty(value: Any) -> bool:
    """Whether there is nothing to say about a field."""
    return value in (None, "", [], (), {}) or value is False


def label(name: str) -> str:
    """The name of a field."""
    return name.replace("_", " ")


def quoted(text: str) -> str:
    """A memory, named by its text."""
    return f"“{cut(text, NAME_CHARS)}”"


def doubt_about(memory: Memory) -> str:
    """Why a memory should not be taken at its word; empty when nothing speaks against it."""
    if memory.doubts:
        return describe(memory.doubts)
    return f"confidence {memory.confidence:.2f}" if memory.confidence < DOUBTED_BELOW else ""


def why(entry: JournalEntry) -> str:
    """Why an entry was written; of tending with the operation, which its reasons take for granted."""
    return f"{entry.operation}: {entry.reason}" if entry.actor == "tend" and entry.operation else entry.reason


def with_texts(sentence: str, texts: Mapping[str, str]) -> str:
    """The sentence with the text of a memory in the place of its id, and no hashes of clusters."""
    named = _ID.sub(lambda match: quoted(texts[match[0]]) if match[0] in texts else match[0], sentence)
    return _CLUSTER.sub("a common topic", named)


def ids_in(sentence: str) -> list[str]:
    """The ids that a sentence names."""
    return _ID.findall(sentence)
