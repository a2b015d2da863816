"""Sessions with agents, their messages, and passages: verbatim pieces of them that can be searched."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from nightgarden.domain.memory import GLOBAL, Scope

PROBE_PREFIX = "nightgarden-doctor-"  # of sessions that only look whether a client works; nobody reads what they get


class SessionStatus(StrEnum):
    """Whether a session goes on, ended, or broke off."""

    ACTIVE = "active"
    CLOSED = "closed"
    CRASHED = "crashed"


class Extraction(StrEnum):
    """How much of a session has been read for memories."""

    NONE = "none"
    PARTIAL = "partial"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. `role` is user, assistant, system, tool, or the name of a speaker."""

    id: str
    role: str
    text: str
    at: datetime
    tool_name: str = ""
    is_error: bool = False
    pasted: bool = False  # known to be outside text (a paste, a quoted file), not the speaker's own words


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One conversation with an agent, or among people."""

    id: str
    messages: tuple[Message, ...] = ()
    client: str = "sdk"  # claude-code, codex, opencode, jsonl, sdk
    title: str = ""
    directory: str = ""
    scope: Scope | None = None  # filled in from the directory when it is added
    started_at: datetime | None = None
    ended_at: datetime | None = None
    status: SessionStatus = SessionStatus.CLOSED
    extraction: Extraction = Extraction.NONE
    extracted_through: str | None = None  # id of the last message that was read for memories
    parent_id: str | None = None  # the session that started this one, for sub-agents
    cursor: str = ""  # where the reader of its transcript stopped
    damaged_lines: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A verbatim piece of one message, searchable like a memory but not a belief."""

    id: str
    session_id: str
    message_ids: tuple[str, ...]
    position: int  # of its first message in the session; neighbours differ by one
    role: str
    content: str
    created_at: datetime  # when it was said
    scope: Scope = GLOBAL
    part: int = field(default=0)  # which piece, when a long message was cut
    archived_at: datetime | None = None  # past its time: kept, but no longer found
    archived_in: str | None = None  # the cycle that archived it
