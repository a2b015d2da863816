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


class Urgency(IntEnum):
    """How soon an event may wake the agent."""

    LOW = 1
    NORMAL = 2
    HIGH = 3
    IMMEDIATE = 4


URGENCY = {
    Trigger.TIMER: Urgency.NORMAL,
    Trigger.SESSION_CRASHED: Urgency.HIGH,  # its memories were likely never taken
    Trigger.SESSION_CLOSED: Urgency.NORMAL,
    Trigger.GIT_PUSH: Urgency.LOW,  # the code changed: facts may be stale
    Trigger.USER_IDLE: Urgency.LOW,
    Trigger.COMMAND: Urgency.IMMEDIATE,
    Trigger.DIRECTIVE: Urgency.IMMEDIATE,
    Trigger.DECISION: Urgency.HIGH,
    Trigger.TASK_DUE: Urgency.NORMAL,  # unless the task says otherwise, see `of_task`
    Trigger.RECOVERY: Urgency.HIGH,
}
_OF_PRIORITY = {Priority.LOW: Urgency.LOW, Priority.NORMAL: Urgency.NORMAL, Priority.HIGH: Urgency.HIGH}


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something happened that may be a reason to run."""

    trigger: Trigger
    at: datetime
    detail: str = ""  # which session, which repository, which task

    @property
    def urgency(self) -> Urgency:
        return URGENCY[self.trigger]

    @property
    def words(self) -> str:
        return f"{self.trigger.value} ({self.detail})" if self.detail else self.trigger.value


def of_priority(priority: Priority) -> Urgency:
    """How urgent a due task is."""
    return _OF_PRIORITY[priority]


def in_order(events: Iterable[Event]) -> list[Event]:
    """The most urgent first, then the oldest."""
    return sorted(events, key=lambda event: (-event.urgency, event.at, event.trigger.value, event.detail))


def with_event(waiting: tuple[Event, ...], new: Event) -> tuple[Event, ...]:
    """The waiting events and a new one. The same thing about the same subject is one event: the first. When there are
    too many, the least urgent and newest go."""
    if any((event.trigger, event.detail) == (new.trigger, new.detail) for event in waiting):
        return waiting
    return tuple(in_order((*waiting, new))[:WAITING_MAX])
