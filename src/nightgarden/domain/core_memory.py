"""The core memory of an agent in a project: a small document that it is told whenever it starts. Pure.

Unlike memories it is not searched, weighed or faded: it stands as it was last written, every version is kept, and who
wrote it is known.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from datetime import datetime

from nightgarden.domain.text import squash
from nightgarden.errors import BadInput

MAIN = "main"  # the agent that has no name of its own
CHARS_MAX = 3_000  # of the whole; about 750 tokens at every start
ITEMS_MAX = 12  # of a list
VERSIONS_MAX = 100  # kept


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreMemory:
    """What stands in it."""

    summary: str = ""  # what the project is
    conventions: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    focus: str = ""  # what is being worked on
    notes: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not any(getattr(self, field.name) for field in fields(self))


@dataclass(frozen=True, slots=True, kw_only=True)
class CoreVersion:
    """One version of it."""

    version: int = 0
    core: CoreMemory = CoreMemory()
    at: datetime | None = None
    by: str = ""  # user or agent
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Where a session stood just before its client shortened the conversation."""

    session_id: str
    at: datetime
    doing: str = ""  # the user's last request
    files: tuple[str, ...] = ()
    undone: tuple[str, ...] = ()


def revised(core: CoreMemory, changes: dict[str, str | tuple[str, ...]]) -> CoreMemory:
    """The core memory with other fields, tidied. Raises BadInput when it would grow too large."""
    tidy = {name: _tidy(value) for name, value in changes.items()}
    for name, value in tidy.items():
        if isinstance(value, tuple) and len(value) > ITEMS_MAX:
            raise BadInput(f"{name} takes at most {ITEMS_MAX} items, not {len(value)}; join or drop some")
    after = replace(core, **tidy)  # type: ignore[arg-type]
    if (size := sum(map(len, texts_of(after)))) > CHARS_MAX:
        raise BadInput(f"core memory takes at most {CHARS_MAX:,} characters, not {size:,}; shorten it")
    return after


def _tidy(value: str | tuple[str, ...]) -> str | tuple[str, ...]:
    if isinstance(value, str):
        return squash(value)
    return tuple(dict.fromkeys(line for line in map(squash, value) if line))


def texts_of(core: CoreMemory) -> list[str]:
    """Every text in it."""
    return [core.summary, *core.conventions, *core.preferences, core.focus, *core.notes]


TITLES = (
    ("summary", "This project"),
    ("conventions", "Conventions"),
    ("preferences", "Preferences"),
    ("focus", "In focus"),
    ("notes", "Notes"),
)


def core_lines(core: CoreMemory) -> list[str]:
    """As lines of text, one for each thing, under their headings."""
    lines = []
    for name, title in TITLES:
        value = getattr(core, name)
        if isinstance(value, str) and value:
            lines.append(f"{title}: {value}")
        elif value:
            lines += [f"{title}:", *(f"- {item}" for item in value)]
    return lines
