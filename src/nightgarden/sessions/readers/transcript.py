"""What a transcript reader is given and gives back, whatever the client. Knows no client's format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from nightgarden.domain.session import Message, Session, SessionStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class TranscriptRef:
    """Where one session's transcript lies. Several sessions may share one file (a database)."""

    client: str
    session_id: str
    path: Path
    changed_at: datetime
    fingerprint: str  # differs whenever the transcript may have something new
    parent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What one reading found.

    `session` carries the header as known so far, with `messages` equal to `new_messages` and the new cursor in place.
    After a restart (the file was cut or replaced) `new_messages` are all messages again, under their old ids.
    """

    session: Session
    new_messages: tuple[Message, ...]
    cursor: str
    damaged_lines: int  # met in this reading; the session has the sum
    status: SessionStatus
    restarted: bool = False
    models: Mapping[str, str] = field(default_factory=dict)  # which model a message's usage was of, by message id
    limits: Mapping[str, Any] = field(default_factory=dict)  # what the client wrote down about its provider's limits
    limits_at: datetime | None = None


class Reader(Protocol):
    """Reads one client's transcripts. Never writes to, locks or moves a client's file. Calls block: run in a thread."""

    def discover(self, home: Path, env: Mapping[str, str]) -> list[TranscriptRef]:
        """All transcripts, oldest change first."""
        ...

    def read(self, ref: TranscriptRef, cursor: str, *, now: datetime) -> Read:
        """What is new since the cursor; the empty cursor reads all. Raises OSError when the file cannot be read."""
        ...

    def close(self) -> None:
        """Lets go of what was kept between readings."""
        ...
