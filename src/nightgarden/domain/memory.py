"""One memory: a statement with its place, origin, life and belief. Frozen; a change is a new value."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum, StrEnum

from nightgarden.domain.doubt import Doubt
from nightgarden.domain.vocabulary import AGENT_SAID as AGENT_SAID
from nightgarden.domain.vocabulary import HAPPENED as HAPPENED
from nightgarden.domain.vocabulary import STATED as STATED
from nightgarden.domain.vocabulary import USER_SAID as USER_SAID
from nightgarden.domain.vocabulary import Category as Category
from nightgarden.domain.vocabulary import Ending as Ending
from nightgarden.domain.vocabulary import Importance as Importance
from nightgarden.domain.vocabulary import Provenance as Provenance


class ScopeKind(StrEnum):
    """How far a memory reaches, widest first. What belongs to a community of people is seen there alone, and nothing of
    the other scopes is seen there."""

    GLOBAL = "global"
    PROJECT = "project"
    AGENT = "agent"
    MISSION = "mission"
    SESSION = "session"
    COMMUNITY = "community"


class Tier(IntEnum):
    """How readily a memory is shown."""

    PINNED = 1
    ACTIVE = 2
    FADING = 3


class Status(StrEnum):
    """Where a memory stands in its life."""

    CANDIDATE = "candidate"
    PROMOTED = "promoted"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True, order=True)
class Scope:
    """Where a memory belongs: a kind and, but for global, the id of its owner."""

    kind: ScopeKind
    owner: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.owner}" if self.owner else str(self.kind)


GLOBAL = Scope(ScopeKind.GLOBAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforcement:
    """A breadcrumb: when and where the same thing was seen again."""

    at: datetime
    session_id: str | None = None
    message_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcedureUse:
    """One time that a procedure was followed, and how sure of it that left us."""

    at: datetime
    outcome: Ending
    confidence: float  # after it
    reason: str = ""
    episode_id: str | None = None  # None: somebody said so


@dataclass(frozen=True, slots=True, kw_only=True)
class Procedure:
    """How to do something, in steps."""

    name: str
    trigger: str
    steps: tuple[str, ...]
    prerequisites: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()  # programs it needs
    asked_as: tuple[str, ...] = ()  # tasks that it was done for, in the users' words
    actions: tuple[str, ...] = ()  # what its steps do, in the words that episodes have for it; compared by these
    uses: tuple[ProcedureUse, ...] = ()  # oldest first
    reviewed: bool = False  # most sessions that it was learned from answered a review
    start: float = 0.0  # how sure it is before any use because somebody promoted it; 0: nobody did


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeStep:
    """Something done in a session: `action` is what kind of thing, `detail` the command or the file."""

    action: str
    detail: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode:
    """What happened in one session or mission."""

    task: str
    approach: str = ""
    outcome: Ending = Ending.PARTIAL
    tools: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    gotchas: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    duration_seconds: int = 0
    files: tuple[str, ...] = ()  # changed
    commits: tuple[str, ...] = ()  # made
    steps: tuple[EpisodeStep, ...] = ()  # in the order they were first done
    undone: tuple[str, ...] = ()  # what was left to do at the end
    worded_by: str = "rules"  # rules, mind, or "rules, the mind failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Temporal:
    """When a memory applies, besides its validity: only in its session, or only in a season such as "release-week"."""

    session_only: bool = False
    seasonal: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One statement with provenance.

    `access_count` and `last_accessed_at` count use; they are not part of what the memory says, so they do not take
    part in equality and are not journaled.
    """

    # identity
    id: str
    content: str
    category: Category = Category.FACT
    # placement
    scope: Scope = GLOBAL
    tags: tuple[str, ...] = ()  # sorted, lower case, unique
    tier: Tier = Tier.ACTIVE
    status: Status = Status.PROMOTED
    # origin
    provenance: Provenance = Provenance.USER_STATED
    session_id: str | None = None
    message_range: tuple[str, str] | None = None  # ids of the first and last message
    file_paths: tuple[str, ...] = ()
    context_snippet: str = ""
    confidence_reason: str = ""
    tainted: bool = False  # did outside text shape it?
    machine_id: str = ""
    # life
    created_at: datetime
    updated_at: datetime
    last_accessed_at: datetime | None = field(default=None, compare=False)
    confirmed_at: datetime | None = None
    access_count: int = field(default=0, compare=False)
    observation_count: int = 1
    strength: int = 1
    reinforcements: tuple[Reinforcement, ...] = ()
    # belief
    confidence: float = 1.0
    trust: float = 1.0
    importance: Importance = Importance.MEDIUM
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    superseded_by: str | None = None
    archived_at: datetime | None = None
    doubts: tuple[Doubt, ...] = ()  # why the user should look at it
    # shape by category
    trigger_patterns: tuple[str, ...] = ()
    procedure: Procedure | None = None
    episode: Episode | None = None
    temporal: Temporal = Temporal()
    hides: tuple[str, ...] = ()  # ids of passages that say it: while it is forgotten, search does not find them

    @property
    def flagged(self) -> bool:
        """Whether the user should look at it."""
        return bool(self.doubts)

    @property
    def pinned(self) -> bool:
        return self.tier is Tier.PINNED

    @property
    def binding(self) -> bool:
        """Whether it may stop a tool: not what outside text shaped, nor what an agent concluded by itself."""
        return not self.tainted and self.provenance not in AGENT_SAID

    @property
    def learned(self) -> bool:
        """Whether it is a record made of sessions, which `learn` looks after, and not a statement."""
        return self.episode is not None or (self.procedure is not None and self.provenance is Provenance.CONSOLIDATED)

    @property
    def live(self) -> bool:
        """Whether recall may return it now, its validity in time left aside."""
        return self.status is not Status.ARCHIVED and self.superseded_by is None
