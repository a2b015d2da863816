"""How the ambient agent is doing: what it does, what waits, what it did last, when it wakes and why, what is left.

The figures of its panel, of the status line, and of `ambient status --json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycles import Cycle, StepState
from nightgarden.ambient.money import Figures
from nightgarden.ambient.run_gate import Decision, GateReason, Run
from nightgarden.ambient.trust import Trust
from nightgarden.domain.schedule import ScheduledTask, Target, in_order, span
from nightgarden.domain.time import write_moment
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import RequestStatus
from nightgarden.settings import Settings

BAR_CELLS = 10
_USER, _AMBIENT, _LEFT = "▓", "█", "░"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """What of the budget is whose, as parts of 1."""

    user: float
    ambient: float

    @property
    def left(self) -> float:
        return max(0.0, 1.0 - self.user - self.ambient)

    @property
    def bar(self) -> str:
        """Three segments: the user's, the agent's, what is left."""
        user = round(min(1.0, self.user) * BAR_CELLS)
        ambient = min(BAR_CELLS - user, round(self.ambient * BAR_CELLS))
        return _USER * user + _AMBIENT * ambient + _LEFT * (BAR_CELLS - user - ambient)

    @property
    def words(self) -> str:
        return f"{self.bar} you {self.user:.0%}, agent {self.ambient:.0%}, {self.left:.0%} left"


@dataclass(frozen=True, slots=True, kw_only=True)
class AmbientStatus:
    """The panel."""

    now: datetime
    state: str  # idle, running, scheduled, paused, disabled
    detail: str
    queue: tuple[ScheduledTask, ...]
    last: Cycle | None
    next_wake_at: datetime | None
    next_reason: str
    next_context: str
    events: tuple[str, ...]
    trust: Trust
    cycles: int
    pending_requests: int = 0
    needed: str = ""  # the setting that work on code needs beside trust
    shares: Shares | None = None

    def shape(self) -> dict[str, Any]:
        """The documented JSON."""
        last = self.last
        return {
            "state": self.state,
            "detail": self.detail,
            "queue": {
                "count": len(self.queue),
                "next": self.queue[0].task if self.queue else None,
                "next_at": write_moment(self.queue[0].wake_at) if self.queue else None,
            },
            "last": None if last is None else cycle_line(last),
            "next_wake_at": write_moment(self.next_wake_at) if self.next_wake_at else None,
            "next_reason": self.next_reason,
            "next_context": self.next_context,
            "waiting_events": list(self.events),
            "trust": {"earned": self.trust.earned, "line": self.trust.words},
            "cycles": self.cycles,
            "pending_requests": self.pending_requests,
            "budget": None
            if self.shares is None
            else {"user": self.shares.user, "ambient": self.shares.ambient, "left": self.shares.left},
        }

    def lines(self) -> list[str]:
        """The panel in words."""
        lines = [f"{_SIGNS.get(self.state, '●')} {self.state}" + (f" ({self.detail})" if self.detail else "")]
        first = f" (next: {self.queue[0].task[:50]})" if self.queue else ""
        lines.append(f"Queue: {len(self.queue)} item{'s' if len(self.queue) != 1 else ''}{first}")
        if self.last is not None:
            ended = self.last.ended_at or self.last.started_at
            lines.append(f"Last: {span(self.now - ended)} ago, {self.last.status.value} — {self.last.line}")
        if self.next_wake_at is not None:
            away = self.next_wake_at - self.now
            how = f"in {span(away)}" if away > timedelta(0) else "due"
            about = f" — {self.next_context}" if self.next_context else ""
            lines.append(f"Next: {how} ({self.next_reason}){about}")
        if self.shares is not None:
            lines.append(f"Budget: {self.shares.words}")
        if self.pending_requests:
            lines.append(f"Waiting for you: {self.pending_requests} to approve; `nightgarden permissions list`")
        lines.append(f"Work on code: {f'off, it needs {self.needed}' if self.needed else self.trust.words}")
        return lines


_SIGNS = {"running": "●", "scheduled": "◷", "idle": "○", "paused": "⏸", "disabled": "—"}


async def status_of(ambient: Ambient) -> AmbientStatus:
    """Looks at everything now."""
    decision, state = await ambient.look(), await ambient.records.state()
    now = ambient.garden.now()
    going = await ambient.records.cycle_shelf.get(state.running) if state.running else None
    cycles = await ambient.records.cycles(limit=2)
    tasks = await ambient.garden.schedule.list(scope="all")
    cycle = going.value if going is not None and not going.value.over else None
    word, detail = _state(decision, cycle if await ambient.going() else None)
    if cycle is not None and word != "running":
        detail = f"{detail}; " if detail else ""
        detail += f"cycle {cycle.id[-8:]} broke off and will be gone on with"
    return AmbientStatus(
        now=now,
        state=word,
        detail=detail,
        queue=tuple(in_order(task for task in tasks if task.target is Target.AMBIENT)),
        last=next((cycle for cycle in cycles if cycle.over), None),
        next_wake_at=state.next_wake_at,
        next_reason=state.next_reason,
        next_context=state.next_context,
        events=tuple(event.words for event in state.events),
        trust=await ambient.control.trusted(),
        cycles=state.cycles,
        pending_requests=len(await Permissions(ambient.garden).list(statuses=(RequestStatus.PENDING,))),
        needed=setting_needed(ambient.garden.settings),
        shares=shares_of(await ambient.money()) if ambient.converser() is not None else None,
    )


def setting_needed(settings: Settings) -> str:
    """What has to be set before code is worked on; empty when that is done."""
    if not settings.safety.proactive:
        return "safety.proactive = true"
    return "" if settings.ambient.proactive_work else "ambient.proactive_work = true"


def shares_of(money: Figures) -> Shares:
    """Whose the day is: of all that was used and may still be used."""
    whole = max(1, money.user_tokens + max(money.own_tokens, money.cap))
    return Shares(user=money.user_tokens / whole, ambient=money.own_tokens / whole)


def _state(decision: Decision, going: Cycle | None) -> tuple[str, str]:
    if going is not None:
        begun = [step.key for step in going.steps if step.state is StepState.BEGUN]
        return "running", begun[0] if begun else going.because.words
    if isinstance(decision, Run):
        return "idle", "about to run"
    match decision.why:
        case GateReason.DISABLED:
            return "disabled", ""
        case GateReason.SWITCHED_OFF:
            return "disabled", decision.words
        case GateReason.PAUSED:
            return "paused", decision.detail
        case GateReason.BACKOFF | GateReason.BUDGET | GateReason.USER_ACTIVE:
            return "paused", decision.words
        case GateReason.RUNNING | GateReason.ELSEWHERE:
            return "running", decision.words
        case GateReason.NOTHING | GateReason.INTERVAL:
            return "scheduled", ""


def cycle_line(cycle: Cycle) -> dict[str, Any]:
    """A cycle in lists."""
    return {
        "id": cycle.id,
        "status": cycle.status.value,
        "kind": cycle.kind.value,
        "because": cycle.because.words,
        "machine": cycle.machine,
        "started_at": write_moment(cycle.started_at),
        "ended_at": write_moment(cycle.ended_at) if cycle.ended_at else None,
        "summary": cycle.summary,
        "memories_modified": cycle.memories_modified,
        "compactions": cycle.compactions,
        "proactive_work": cycle.proactive_work or None,
        "mind": cycle.model or None,
        "tokens": cycle.tokens,
        "resumes": cycle.resumes,
        "warning": cycle.warning or None,
        "next_wake_at": write_moment(cycle.next_wake_at) if cycle.next_wake_at else None,
        "next_reason": cycle.next_reason,
        "approved": cycle.approved,
    }


def cycle_shape(cycle: Cycle) -> dict[str, Any]:
    """A cycle whole."""
    steps: list[Mapping[str, Any]] = [
        {"step": step.key, "state": step.state.value, "line": step.line, "changes": step.changes}
        for step in cycle.steps
    ]
    todos = [{"text": todo.text, "state": todo.state.value} for todo in cycle.todos]
    return cycle_line(cycle) | {"steps": steps, "todos": todos}
