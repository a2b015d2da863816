"""Sessions with agents, their messages, and passages: verbatim pieces of them that can be searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from nightgarden.domain.memory import GLOBAL, Scope
from nightgarden.domain.vocabulary import SessionStatus as SessionStatus

PROBE_PREFIX = "nightgarden-doctor-"  # of sessions that only look whether a client works; nobody reads what they get


class Extraction(StrEnum):
    """How much of a session has been read for memories."""

    NONE = "none"
    PARTIAL = "partial"
    DONE = "done"


class Signal(StrEnum):
    """Something that happened in a session without anybody saying it. Its message has the role `system`, or `tool` when
    it happened to a tool."""

    NONE = ""
    INTERRUPTED = "interrupted"  # the user stopped the agent, or refused a tool
    COMPACTED = "compacted"  # the client replaced what was said before by the summary in the text


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionUsage:
    """Tokens that a model took in and gave out."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0  # taken in from a cache, not among the input

    def __add__(self, other: SessionUsage) -> SessionUsage:
        return SessionUsage(
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class HookSignals:
    """What a client's hooks told of one session; its transcript does not have all of it."""

    tools: int = 0
    failures: int = 0
    shown: int = 0  # memories put before the agent
    stopped: tuple[str, ...] = ()  # ids of memories that stopped a tool, sorted
    compactions: int = 0
    end_reason: str = ""  # why the client said the session ended

    def joined(self, other: HookSignals) -> HookSignals:
        """Both, when a process that served the session may have forgotten what came before it."""
        return HookSignals(
            tools=max(self.tools, other.tools),
            failures=max(self.failures, other.failures),
            shown=max(self.shown, other.shown),
            stopped=tuple(sorted({*self.stopped, *other.stopped})),
            compactions=max(self.compactions, other.compactions),
            end_reason=other.end_reason or self.end_reason,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message. `role` is user, assistant, system, tool, or the name of a speaker.

    A tool's message is the call and what came of it: `text` is what it printed, which may be nothing."""

    id: str
    role: str
    text: str
    at: datetime
    tool_name: str = ""
    is_error: bool = False
    pasted: bool = False  # known to be outside text (a paste, a quoted file), not the speaker's own words
    arguments: Mapping[str, str] = field(default_factory=dict)  # a tool was called with these; shortened, no secrets
    exit_code: int | None = None  # of a program that a tool ran, where the client tells
    duration_ms: int | None = None  # how long a tool took, where it is known
    signal: Signal = Signal.NONE
    usage: SessionUsage | None = None  # spent by the model since the message before, where the client tells

    @property
    def failed(self) -> bool:
        """Whether a tool did not do what it was asked to, as far as the client tells."""
        return self.is_error or self.exit_code not in (None, 0)


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
    mind_through: str | None = None  # and of the last one that a mind has read, which is asked less often
    parent_id: str | None = None  # the session that started this one, for sub-agents
    cursor: str = ""  # where the reader of its transcript stopped
    damaged_lines: int = 0
    usage: SessionUsage | None = None  # of the whole session, where the client tells
    hooks: HookSignals | None = None


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
