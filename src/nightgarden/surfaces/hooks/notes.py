"""The line that the user sees in the client when memory did something: recalled, stopped, learned or forgot. Pure.

The model does not read it. It is one line, says what and how to take it back, and never quotes outside text at length.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.domain.memory import Memory
from nightgarden.recall.line import Line, clean

_TEXT_CHARS = 90  # of a memory: with the rest it fits a line of a usual terminal
_ID_CHARS = 8  # as commands print and take ids


def briefed(count: int) -> str:
    """At the start of a session."""
    return f"❀ briefed with {_memories(count)}; `nightgarden surfaced` shows them" if count else ""


def recalled(lines: Sequence[Line]) -> str:
    """At a prompt, or after an error."""
    if not lines:
        return ""
    more = f" and {len(lines) - 1} more" if len(lines) > 1 else ""
    return f"❀ recalled: {_short(lines[0].text.removeprefix('- '))}{more}"


def stopped(memories: Sequence[Memory]) -> str:
    """A tool that memory held back."""
    first = memories[0]
    return f"❀ stopped: {_short(first.content)} (wrong? `nightgarden forget {first.id[-_ID_CHARS:]}`)"


def learned(memories: Sequence[Memory]) -> str:
    """What the last reading of a session gave."""
    if not memories:
        return ""
    first = memories[-1]
    more = f" and {len(memories) - 1} more, see `nightgarden surfaced`" if len(memories) > 1 else ""
    return f"❀ learned: {_short(first.content)} (undo: `nightgarden forget {first.id[-_ID_CHARS:]}`){more}"


def forgot(memories: Sequence[Memory]) -> str:
    """What the user asked to forget."""
    if not memories:
        return ""
    named = "; ".join(f"{_short(m.content)} (undo: `nightgarden restore {m.id[-_ID_CHARS:]}`)" for m in memories)
    return f"❀ forgot: {named}"


def together(*notes: str) -> str:
    return "\n".join(note for note in notes if note)


def _memories(count: int) -> str:
    return "1 memory" if count == 1 else f"{count} memories"


def _short(text: str) -> str:
    line = clean(text)
    return line if len(line) <= _TEXT_CHARS else line[: _TEXT_CHARS - 1].rstrip() + "…"
