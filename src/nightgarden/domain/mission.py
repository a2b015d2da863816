"""A mission: one piece of work of one or several sessions, with a scope of its own. Pure.

What is noted in a mission holds there. When it ends well, what qualifies is copied to the project; when it fails, what
went wrong is; when it is cancelled, nothing is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nightgarden.domain.memory import Category, Memory, Scope, ScopeKind
from nightgarden.domain.text import fold

NAME_CHARS_MAX = 120
GOAL_CHARS_MAX = 600
# What stays true when the mission is over. Not what happened in it (episodes, handoffs), nor names.
COPIED = frozenset(
    {
        *(Category.FACT, Category.CONVENTION, Category.PATTERN, Category.DECISION, Category.GOTCHA),
        *(Category.PREFERENCE, Category.PROCEDURE, Category.CORRECTION, Category.NEGATIVE),
    }
)
# What an agent saw starts at 0.6, and that the mission succeeded bears it out; what it concluded (0.5) is not enough.
COPIED_CONFIDENCE = 0.6
WENT_WRONG = frozenset({Category.GOTCHA, Category.CORRECTION, Category.NEGATIVE})


class MissionOutcome(StrEnum):
    """How a mission ended."""

    SUCCESS = "success"
    FAILURE = "failure"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mission:
    """One mission. Its id is the owner of its scope, and part of what people write: `mission:ID`."""

    id: str
    name: str
    goal: str = ""
    project: Scope
    agent: str = ""  # whose sessions work on it; empty: every agent's
    session_id: str | None = None  # the one session that works on it; None: all of the project
    started_at: datetime
    started_by: str = "user"
    ended_at: datetime | None = None
    outcome: MissionOutcome | None = None
    reason: str = ""
    cycle: str = ""  # what its end wrote is taken back by this

    @property
    def scope(self) -> Scope:
        return Scope(ScopeKind.MISSION, self.id)

    @property
    def active(self) -> bool:
        return self.outcome is None

    def is_of(self, *, agent: str, session_id: str) -> bool:
        """Whether a session of this agent works on it."""
        return self.active and self.agent in ("", agent) and self.session_id in (None, session_id)


def mission_slug(name: str) -> str:
    """The name as an id: lower case, dashes; empty when nothing is left of it."""
    return re.sub(r"[^a-z0-9]+", "-", fold(name).lower()).strip("-")[:40].strip("-")


def qualifies(memory: Memory) -> bool:
    """Whether the project gets a copy when the mission succeeded."""
    return (
        memory.live
        and memory.category in COPIED
        and memory.confidence >= COPIED_CONFIDENCE
        and not memory.tainted
        and not memory.flagged
        and not memory.temporal.session_only
    )


def went_wrong(memory: Memory) -> bool:
    """Whether the project should know of it when the mission failed."""
    return memory.live and memory.category in WENT_WRONG and not memory.tainted
