"""What a cycle looks at before it begins, read from the garden: what waits, what happened, how the garden is.

Counts everything, in whatever project it is, but for projects that closed themselves to the agent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from nightgarden.ambient.ambient_documents import Records
from nightgarden.ambient.cycle_plan import Worth
from nightgarden.ambient.cycles import Cycle, CycleState
from nightgarden.ambient.projects import AmbientProjects, find_projects
from nightgarden.domain.gap import Gap
from nightgarden.domain.memory import Memory
from nightgarden.domain.schedule import ScheduledTask, Target, in_order
from nightgarden.domain.session import Extraction, Session, SessionStatus
from nightgarden.garden import Garden
from nightgarden.tend.health import Health

SESSIONS_MAX = 20
FIRST_LOOK = timedelta(hours=24)  # how far back the first cycle looks
CYCLES_TOLD = 5
GAPS_TOLD = 5
FEEDBACK_TOLD = 10
FEEDBACK_TAG = "permission"  # memories of what the user granted or refused


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleContext:
    """Everything that a cycle is planned from."""

    now: datetime
    state: CycleState
    since: datetime  # when the last cycle began
    projects: AmbientProjects
    due: tuple[ScheduledTask, ...]
    shut_out: tuple[ScheduledTask, ...]  # due, and of projects that are closed to the agent
    sessions: tuple[Session, ...]  # since the last cycle
    pending: tuple[Session, ...]  # not read for memories
    active_sessions: int
    health: Health
    gaps: tuple[Gap, ...]
    feedback: tuple[Memory, ...]
    last_cycles: tuple[Cycle, ...]
    off_since: datetime | None = None

    @property
    def worth(self) -> Worth:
        return Worth(duplicates=self.health.duplicate_candidates, contradictions=self.health.contradictions)


async def gather(garden: Garden, records: Records, *, off_since: datetime | None = None) -> CycleContext:
    """Looks at everything now."""
    now, state = garden.now(), await records.state()
    projects = await find_projects(garden)
    tasks = await garden.schedule.list(scope="all")
    for_us = in_order(task for task in tasks if task.takeable(now, (Target.AMBIENT,)))
    over = [cycle for cycle in await records.cycles(limit=CYCLES_TOLD + 1) if cycle.over][:CYCLES_TOLD]
    since = over[0].started_at if over else now - FIRST_LOOK
    known = [session for session in await garden.sessions.list(limit=80) if projects.may_see(session.scope)]
    feedback = await garden.list(scope="all", tag=FEEDBACK_TAG, limit=None)
    return CycleContext(
        now=now,
        state=state,
        since=since,
        projects=projects,
        due=tuple(task for task in for_us if projects.may_see(task.scope)),
        shut_out=tuple(task for task in for_us if not projects.may_see(task.scope)),
        sessions=tuple(session for session in known if _moved_since(session, since))[:SESSIONS_MAX],
        pending=tuple(s for s in await garden.sessions.pending() if projects.may_see(s.scope)),
        active_sessions=sum(session.status is SessionStatus.ACTIVE for session in known),
        health=await garden.health(),
        gaps=tuple([gap for gap in await garden.gaps() if projects.may_see(gap.scope)][:GAPS_TOLD]),
        feedback=tuple([memory for memory in feedback if projects.may_see(memory.scope)][:FEEDBACK_TOLD]),
        last_cycles=tuple(over),
        off_since=off_since,
    )


def _moved_since(session: Session, since: datetime) -> bool:
    last = session.ended_at or session.started_at
    return last is not None and last >= since


async def active_until(garden: Garden, *, idle: timedelta) -> datetime | None:
    """Until when the user counts as working: so long after the last turn that hooks told of, and after the last
    message of a session that goes on. None when nobody was ever seen."""
    seen = [session.seen_at for session in await garden.turns.live.list()]
    going = await garden.sessions.list(status=SessionStatus.ACTIVE, limit=20)
    seen += [session.ended_at for session in going if session.ended_at is not None]
    return max(seen) + idle if seen else None


def extraction_words(session: Session) -> str:
    """How much of a session was read for memories, as it is stored, not as it is guessed."""
    match session.extraction:
        case Extraction.DONE:
            return "extracted"
        case Extraction.PARTIAL:
            return "partly extracted"
        case Extraction.NONE:
            return "in progress" if session.status is SessionStatus.ACTIVE else "missed"


def sessions_words(sessions: Sequence[Session]) -> list[str]:
    """One line a session."""
    lines = []
    for session in sessions:
        length = ""
        if session.started_at is not None and session.ended_at is not None:
            length = f", {(session.ended_at - session.started_at).total_seconds() / 60:.0f} min"
        title = f": {session.title[:80]}" if session.title else ""
        lines.append(f"{session.id} ({session.status.value}{length}, {extraction_words(session)}){title}")
    return lines
