"""What a reader of a growing file must remember between two readings, and how it is written as a cursor.

The cursor is text that only the readers understand. A cursor from elsewhere, or a damaged one, means: read all again.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, fields
from datetime import datetime
from typing import Any

from nightgarden.domain.time import read_moment, write_moment

_TOOLS_MAX = 256  # calls that wait for their result; taste: no client runs nearly as many at once


@dataclass(slots=True, kw_only=True)
class Progress:
    """The state of reading one transcript."""

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
    tools: dict[str, str] = field(default_factory=dict)  # names of tools whose result is still to come, by call id
    shows_answers: bool = False  # the client records which answers it shows (Codex)
    shown: list[str] = field(default_factory=list)  # ids of answers shown, whose text is still to come

    def see(self, at: datetime) -> None:
        """Notes the moment of a message."""
        written = write_moment(at)
        self.started_at = self.started_at or written
        self.last_at = max(self.last_at, written)

    def call(self, call_id: str, tool_name: str) -> None:
        """Notes a tool call; the oldest are forgotten when results never come."""
        self.tools[call_id] = tool_name
        while len(self.tools) > _TOOLS_MAX:
            del self.tools[next(iter(self.tools))]

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


def read_progress(cursor: str) -> Progress:
    """The progress that a cursor stands for; a fresh one when it cannot be understood."""
    try:
        raw = json.loads(cursor) if cursor else {}
    except ValueError:
        return Progress()
    if not isinstance(raw, dict):
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
