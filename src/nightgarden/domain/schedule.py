"""Tasks for later: what is to be done, by whom, when it is due, and what has become of it. Pure: no clock of its own.

A task that is due stays open until somebody closes it, however late: it is never dropped. Whoever does one takes it
first, so that nobody else does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from nightgarden.domain.memory import Scope
from nightgarden.domain.time import as_utc, write_moment
from nightgarden.domain.vocabulary import Outcome as Outcome
from nightgarden.domain.vocabulary import Priority as Priority
from nightgarden.domain.vocabulary import Target as Target
from nightgarden.errors import BadInput

AHEAD_MAX = timedelta(days=366)  # taste: what lies further off belongs in a calendar
TASK_CHARS_MAX = 1_000  # taste: a paragraph; what is behind it goes into the background
DETAIL_CHARS_MAX = 4_000  # of background and of success criteria each; taste
FILES_MAX = 20
RESULT_CHARS_MAX = 600
TOLD_AFTER = timedelta(days=1)  # a task that nobody came for is told, whoever it was for: a user must not miss it
_MINUTE, _HOUR, _DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
_AT_EXAMPLE = "write it as 2026-11-16T15:30:00Z or 2026-11-16T15:30:00+01:00"


class TaskState(StrEnum):
    """Where a task stands at a moment."""

    WAITING = "waiting"
    DUE = "due"  # and nobody was told yet
    SAID = "said"  # due, somebody was told, and nobody closed it
    TAKEN = "taken"  # somebody is doing it
    DONE = "done"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduledTask:
    """Something to come back to at a moment, with what whoever comes back to it needs to know."""

    id: str
    task: str
    wake_at: datetime
    created_at: datetime
    scope: Scope  # sessions that see it are told; global: any
    priority: Priority = Priority.NORMAL
    relevant_files: tuple[str, ...] = ()
    background: str = ""
    success_criteria: str = ""
    directory: str = ""  # root of the project where it was scheduled
    branch: str = ""  # of git, there and then
    session_id: str | None = None  # that scheduled it
    actor: str = "user"
    tainted: bool = False  # outside text shaped it
    said_at: datetime | None = None  # when somebody was first told that it is due
    closed_at: datetime | None = None
    outcome: Outcome | None = None
    target: Target = Target.TELL
    taken_by: str | None = None  # the cycle or the process that does it
    started_at: datetime | None = None  # a session was started for it, which is done once and never again
    result: str = ""  # what came of it, or why it is told instead of done

    @property
    def open(self) -> bool:
        return self.closed_at is None

    def is_due(self, now: datetime) -> bool:
        """Whether it should be done by now and is not. Being late changes nothing."""
        return self.open and self.wake_at <= now

    def state(self, now: datetime) -> TaskState:
        if self.outcome is not None:
            return TaskState(self.outcome)
        if self.taken_by is not None:
            return TaskState.TAKEN
        if not self.is_due(now):
            return TaskState.WAITING
        return TaskState.DUE if self.said_at is None else TaskState.SAID

    def is_told(self, now: datetime) -> bool:
        """Whether sessions hear of it: it is for them, or whoever it is for has not come for long."""
        if not self.is_due(now) or self.taken_by is not None:
            return False
        return self.target is Target.TELL or now - self.wake_at >= TOLD_AFTER

    def takeable(self, now: datetime, targets: Iterable[Target]) -> bool:
        """Whether somebody who does tasks of these targets may take it now."""
        return self.is_due(now) and self.taken_by is None and self.target in tuple(targets)

    def take(self, by: str) -> ScheduledTask:
        return replace(self, taken_by=by)

    def give_back(self, why: str = "") -> ScheduledTask:
        """Not done after all: the next may take it."""
        return replace(self, taken_by=None, result=why or self.result)

    def tell_instead(self, why: str) -> ScheduledTask:
        """Nobody is there who could do it: the user is told."""
        return replace(self, target=Target.TELL, taken_by=None, result=why)

    def concerns(self, scopes: Iterable[Scope], session_id: str | None = None) -> bool:
        """Whether a session is told of it: one that sees its scope, or the one that scheduled it."""
        return self.scope in scopes or (session_id is not None and self.session_id == session_id)

    def said(self, at: datetime) -> ScheduledTask:
        """Somebody was told; the first time counts."""
        return self if self.said_at is not None or not self.open else replace(self, said_at=at)

    def close(self, outcome: Outcome, at: datetime, result: str = "") -> ScheduledTask:
        """Done or cancelled. The same again changes nothing; the other raises BadInput."""
        if self.outcome is outcome:
            return self
        if self.outcome is not None:
            raise BadInput(f"task {self.id} is {self.outcome} already")
        return replace(self, closed_at=at, outcome=outcome, result=result or self.result)


def wake_moment(
    now: datetime, *, wake_in_minutes: float | None = None, wake_at: datetime | str | None = None
) -> datetime:
    """When a task is due, from one of the two ways to say it. Raises BadInput in words that say what to send."""
    if (wake_in_minutes is None) == (wake_at is None):
        raise BadInput("say when: either wake_in_minutes, such as 30, or wake_at, such as 2026-11-16T15:30:00Z")
    if wake_in_minutes is not None:
        if not 0 < wake_in_minutes <= AHEAD_MAX / _MINUTE:
            most = int(AHEAD_MAX / _MINUTE)
            raise BadInput(
                f"wake_in_minutes must be more than 0 and at most {most} ({AHEAD_MAX.days} days), "
                f"not {wake_in_minutes:g}"
            )
        return now + wake_in_minutes * _MINUTE
    assert wake_at is not None
    moment = _read_moment(wake_at)
    if moment <= now:
        raise BadInput(
            f"wake_at {write_moment(moment)} is {span(now - moment)} ago: it is {write_moment(now)} now; "
            "name a later moment, or use wake_in_minutes"
        )
    if moment - now > AHEAD_MAX:
        raise BadInput(f"wake_at {write_moment(moment)} is more than {AHEAD_MAX.days} days ahead; choose a nearer one")
    return moment


def _read_moment(given: datetime | str) -> datetime:
    """A moment with its time zone: a guess about the zone would be hours off."""
    try:
        moment = datetime.fromisoformat(given.strip()) if isinstance(given, str) else given
    except ValueError:
        raise BadInput(f"wake_at {given!r} is no moment in ISO 8601; {_AT_EXAMPLE}") from None
    try:
        return as_utc(moment)
    except ValueError:
        raise BadInput(f"wake_at {given} has no time zone; {_AT_EXAMPLE}") from None
    except OverflowError:
        raise BadInput(f"wake_at {given} is out of reach; {_AT_EXAMPLE}") from None


def in_order(tasks: Iterable[ScheduledTask]) -> list[ScheduledTask]:
    """By priority, then by time: the queue's order."""
    rank = {priority: place for place, priority in enumerate(reversed(Priority))}
    return sorted(tasks, key=lambda task: (rank[task.priority], task.wake_at, task.id))


def late(task: ScheduledTask, now: datetime) -> str:
    """How late a due task is, in words; empty within its first minute."""
    passed = now - task.wake_at
    return f"{span(passed)} late" if passed >= _MINUTE else ""


def span(length: timedelta) -> str:
    """A length of time in its largest whole unit."""
    for unit, name in ((_DAY, "day"), (_HOUR, "hour"), (_MINUTE, "minute")):
        if length >= unit:
            number = length // unit
            return f"{number} {name}{'s' if number > 1 else ''}"
    return "less than a minute"
