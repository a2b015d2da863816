"""The closed sets of words that memories and requests share. Imports nothing else, so that a command starts fast."""

from __future__ import annotations

from enum import StrEnum


class Category(StrEnum):
    """What kind of statement a memory is."""

    FACT = "fact"
    PREFERENCE = "preference"
    CORRECTION = "correction"
    NEGATIVE = "negative"
    PROCEDURE = "procedure"
    PATTERN = "pattern"
    DECISION = "decision"
    GOTCHA = "gotcha"
    CONVENTION = "convention"
    EPISODE = "episode"
    HANDOFF = "handoff"
    ENTITY = "entity"


# Records of what happened. They are found when somebody looks for them, and not shown unasked beside statements.
HAPPENED = (Category.EPISODE, Category.HANDOFF)
STATED = tuple(category for category in Category if category not in HAPPENED)


class Provenance(StrEnum):
    """Where a memory came from."""

    USER_STATED = "user_stated"
    USER_CORRECTED = "user_corrected"
    OBSERVED = "observed"
    INFERRED = "inferred"
    EXTRACTED = "extracted"
    CAPTURED = "captured"
    CONSOLIDATED = "consolidated"
    PROMOTED = "promoted"
    IMPORTED = "imported"


USER_SAID = frozenset({Provenance.USER_STATED, Provenance.USER_CORRECTED})  # the user's own word
AGENT_SAID = frozenset({Provenance.OBSERVED, Provenance.INFERRED, Provenance.CAPTURED})


class Importance(StrEnum):
    """How much it matters if it is missed."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Ending(StrEnum):
    """How a session, or one use of a procedure, ended."""

    SUCCESS = "success"
    PARTIAL = "partial"
    FAILURE = "failure"


class Size(StrEnum):
    """How much of a section is told."""

    LITE = "lite"
    STANDARD = "standard"
    DEEP = "deep"


class Mode(StrEnum):
    """What the briefing is for."""

    SESSION = "session"
    MISSION = "mission"
    PREVIEW = "preview"
    HEARTBEAT = "heartbeat"
    WAKE = "wake"


class Priority(StrEnum):
    """How much a task matters beside others that are due."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


class Outcome(StrEnum):
    """How a task was closed."""

    DONE = "done"
    CANCELLED = "cancelled"


class SessionStatus(StrEnum):
    """Whether a session goes on, ended, or broke off."""

    ACTIVE = "active"
    CLOSED = "closed"
    CRASHED = "crashed"


class Target(StrEnum):
    """Who a task is for."""

    TELL = "tell"  # sessions are told, and the user decides
    AMBIENT = "ambient"  # the ambient agent does it in a cycle
    RESUME = "resume"  # the session that scheduled it goes on with it
    SPAWN = "spawn"  # a new session is started for it
