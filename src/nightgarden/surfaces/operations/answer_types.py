"""What operations answer with, as types: the JSON of REST and `--json`, and the schemas in OpenAPI, are of these.

Stable: fields are added, never renamed or removed. A record is a domain value written by `to_record`.
"""

from __future__ import annotations

from typing import Annotated, Any, NotRequired, TypedDict

from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Edge, Tag
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory, ProcedureUse
from nightgarden.domain.schedule import ScheduledTask
from nightgarden.domain.session import Passage, Session
from nightgarden.recall.brief import Section
from nightgarden.recall.line import Line
from nightgarden.recall.result import Cut, MissingPart, Result
from nightgarden.sessions.surfaced import SurfacedIn

Record = dict[str, Any]
MemoryRecord = Annotated[Record, Memory]
EdgeRecord = Annotated[Record, Edge]
EntryRecord = Annotated[Record, JournalEntry]
SessionRecord = Annotated[Record, Session]
TaskRecord = Annotated[Record, ScheduledTask]
Texts = dict[str, str]  # what memories say that the answer names by their ids


class FindingAnswer(TypedDict):
    """A place in a text that a rule refused."""

    rule: str
    what: str
    start: int
    end: int


class VerdictAnswer(TypedDict):
    """What became of a statement; `id` is null when nothing was stored."""

    verdict: str
    id: str | None
    rule: str | None
    sentence: str | None
    memory: MemoryRecord | None
    replaced_ids: NotRequired[list[str]]
    conflicting_ids: NotRequired[list[str]]
    texts: NotRequired[Texts]
    findings: NotRequired[list[FindingAnswer]]
    may_be_allowed: NotRequired[bool]
    further_rules: NotRequired[list[str]]  # what would stand against it once `rule` was lifted


class RecalledAnswer(TypedDict):
    """What was found, best first."""

    query: str
    results: list[Annotated[Record, Result]]
    took_ms: float
    missing: list[Annotated[Record, MissingPart]]
    texts: Texts
    cut: NotRequired[list[Annotated[Record, Cut]]]


class MemoriesAnswer(TypedDict):
    """Memories in their order."""

    memories: list[MemoryRecord]


class ShownAnswer(TypedDict):
    """One thing in full, and which kind of thing it is."""

    kind: str
    record: Annotated[Record, Memory] | Annotated[Record, Passage] | Annotated[Record, Session]
    said_by: NotRequired[str]


class PurgedAnswer(TypedDict):
    """The ids of what existed and is erased, and those that nothing had."""

    purged: list[str]
    missing: list[str]


class TracesAnswer(TypedDict):
    """The names that somebody goes by, and what there is of them, in words."""

    names: list[str]
    sentence: str


class PurgedPersonAnswer(TypedDict):
    """The ids of what is erased, and the same in words."""

    purged: list[str]
    sentence: str


class FlaggedPair(TypedDict):
    """A memory, and those that it may contradict."""

    memory: MemoryRecord
    against: list[MemoryRecord]


class FlaggedAnswer(TypedDict):
    """All that waits for a decision."""

    flagged: list[FlaggedPair]


class TagsAnswer(TypedDict):
    """All tags."""

    tags: list[Annotated[Record, Tag]]


class RelatedPair(TypedDict):
    """A memory, the edge that led to it, and in words what it went through: a tag, a cluster or a memory."""

    memory: MemoryRecord
    edge: EdgeRecord
    through: str


class RelatedAnswer(TypedDict):
    """Related memories."""

    related: list[RelatedPair]


class HistoryAnswer(TypedDict):
    """Journal entries, oldest first; of one memory also what it replaced and what replaced it."""

    entries: list[EntryRecord]
    texts: Texts
    successions: list[EdgeRecord]


class UndoneAnswer(TypedDict):
    """What was taken back, and the entries that did it."""

    undone: str | None
    entries: list[EntryRecord]
    texts: Texts


class PassedOver(TypedDict):
    """Something that fits a turn somewhat and would not be shown."""

    id: str
    content: str
    why: str


class InjectionAnswer(TypedDict):
    """What is shown to an agent; `text` is null when that is nothing, and `why` says why when it was asked for.
    `passed_over` has what a preview found and would not show."""

    text: str | None
    items: list[Annotated[Record, Line]]
    left_out: int
    why: str | None
    passed_over: list[PassedOver]


class BriefingAnswer(TypedDict):
    """What an agent should know; `text` is null when there is nothing to tell."""

    text: str | None
    sections: list[Annotated[Record, Section]]
    off_here: bool


class HookAnswer(TypedDict):
    """What a hook prints."""

    stdout: str


class SurfacedAnswer(TypedDict):
    """What sessions were given."""

    sessions: list[Annotated[Record, SurfacedIn]]


class GapsAnswer(TypedDict):
    """Open questions."""

    gaps: list[Annotated[Record, Gap]]


class ClosedGapAnswer(TypedDict):
    """The gap that was closed."""

    closed: Annotated[Record, Gap]


class EpisodesAnswer(TypedDict):
    """Episodes, newest first."""

    episodes: list[MemoryRecord]


class ProceduresAnswer(TypedDict):
    """Procedures, the surest first."""

    procedures: list[MemoryRecord]


class ProcedureAnswer(TypedDict):
    """A procedure, and the ids of the episodes it was made of."""

    procedure: MemoryRecord
    derived_from: list[str]


class UsesAnswer(TypedDict):
    """How following a procedure went, oldest first."""

    uses: list[Annotated[Record, ProcedureUse]]


class TasksAnswer(TypedDict):
    """Tasks for later."""

    tasks: list[TaskRecord]


class SessionsAnswer(TypedDict):
    """Sessions without their messages."""

    sessions: list[SessionRecord]


class HarvestAnswer(TypedDict):
    """What was read out of one session."""

    session_id: str
    messages: int
    verdicts: list[Record]


class PendingAnswer(TypedDict):
    """Ids of sessions."""

    ids: list[str]


class AllowedAnswer(TypedDict):
    """Clients whose sessions may be read."""

    allowed: list[str]


class ProjectAnswer(TypedDict):
    """A project: `scope` is what other operations take, `root` its folder, empty where that is not known."""

    scope: str
    name: str
    root: str
    memories: int


class ProjectsAnswer(TypedDict):
    """Projects by name."""

    projects: list[ProjectAnswer]


class AmbientAnswer(TypedDict):
    """The ambient agent: as of `ambient status`, and cycles as of `ambient log`, newest first."""

    status: Record
    cycles: list[Record]


class ControlledAnswer(TypedDict):
    """What the ambient agent does now, in a sentence."""

    sentence: str


class TendedAnswer(TypedDict):
    """What tending changed, in a sentence; `undo` takes the cycle back."""

    cycle: str
    changes: int
    sentence: str


class RequestsAnswer(TypedDict):
    """What agents ask for."""

    requests: list[Record]


class ActionsAnswer(TypedDict):
    """What agents did or wanted to do."""

    actions: list[Record]


class NotificationsAnswer(TypedDict):
    """Messages to the user."""

    notifications: list[Record]


class DirectivesAnswer(TypedDict):
    """What the user told the agent in the background."""

    directives: list[Record]
