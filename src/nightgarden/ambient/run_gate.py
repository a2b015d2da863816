"""Whether the ambient agent may run now: one gate for timer, events, tasks and commands. Pure: everything it looks at
is passed in, and what it decides says why, so that `ambient status` and `ambient explain` can show it.

Order of the questions: may it run here at all, is one running, is there a reason to run, is the user at work, is it
backing off, was the last cycle long enough ago, is there budget. A command of the user passes over the user's own
activity, over intervals and over backoff; never over switches, a running cycle or the budget (then it runs without a
mind, which costs nothing).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from nightgarden.ambient.events import AmbientEvent, EventUrgency, Trigger, in_order, of_priority
from nightgarden.domain.schedule import Priority

LOOK_AGAIN = timedelta(minutes=1)  # when nobody can say how long something will last


class GateReason(StrEnum):
    """Why it does not run."""

    DISABLED = "disabled"
    SWITCHED_OFF = "memory is switched off"
    PAUSED = "paused"
    RUNNING = "a cycle is running"
    ELSEWHERE = "another machine is running a cycle"
    NOTHING = "nothing to do before the next wake"
    USER_ACTIVE = "you are working"
    BACKOFF = "backing off"
    INTERVAL = "the last cycle was a moment ago"
    BUDGET = "no budget left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rhythm:
    """The settings that the gate reads."""

    enabled: bool
    min_interval: timedelta
    max_interval: timedelta
    pause_on_active_session: bool = True

    def spacing(self, urgency: EventUrgency) -> timedelta:
        """How long after a cycle something so urgent may wake the agent. Taste: a session that ends is worth waking
        for soon, and a push every minute is not."""
        lengths = {
            EventUrgency.IMMEDIATE: timedelta(0),
            EventUrgency.HIGH: self.min_interval,
            EventUrgency.NORMAL: 2 * self.min_interval,
            EventUrgency.LOW: self.max_interval / 4,
        }
        return min(self.max_interval, lengths[urgency])


@dataclass(frozen=True, slots=True, kw_only=True)
class Funds:
    """What a cycle may spend. `mind`: there is a model to ask. `tokens`: for the next cycle, 0 when used up."""

    mind: bool = False
    tokens: int = 0
    again_at: datetime | None = None  # when there will be more


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A task that is due and that a cycle can take."""

    id: str
    priority: Priority
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """All that the gate looks at."""

    now: datetime
    rhythm: Rhythm
    switched_off: bool = False
    paused: str = ""  # the user's word for it, or why
    running: str = ""  # id of the cycle that goes on
    elsewhere: str = ""  # the machine that has the lease
    last_ended_at: datetime | None = None
    next_wake_at: datetime | None = None
    events: tuple[AmbientEvent, ...] = ()
    due: tuple[Due, ...] = ()
    active_until: datetime | None = None  # the user counts as active until then
    backoff_until: datetime | None = None
    funds: Funds = Funds()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Run now."""

    because: AmbientEvent
    mind: bool  # whether there is budget for a model


@dataclass(frozen=True, slots=True, kw_only=True)
class Delay:
    """Do not run. `until`: when to ask again at the latest; None: when something changes."""

    why: GateReason
    until: datetime | None
    detail: str = ""

    @property
    def words(self) -> str:
        return f"{self.why.value}: {self.detail}" if self.detail else self.why.value


Decision = Run | Delay


def decide(seen: Situation) -> Decision:
    """Run or Delay."""
    if stopped := _stopped(seen):
        return stopped
    reasons = in_order(_reasons(seen))
    if not reasons:
        return Delay(why=GateReason.NOTHING, until=_next_reason(seen))
    first = reasons[0]
    if first.urgency is not EventUrgency.IMMEDIATE and (held := _held(seen, reasons)):
        return held
    if seen.funds.mind and seen.funds.tokens <= 0:
        if first.urgency is EventUrgency.IMMEDIATE:
            return Run(because=first, mind=False)
        return Delay(why=GateReason.BUDGET, until=seen.funds.again_at or seen.now + seen.rhythm.max_interval)
    return Run(because=first, mind=seen.funds.mind)


def _stopped(seen: Situation) -> Delay | None:
    """What no event overrules."""
    if seen.switched_off:
        return Delay(why=GateReason.SWITCHED_OFF, until=None)
    commanded = any(event.trigger is Trigger.COMMAND for event in seen.events)
    if not seen.rhythm.enabled and not commanded:
        return Delay(why=GateReason.DISABLED, until=None)
    if seen.paused and not commanded:
        return Delay(why=GateReason.PAUSED, until=None, detail=seen.paused)
    if seen.running:
        return Delay(why=GateReason.RUNNING, until=seen.now + LOOK_AGAIN, detail=seen.running)
    if seen.elsewhere:
        return Delay(why=GateReason.ELSEWHERE, until=seen.now + LOOK_AGAIN, detail=seen.elsewhere)
    return None


def _reasons(seen: Situation) -> Iterator[AmbientEvent]:
    """Every reason there is to run now, held back or not."""
    yield from seen.events
    for task in seen.due:
        yield AmbientEvent(trigger=Trigger.TASK_DUE, at=task.at, detail=task.id)
    wake = seen.next_wake_at
    if wake is None or wake <= seen.now or wake - seen.now > seen.rhythm.max_interval:  # a clock that was set back
        yield AmbientEvent(trigger=Trigger.TIMER, at=wake if wake is not None and wake <= seen.now else seen.now)


def _held(seen: Situation, reasons: Sequence[AmbientEvent]) -> Delay | None:
    """What holds back anything but a command."""
    if seen.rhythm.pause_on_active_session and seen.active_until is not None and seen.active_until > seen.now:
        return Delay(why=GateReason.USER_ACTIVE, until=seen.active_until)
    if seen.backoff_until is not None and seen.backoff_until > seen.now:
        return Delay(why=GateReason.BACKOFF, until=seen.backoff_until)
    if seen.last_ended_at is None or seen.last_ended_at > seen.now:  # later than now: a clock that was set back
        return None
    soonest = min(seen.last_ended_at + _spacing(seen, reason) for reason in reasons)
    return Delay(why=GateReason.INTERVAL, until=soonest) if soonest > seen.now else None


def _spacing(seen: Situation, reason: AmbientEvent) -> timedelta:
    if reason.trigger is Trigger.TIMER:
        return seen.rhythm.min_interval  # its moment was chosen with the interval in mind
    if reason.trigger is Trigger.TASK_DUE:
        priority = next((task.priority for task in seen.due if task.id == reason.detail), Priority.NORMAL)
        return seen.rhythm.spacing(of_priority(priority))
    return seen.rhythm.spacing(reason.urgency)


def _next_reason(seen: Situation) -> datetime:
    return seen.next_wake_at if seen.next_wake_at is not None else seen.now + seen.rhythm.max_interval
