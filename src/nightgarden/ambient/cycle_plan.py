"""What a cycle sets out to do, in which order. Pure.

Tasks and what the user granted first. Then the garden, what is worth most first: sessions whose memories were missed,
duplicates and contradictions, then what fades, and facts are verified with the time that is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nightgarden.ambient.cycles import CycleStep
from nightgarden.domain.schedule import ScheduledTask, in_order
from nightgarden.domain.session import Session, SessionStatus

SESSIONS_MAX = 20  # read in one cycle; the rest waits for the next
GRANTED = "granted"
TASK = "task"
EXTRACT = "extract"
TEND = "tend"
AGENT = "agent"  # the conversation with the model
DIGEST = "digest"
_LEARN = ("learn", "backfill")
_DOUBLES = ("merge", "consolidate", "resolve")
_FADING = ("sweep", "prune", "relate", "tags", "cluster", "gaps")
_FACTS = ("verify",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """Figures of the garden that say what is worth doing."""

    duplicates: int = 0
    contradictions: int = 0


def plan_garden(sessions: Iterable[Session], worth: Worth) -> list[CycleStep]:
    """The steps of a cycle that tends the garden."""
    waiting = sorted(sessions, key=_session_rank)[:SESSIONS_MAX]
    doubles = ("merge", "consolidate"), ("resolve",)
    first, second = doubles if worth.duplicates >= worth.contradictions else reversed(doubles)
    bands = (_LEARN, first, second, _FADING, _FACTS)
    return [
        *(CycleStep(name=EXTRACT, subject=session.id) for session in waiting),
        *(CycleStep(name=TEND, subject="+".join(band)) for band in bands),
    ]


def plan_tasks(tasks: Iterable[ScheduledTask]) -> list[CycleStep]:
    """Due tasks that can be done without a model, the most urgent first."""
    return [CycleStep(name=TASK, subject=task.id) for task in in_order(tasks) if operations_of(task) is not None]


def operations_of(task: ScheduledTask) -> tuple[str, ...] | None:
    """What a task asks for, if that is something to be done without a model: "tend", "tend merge, verify", "read
    sessions". None for everything else, which waits for a model or is told to the user."""
    words = task.task.lower().replace(",", " ").split()
    if words == ["read", "sessions"]:
        return ("extract",)
    if not words or words[0] != TEND:
        return None
    known = (*_LEARN, *_DOUBLES, *_FADING, *_FACTS, "extract")
    return tuple(words[1:]) if all(word in known for word in words[1:]) else None


def _session_rank(session: Session) -> tuple[bool, str, str]:
    """One that crashed first: nobody took its memories."""
    ended = session.ended_at.isoformat() if session.ended_at is not None else ""
    return session.status is not SessionStatus.CRASHED, ended, session.id


def operations(step: CycleStep) -> Sequence[str]:
    """The operations of a step that tends."""
    return step.subject.split("+")
