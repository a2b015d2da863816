"""The ambient agent of one garden: looks whether it may run, runs one cycle, and answers for itself.

Lock, recover, look, plan, work, end: each transition is stored before it is acted on. Whoever calls decides when; the
daemon asks `step` again and again, a person says `ambient run`.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

from nightgarden.ambient import without_mind
from nightgarden.ambient.context import active_until, gather
from nightgarden.ambient.cycles import (
    CYCLE_PREFIX,
    Cycle,
    State,
    Status,
    can_resume,
    in_words,
    kind_of,
    off_since,
    resumed,
)
from nightgarden.ambient.events import Event, Trigger, with_event
from nightgarden.ambient.gate import Decision, Delay, Due, Funds, Rhythm, Run, Situation, Why, decide
from nightgarden.ambient.lease import Holding, Leases
from nightgarden.ambient.running import Halt, Halted, Progress, Running
from nightgarden.ambient.stored import Records
from nightgarden.ambient.trust import Trust, weigh
from nightgarden.ambient.wake import NextWake, Wish, next_wake
from nightgarden.care import machine_of
from nightgarden.domain.documents import ABSENT
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.memory import GLOBAL
from nightgarden.domain.schedule import Target
from nightgarden.domain.shelf import Kept
from nightgarden.errors import GardenBusy, LeaseLost
from nightgarden.garden import Garden
from nightgarden.recall.switch import is_off


class Ambient:
    """One per process and garden; `garden` is the one of the data folder, outside any project."""

    def __init__(self, garden: Garden, *, steady: Callable[[], float] = time.monotonic) -> None:
        self.garden = garden
        self.records = Records(garden.store)
        self.settings = garden.settings.ambient
        self.machine = machine_of(garden.settings)
        self._leases = Leases(
            garden.store,
            garden,
            machine=self.machine,
            seconds=self.settings.lease_seconds,
            steady=steady,
        )
        self._ids = IdMaker(lambda: secrets.randbits(64))
        self._running: Running | None = None

    @property
    def rhythm(self) -> Rhythm:
        longest = max(self.settings.max_interval_minutes, self.settings.min_interval_minutes)
        return Rhythm(
            enabled=self.settings.enabled,
            min_interval=timedelta(minutes=self.settings.min_interval_minutes),
            max_interval=timedelta(minutes=longest),
            pause_on_active_session=self.settings.pause_on_active_session,
        )

    # -- deciding ----------------------------------------------------------------------------------------------------
    async def look(self, *, command: bool = False) -> Decision:
        """Whether a cycle may run now, and why not."""
        return decide(await self._situation(command=command))

    async def _situation(self, *, command: bool = False) -> Situation:
        garden, now = self.garden, self.garden.now()
        state = await self._settled()
        events = state.events
        if command:
            events = with_event(events, Event(trigger=Trigger.COMMAND, at=now))
        interrupted = await self._interrupted(state)
        if interrupted is not None:
            events = with_event(events, Event(trigger=Trigger.RECOVERY, at=now, detail=interrupted.id))
        due = [
            Due(id=task.id, priority=task.priority, at=task.wake_at)
            for task in await garden.schedule.list(scope="all")
            if task.takeable(now, (Target.AMBIENT,))
        ]
        return Situation(
            now=now,
            rhythm=self.rhythm,
            switched_off=await is_off(garden.store, (GLOBAL,)),
            paused=state.paused,
            running=self._running.cycle.id if self._running is not None else "",
            elsewhere=await self._leases.elsewhere(),
            last_ended_at=state.last_ended_at,
            next_wake_at=state.next_wake_at,
            events=events,
            due=tuple(due),
            active_until=await active_until(garden, idle=timedelta(minutes=self.settings.idle_minutes)),
            backoff_until=state.backoff_until,
            funds=await self.funds(),
        )

    async def funds(self) -> Funds:
        return Funds()

    async def _settled(self) -> State:
        """The state, after the end of a cycle whose process died between closing the cycle and saying so there."""
        state = await self.records.state()
        kept = await self.records.cycle_shelf.get(state.running) if state.running else None
        if kept is None or not kept.value.over:
            return state
        return await self.records.change_state(lambda state: _after(state, kept.value), at=self.garden.now())

    async def _interrupted(self, state: State) -> Cycle | None:
        """The cycle that says it is running, when nobody runs it any more as far as this process can tell."""
        if not state.running or self._running is not None:
            return None
        kept = await self.records.cycle_shelf.get(state.running)
        return kept.value if kept is not None and not kept.value.over else None

    async def note(self, trigger: Trigger, detail: str = "") -> None:
        """Something happened that may be a reason to run."""
        await self.records.note(Event(trigger=trigger, at=self.garden.now(), detail=detail[:200]))

    async def step(self, told: Progress | None = None) -> tuple[Decision, Cycle | None]:
        """What a daemon does again and again: run a cycle if one may run now."""
        decision = await self.look()
        now = self.garden.now()
        words = decision.words if isinstance(decision, Delay) else f"running: {decision.because.words}"
        until = decision.until if isinstance(decision, Delay) else None
        await self.records.change_state(
            lambda s: replace(
                s, decided=words, decided_at=now, decided_until=until, seen_at=now, off_since=off_since(s, now)
            ),
            at=now,
        )
        if isinstance(decision, Delay):
            return decision, None
        try:
            return decision, await self.run(decision, told)
        except GardenBusy as busy:
            return Delay(why=Why.ELSEWHERE, until=now + timedelta(minutes=1), detail=str(busy)), None

    # -- running -----------------------------------------------------------------------------------------------------
    async def run(self, because: Run, told: Progress | None = None) -> Cycle:
        """One cycle from lock to end. Raises GardenBusy when one is running here or elsewhere."""
        async with self._leases.held() as holding:
            running = await self._begin(because, holding, told)
            self._running = running
            try:
                return await self._carry_out(running)
            finally:
                self._running = None

    async def _begin(self, because: Run, holding: Holding, told: Progress | None) -> Running:
        """Goes on with the cycle that broke off, or begins one. The state names it before anything is done."""
        now, state = self.garden.now(), await self._settled()
        kept = await self._recover(state, holding)
        if kept is None:
            cycle = Cycle(
                id=f"{CYCLE_PREFIX}{self._ids.make(now)}",
                machine=self.machine,
                epoch=holding.epoch,
                because=because.because,
                started_at=now,
                kind=kind_of(state, now),
                mind=because.mind,
                off_since=off_since(state, now),
            )
            await self.records.change_state(lambda s: replace(s, running=cycle.id, last_started_at=now), at=now)
            kept = await self.records.put_cycle(cycle, expected=ABSENT, at=now)
        if told is not None:
            told(kept.value)
        return Running(self.records, kept, holding, self.garden, look=self._should_end, told=told)

    async def _recover(self, state: State, holding: Holding) -> Kept[Cycle] | None:
        """The cycle to go on with. One that broke off too often is closed, and what it had taken is given back."""
        if not state.running:
            return None
        kept = await self.records.cycle_shelf.get(state.running)
        if kept is None:  # its process died before it was written down: nothing was begun
            return None
        if can_resume(kept.value):
            cycle = resumed(kept.value, machine=self.machine, epoch=holding.epoch)
            return await self.records.put_cycle(cycle, expected=kept.version, at=self.garden.now())
        cycle = replace(
            kept.value,
            status=Status.INTERRUPTED,
            ended_at=self.garden.now(),
            summary=in_words(kept.value),
            warning="its process ended too often",
        )
        await self.records.put_cycle(cycle, expected=kept.version, at=self.garden.now())
        await self._give_back(cycle.id)
        return None

    async def _carry_out(self, running: Running) -> Cycle:
        status, warning = Status.COMPLETE, ""
        try:
            context = await gather(self.garden, self.records, off_since=running.cycle.off_since)
            await without_mind.prepare(running, context)
            await without_mind.work(self.garden, running)
            if not running.cycle.mind:
                await without_mind.tell_the_rest(self.garden, context, has_mind=(await self.funds()).mind)
        except Halted as halted:
            if halted.halt is Halt.LOST:
                raise LeaseLost("another machine took the cycle over") from None
            status = {Halt.USER: Status.PAUSED, Halt.STOP: Status.STOPPED}.get(halted.halt, Status.INCOMPLETE)
            warning = halted.halt.value
        return await self._end(running, status, warning)

    async def _end(self, running: Running, status: Status, warning: str = "", wish: Wish | None = None) -> Cycle:
        """Closes the cycle: its record first, then the state, which sets the next wake."""
        now = self.garden.now()
        if status is not Status.COMPLETE:
            await self._give_back(running.cycle.id)
        wake = await self._next_wake(now, wish)
        cycle = await running.save(
            lambda cycle: replace(
                cycle,
                status=status,
                ended_at=now,
                warning=warning,
                summary=cycle.summary or in_words(cycle),
                memories_modified=cycle.memories_modified or sum(step.changes for step in cycle.steps),
                next_wake_at=wake.at,
                next_reason=wake.reason,
                next_context=wake.context,
            )
        )
        await self.records.change_state(lambda state: _after(state, cycle), at=now)
        await self.records.forget_old_cycles(keep=self.settings.log_cycles, at=now)
        return cycle

    async def _next_wake(self, now: datetime, wish: Wish | None) -> NextWake:
        until = await active_until(self.garden, idle=timedelta(minutes=self.settings.idle_minutes))
        active = until is not None and until > now
        idle_for = now - until if until is not None and until <= now else None
        return next_wake(now, self.rhythm, wish=wish, active=active, idle_for=idle_for)

    async def _should_end(self, cycle: Cycle) -> Halt | None:
        now, state = self.garden.now(), await self.records.state()
        if state.stop_asked:
            return Halt.STOP
        if self._running is not None and now - self._running.since >= timedelta(minutes=self.settings.cycle_minutes):
            return Halt.TIME
        if cycle.because.trigger is Trigger.COMMAND or not self.settings.pause_on_active_session:
            return None
        until = await active_until(self.garden, idle=timedelta(0))
        return Halt.USER if until is not None and until > cycle.started_at else None

    # -- what its user says ------------------------------------------------------------------------------------------
    async def pause(self, reason: str = "") -> State:
        """No cycle runs by itself until `resume`; one that is running ends at the next safe point."""
        now = self.garden.now()
        why = reason.strip()[:200] or "by you"
        return await self.records.change_state(
            lambda s: replace(s, paused=why, paused_at=now, stop_asked=bool(s.running)), at=now
        )

    async def resume(self) -> State:
        now = self.garden.now()
        return await self.records.change_state(
            lambda s: replace(s, paused="", paused_at=None, stop_asked=False, backoff_until=None, limited=0), at=now
        )

    async def stop(self) -> bool:
        """Ends the cycle that is running, at the next safe point. False when none is."""
        state = await self._settled()
        if not state.running:
            return False
        await self.records.change_state(lambda s: replace(s, stop_asked=True), at=self.garden.now())
        return True

    async def trust(self, cycle_id: str | None = None, *, approved: bool = True) -> Trust:
        """Skips the cold start, or says whether one cycle was good. Raises NotFound."""
        now = self.garden.now()
        if cycle_id is None:
            await self.records.change_state(lambda s: replace(s, trusted_at=now if approved else None), at=now)
        else:
            kept = await self.records.cycle(cycle_id)
            await self.records.put_cycle(replace(kept.value, approved=approved), expected=kept.version, at=now)
        return await self.trusted()

    async def trusted(self) -> Trust:
        """How far the cold start has come."""
        undone = {entry.undoes for entry in await self.garden.store.undos() if entry.undoes}
        return weigh(
            await self.records.state(),
            await self.records.cycles(),
            undone=undone,
            granted=(),
            complete_needed=self.settings.warmup_cycles,
            approved_needed=self.settings.warmup_approved,
        )

    async def _give_back(self, cycle_id: str) -> None:
        """Tasks that a cycle took and did not do are open again."""
        for task in await self.garden.schedule.list(scope="all"):
            if task.taken_by == cycle_id:
                await self.garden.schedule.give_back(task.id, by=cycle_id, why="its cycle ended before it was done")


def _after(state: State, cycle: Cycle) -> State:
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
        cycles=state.cycles + 1,
        stop_asked=False,
        off_since=None,
        events=tuple(event for event in state.events if event.at > cycle.started_at),
    )
