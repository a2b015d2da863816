"""A cycle: one run of the ambient agent, as it is stored while it goes on and afterwards. Pure.

Every transition is stored before it is acted on: a step is noted as begun, then done. A process that is killed leaves
a record that says what was planned, what had begun and what is done; the next one goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from nightgarden.ambient.events import AmbientEvent
from nightgarden.domain.schedule import span

CYCLE_PREFIX = "ambient-"  # of ids, beside `tend-` and `undo-`
RESUMES_MAX = 3  # a cycle that brings its process down each time is given up after so many tries
STALE = timedelta(hours=6)  # a longer silence than this makes the next cycle one that catches up; taste
TODOS_MAX = 40
LINE_CHARS_MAX = 400


class CyclePhase(StrEnum):
    """Where a cycle stands."""

    RUNNING = "running"
    COMPLETE = "complete"
    INCOMPLETE = "incomplete"  # the agent stopped without ending it, or was cut off
    PAUSED = "paused"  # the user came back; what was left is done in the next one
    STOPPED = "stopped"  # by the user
    INTERRUPTED = "interrupted"  # its process died, and it was not gone on with


class CycleKind(StrEnum):
    """What sort of cycle it is."""

    NORMAL = "normal"
    CATCH_UP = "catch-up"  # after a long silence: looks at what is, replays nothing


class StepState(StrEnum):
    """Where a step, or a todo of the agent, stands."""

    PLANNED = "planned"
    BEGUN = "begun"
    DONE = "done"
    FAILED = "failed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleStep:
    """One piece of a cycle. What it is about is in `subject`: an operation, a task, a session."""

    name: str
    subject: str = ""
    state: StepState = StepState.PLANNED
    line: str = ""  # what came of it, in words
    changes: int = 0
    tries: int = 0

    @property
    def key(self) -> str:
        return f"{self.name}:{self.subject}" if self.subject else self.name

    @property
    def open(self) -> bool:
        return self.state in (StepState.PLANNED, StepState.BEGUN)


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleTodo:
    """A line of the agent's own plan."""

    text: str
    state: StepState = StepState.PLANNED


@dataclass(frozen=True, slots=True, kw_only=True)
class Cycle:
    """One run."""

    id: str
    machine: str
    epoch: int  # of the lease it was begun or resumed under
    because: AmbientEvent
    started_at: datetime
    kind: CycleKind = CycleKind.NORMAL
    status: CyclePhase = CyclePhase.RUNNING
    mind: bool = False  # whether a model is asked
    steps: tuple[CycleStep, ...] = ()
    todos: tuple[CycleTodo, ...] = ()
    resumes: int = 0
    off_since: datetime | None = None  # the last sign of life before this cycle, when that was long ago
    ended_at: datetime | None = None
    summary: str = ""
    memories_modified: int = 0
    compactions: int = 0
    proactive_work: str = ""
    provider: str = ""
    model: str = ""
    tokens: int = 0
    cost_usd: float | None = None
    next_wake_at: datetime | None = None
    next_reason: str = ""
    next_context: str = ""
    warning: str = ""
    limited: int = 0  # rate limits in a row, this cycle's included
    backoff_until: datetime | None = None
    approved: bool | None = None  # by the user: trusted, or taken back

    @property
    def over(self) -> bool:
        return self.status is not CyclePhase.RUNNING

    def step(self, key: str) -> CycleStep | None:
        return next((step for step in self.steps if step.key == key), None)

    def planned(self, steps: Iterable[CycleStep]) -> Cycle:
        """With these steps after those it has; one that is there already is left as it is."""
        known = {step.key for step in self.steps}
        fresh = [step for step in steps if step.key not in known]
        return replace(self, steps=(*self.steps, *fresh))

    def begun(self, key: str) -> Cycle:
        return self._with(key, lambda step: replace(step, state=StepState.BEGUN, tries=step.tries + 1))

    def done(self, key: str, line: str, *, changes: int = 0) -> Cycle:
        return self._with(
            key, lambda step: replace(step, state=StepState.DONE, line=line[:LINE_CHARS_MAX], changes=changes)
        )

    def failed(self, key: str, line: str) -> Cycle:
        return self._with(key, lambda step: replace(step, state=StepState.FAILED, line=line[:LINE_CHARS_MAX]))

    def skipped(self, key: str, line: str) -> Cycle:
        return self._with(key, lambda step: replace(step, state=StepState.SKIPPED, line=line[:LINE_CHARS_MAX]))

    def _with(self, key: str, change: Callable[[CycleStep], CycleStep]) -> Cycle:
        return replace(self, steps=tuple(change(step) if step.key == key else step for step in self.steps))

    @property
    def open_steps(self) -> tuple[CycleStep, ...]:
        return tuple(step for step in self.steps if step.open)

    @property
    def line(self) -> str:
        """What it did, in a line for lists."""
        first = self.summary.strip().splitlines()[0] if self.summary.strip() else ""
        return first[:LINE_CHARS_MAX] or self.warning or "nothing noted"


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleState:
    """What the ambient agent knows of itself between cycles."""

    paused: str = ""  # why; empty: not paused
    paused_at: datetime | None = None
    running: str = ""  # the cycle that goes on, or that broke off
    last_cycle: str = ""
    last_started_at: datetime | None = None
    last_ended_at: datetime | None = None
    next_wake_at: datetime | None = None
    next_reason: str = ""
    next_context: str = ""
    limited: int = 0  # rate limits in a row
    backoff_until: datetime | None = None
    events: tuple[AmbientEvent, ...] = ()
    cycles: int = 0
    trusted_at: datetime | None = None  # the user skipped the cold start
    stop_asked: bool = False
    seen_at: datetime | None = None  # the last sign of life of a daemon
    off_since: datetime | None = None  # there was none for long before the last one, and no cycle since
    decided: str = ""  # the last decision of the gate, in words
    decided_at: datetime | None = None
    decided_until: datetime | None = None


def off_since(state: CycleState, now: datetime) -> datetime | None:
    """The last sign of life, when that was long enough ago to matter, or was before a cycle could be run."""
    if state.off_since is not None:
        return state.off_since
    signs = [moment for moment in (state.seen_at, state.last_ended_at) if moment is not None and moment <= now]
    last = max(signs, default=None)
    return last if last is not None and now - last >= STALE else None


def kind_of(state: CycleState, now: datetime) -> CycleKind:
    """Catch-up after a long time without a cycle; one cycle, whatever was missed."""
    last = state.last_ended_at
    return CycleKind.CATCH_UP if last is not None and now - last >= STALE else CycleKind.NORMAL


def after_cycle(state: CycleState, cycle: Cycle) -> CycleState:
    """The state once a cycle is over. Events that came before it began are settled; later ones wait their turn."""
    if state.running != cycle.id:
        return state  # said already
    return replace(
        state,
        running="",
        last_cycle=cycle.id,
        last_ended_at=cycle.ended_at,
        next_wake_at=cycle.next_wake_at,
        next_reason=cycle.next_reason,
        next_context=cycle.next_context,
        limited=cycle.limited,
        backoff_until=cycle.backoff_until,
        cycles=state.cycles + 1,
        stop_asked=False,
        off_since=None,
        events=tuple(event for event in state.events if event.at > cycle.started_at),
    )


def can_resume(cycle: Cycle) -> bool:
    """Whether a cycle that broke off is gone on with."""
    return not cycle.over and cycle.resumes < RESUMES_MAX


def resumed(cycle: Cycle, *, machine: str, epoch: int) -> Cycle:
    """The same cycle under a new lease. A step that had begun twice before is let be: it may be what kills."""
    steps = tuple(
        replace(step, state=StepState.FAILED, line="given up: the cycle broke off in it repeatedly")
        if step.state is StepState.BEGUN and step.tries >= RESUMES_MAX
        else step
        for step in cycle.steps
    )
    return replace(cycle, machine=machine, epoch=epoch, resumes=cycle.resumes + 1, steps=steps)


def in_words(cycle: Cycle) -> str:
    """The summary of a cycle that no model wrote: what each step did, most important first."""
    told = [step.line for step in cycle.steps if step.state is StepState.DONE and step.line]
    failed = [f"{step.key}: {step.line}" for step in cycle.steps if step.state is StepState.FAILED]
    left = [step.key for step in cycle.open_steps]
    parts = ["; ".join(told)[:2000] or "Nothing needed doing"]
    if failed:
        parts.append("Failed: " + "; ".join(failed)[:600])
    if left:
        parts.append("Left for the next cycle: " + ", ".join(left)[:400])
    return ". ".join(parts) + "."


def lasted(cycle: Cycle) -> str:
    return span(cycle.ended_at - cycle.started_at) if cycle.ended_at is not None else "running"
