"""What a reader of a growing file must remember between two readings, and how it is written as a cursor.

The cursor is text that only the readers understand. A cursor from elsewhere, or a damaged one, means: read all again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any

from nightgarden.domain.session import SessionUsage
from nightgarden.domain.time import read_moment, write_moment

# What is read of a transcript. A cursor of another version means: read all again, so that what older versions left out
# is filled in. Raise it when the readers keep more.
VERSION = 2
_TOOLS_MAX = 256  # calls that wait for their result; taste: no client runs nearly as many at once


@dataclass(slots=True, kw_only=True)
class Progress:
    """The state of reading one transcript."""

    version: int = VERSION
    offset: int = 0  # bytes read, always at the start of a line
    mark: str = ""  # digest of the bytes just before the offset; tells a rewritten file from a grown one
    fingerprint: str = ""  # of the transcript when it was last read
    header_seen: bool = False
    parent_id: str | None = None
    title: str = ""
    directory: str = ""
    started_at: str = ""
    last_at: str = ""
    turn_open: bool = False  # the user waits for an answer, or a tool for its result
    ended: bool = False  # the client said that it left
    damaged_lines: int = 0
    tools: dict[str, dict[str, Any]] = field(default_factory=dict)  # calls whose result is still to come, by call id
    spent: dict[str, int] = field(default_factory=dict)  # usage that no message carries yet
    total: dict[str, int] = field(default_factory=dict)  # usage so far
    counted: dict[str, int] = field(default_factory=dict)  # usage counted of the answer `counted_id`
    counted_id: str = ""
    model: str = ""  # that answers, as the client last told
    limits: dict[str, Any] = field(default_factory=dict)  # of its provider, as the client last told (Codex)
    limits_at: str = ""
    shows_answers: bool = False  # the client records which answers it shows (Codex)
    shown: list[str] = field(default_factory=list)  # ids of answers shown, whose text is still to come

    def see(self, at: datetime) -> None:
        """Notes the moment of a message."""
        written = write_moment(at)
        self.started_at = self.started_at or written
        self.last_at = max(self.last_at, written)

    def call(self, call_id: str, tool_name: str, arguments: Mapping[str, str], at: datetime | None = None) -> None:
        """Notes a tool call; the oldest are forgotten when results never come."""
        self.tools[call_id] = {"name": tool_name, "arguments": dict(arguments)}
        if at is not None:
            self.tools[call_id]["at"] = write_moment(at)
        while len(self.tools) > _TOOLS_MAX:
            del self.tools[next(iter(self.tools))]

    def called(self, call_id: str) -> Call:
        """The call that a result belongs to; one without a name when it is not known."""
        known = self.tools.pop(call_id, {})
        at = read_moment(known["at"]) if "at" in known else None
        return Call(name=known.get("name", ""), arguments=known.get("arguments", {}), at=at)

    def spend(self, usage: SessionUsage, *, answer_id: str = "") -> None:
        """Notes what an answer cost. One written in several lines repeats its figures: only what was added counts."""
        figures = asdict(usage)
        before = self.counted if answer_id and answer_id == self.counted_id else {}
        added = {name: max(0, number - before.get(name, 0)) for name, number in figures.items()}
        self.counted = {name: max(number, before.get(name, 0)) for name, number in figures.items()}
        self.counted_id = answer_id
        self.spent = {name: self.spent.get(name, 0) + number for name, number in added.items()}
        self.total = {name: self.total.get(name, 0) + number for name, number in added.items()}

    def take_spent(self) -> SessionUsage | None:
        """What no message carries yet; from now on one does."""
        spent, self.spent = usage_of(self.spent), {}
        return spent

    def moment(self, raw: Any, otherwise: datetime) -> datetime:
        """A record's own time; without one, that of the message before it, or the moment given."""
        try:
            if isinstance(raw, str) and raw:
                return read_moment(raw)
        except (ValueError, OverflowError):
            pass  # not a time, or one outside the calendar
        return read_moment(self.last_at) if self.last_at else otherwise

    def write(self) -> str:
        known = {name: value for name, value in asdict(self).items() if value}
        return json.dumps(known, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call, when its result comes."""

    name: str = ""
    arguments: Mapping[str, str] = field(default_factory=dict)
    at: datetime | None = None

    def took_ms(self, until: datetime) -> int | None:
        if self.at is None or until < self.at:
            return None
        return round((until - self.at).total_seconds() * 1000)


def usage_of(figures: Mapping[str, int]) -> SessionUsage | None:
    return SessionUsage(**figures) if any(figures.values()) else None


def read_progress(cursor: str) -> Progress:
    """The progress that a cursor stands for; a fresh one when it cannot be understood, or is of another version."""
    try:
        raw = json.loads(cursor) if cursor else {}
    except ValueError:
        return Progress()
    if not isinstance(raw, dict) or raw.get("version") != VERSION:
        return Progress()
    fresh = Progress()
    for known in fields(Progress):
        value = raw.get(known.name)
        if value is None:
            continue
        expected = str if known.name == "parent_id" else type(getattr(fresh, known.name))
        if not isinstance(value, expected):
            return Progress()
        setattr(fresh, known.name, value)
    return fresh if fresh.offset >= 0 else Progress()
