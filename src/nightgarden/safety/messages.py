"""What the user is told of: named events, each with a body that may be read by anybody and one that may not. Values.

The safe body has counts and states only, no word that a model or a repository wrote: channels such as a public ntfy
topic get that one. The detailed body goes to the user's private channels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from nightgarden.domain.time import write_moment
from nightgarden.safety.requests import Urgency


class EventName(StrEnum):
    """What can be told."""

    CYCLE_SUMMARY = "cycle_summary"
    REQUEST = "request"
    FAILURE = "failure"
    BUDGET_REACHED = "budget_reached"
    LOSS_GATE = "loss_gate_stopped"
    MESSAGE = "message"
    TEST = "test"


TITLES = {
    EventName.CYCLE_SUMMARY: "a cycle has ended",
    EventName.REQUEST: "permission wanted",
    EventName.FAILURE: "something failed",
    EventName.BUDGET_REACHED: "the budget is used up",
    EventName.LOSS_GATE: "tending was stopped before it archived too much",
    EventName.MESSAGE: "a word from the agent",
    EventName.TEST: "a test",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyEvent:
    """Something to be told. `counts` makes the safe body, `detail` the private one."""

    name: EventName
    urgency: Urgency = Urgency.NORMAL
    counts: dict[str, int] = field(default_factory=dict)
    detail: str = ""
    subject_id: str = ""  # of a request or a cycle; replies refer to it

    @property
    def safe_body(self) -> str:
        counted = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in self.counts.items())
        return f"{TITLES[self.name]}{': ' + counted if counted else ''}"


class DeliveryStatus(StrEnum):
    """Where a notification stands with one channel."""

    WAITING = "waiting"
    SENT = "sent"
    DEAD = "dead"  # given up; visible until the user drops it


@dataclass(frozen=True, slots=True, kw_only=True)
class Notification:
    """One event for one channel, in the outbox until it is sent or given up."""

    id: str
    channel: str
    event: EventName
    urgency: Urgency
    safe: str
    detail: str
    subject_id: str = ""
    created_at: datetime
    due_at: datetime
    attempts: int = 0
    status: DeliveryStatus = DeliveryStatus.WAITING
    error: str = ""
    sent_at: datetime | None = None


def notification_shape(one: Notification) -> dict[str, Any]:
    return {
        "id": one.id,
        "channel": one.channel,
        "event": one.event.value,
        "urgency": one.urgency.value,
        "status": one.status.value,
        "text": one.safe,
        "subject_id": one.subject_id or None,
        "created_at": write_moment(one.created_at),
        "due_at": write_moment(one.due_at),
        "attempts": one.attempts,
        "error": one.error or None,
        "sent_at": write_moment(one.sent_at) if one.sent_at else None,
    }
