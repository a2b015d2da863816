"""What may wake the ambient agent, and how urgent each is. Pure.

An event is stored when it happens and stays until a cycle has begun that takes it up: what comes during a cycle, or
while the agent may not run, waits its turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum, StrEnum

from nightgarden.domain.schedule import Priority

WAITING_MAX = 200  # taste: more of one night say nothing that these do not
DETAIL_CHARS_MAX = 200


class Trigger(StrEnum):
    """Why a cycle runs."""

    TIMER = "timer"
    SESSION_CRASHED = "session crashed"
    SESSION_CLOSED = "session closed"
    GIT_PUSH = "git push"
    USER_IDLE = "user idle"
    COMMAND = "ambient run"
    DIRECTIVE = "directive"
    DECISION = "decision"  # about something that the agent asked for
    TASK_DUE = "task due"
    RECOVERY = "recovery"  # a cycle broke off


class EventUrgency(IntEnum):
    """How soon an event may wake the agent."""

    LOW = 1
    NORMAL = 2
    HIGH = 3
    IMMEDIATE = 4


URGENCY = {
    Trigger.TIMER: EventUrgency.NORMAL,
    Trigger.SESSION_CRASHED: EventUrgency.HIGH,  # its memories were likely never taken
    Trigger.SESSION_CLOSED: EventUrgency.NORMAL,
    Trigger.GIT_PUSH: EventUrgency.LOW,  # the code changed: facts may be stale
    Trigger.USER_IDLE: EventUrgency.LOW,
    Trigger.COMMAND: EventUrgency.IMMEDIATE,
    Trigger.DIRECTIVE: EventUrgency.IMMEDIATE,
    Trigger.DECISION: EventUrgency.HIGH,
    Trigger.TASK_DUE: EventUrgency.NORMAL,  # unless the task says otherwise, see `of_task`
    Trigger.RECOVERY: EventUrgency.HIGH,
}
_OF_PRIORITY = {Priority.LOW: EventUrgency.LOW, Priority.NORMAL: EventUrgency.NORMAL, Priority.HIGH: EventUrgency.HIGH}


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbientEvent:
    """Something happened that may be a reason to run."""

    trigger: Trigger
    at: datetime
    detail: str = ""  # which session, which repository, which task

    @property
    def urgency(self) -> EventUrgency:
        return URGENCY[self.trigger]

    @property
    def words(self) -> str:
        return f"{self.trigger.value} ({self.detail})" if self.detail else self.trigger.value


def of_priority(priority: Priority) -> EventUrgency:
    """How urgent a due task is."""
    return _OF_PRIORITY[priority]


def in_order(events: Iterable[AmbientEvent]) -> list[AmbientEvent]:
    """The most urgent first, then the oldest."""
    return sorted(events, key=lambda event: (-event.urgency, event.at, event.trigger.value, event.detail))


def with_event(waiting: tuple[AmbientEvent, ...], new: AmbientEvent) -> tuple[AmbientEvent, ...]:
    """The waiting events and a new one. The same thing about the same subject is one event: the first. When there are
    too many, the least urgent and newest go."""
    if any((event.trigger, event.detail) == (new.trigger, new.detail) for event in waiting):
        return waiting
    return tuple(in_order((*waiting, new))[:WAITING_MAX])
