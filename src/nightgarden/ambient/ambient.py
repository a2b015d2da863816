"""The ambient agent of one garden: looks whether it may run, runs one cycle, and answers for itself.

Lock, recover, look, plan, work, end: each transition is stored before it is acted on. Whoever calls decides when; the
daemon asks `step` again and again, a person says `ambient run`.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from nightgarden.ambient import cycle_plan, without_mind
from nightgarden.ambient.agent import Agent, waits_here
from nightgarden.ambient.ambient_documents import Records
from nightgarden.ambient.context import CycleContext, active_until, gather
from nightgarden.ambient.control import Control
from nightgarden.ambient.cycle_account import keep_transcript, mark_interrupted, tell_user
from nightgarden.ambient.cycle_prompt import Purse
from nightgarden.ambient.cycles import (
    CYCLE_PREFIX,
    Cycle,
    CyclePhase,
    CycleState,
    after_cycle,
    can_resume,
    in_words,
    kind_of,
    off_since,
    resumed,
)
from nightgarden.ambient.events import AmbientEvent, Trigger, with_event
from nightgarden.ambient.lease import Holding, Leases
from nightgarden.ambient.money import Figures, figures, find_converser
from nightgarden.ambient.run_gate import Decision, Delay, Due, Funds, GateReason, Rhythm, Run, Situation, decide
from nightgarden.ambient.running import Halt, Halted, Progress, Running
from nightgarden.ambient.tools.cycle import EndedCycle
from nightgarden.ambient.wake import NextWake, WakeWish, left_alone_until, next_wake
from nightgarden.ambient.work.worktree import Worktrees
from nightgarden.domain.conversation import Converser, Utterance
from nightgarden.domain.documents import ABSENT
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.memory import GLOBAL
from nightgarden.domain.schedule import Target
from nightgarden.domain.shelf import Kept
from nightgarden.errors import GardenBusy, LeaseLost
from nightgarden.garden import Garden
from nightgarden.minds.budget import Bounds
from nightgarden.recall.switch import is_off
from nightgarden.safety.directing import Directives
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import RequestStatus
from nightgarden.scope import machine_of

NOTED_EVERY = timedelta(minutes=5)  # how exactly it is known since when the machine was off
NO_WISH = "the agent said nothing about its next wake"


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleEnding:
    """How a cycle ends. `asked`: a model was asked; `limited`: its provider had enough of us."""

    status: CyclePhase
    warning: str = ""
    wish: WakeWish | None = None
    asked: bool = False
    limited: bool = False


class Ambient:
    """One per process and garden; `garden` is the one of the data folder, outside any project."""

    def __init__(
        self,
        garden: Garden,
        *,
        converser: Converser | None = None,
        env: Mapping[str, str] | None = None,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        """A `converser` passed in takes the place of the one in the settings."""
        self.garden = garden
        self.env = os.environ if env is None else env
        self._converser = converser
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
        self.control = Control(garden, self.records)
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
            events = with_event(events, AmbientEvent(trigger=Trigger.COMMAND, at=now))
        elsewhere = await self._leases.elsewhere()
        going = "" if elsewhere else await self._going_here(state)
        if state.running and not going and not elsewhere:
            events = with_event(events, AmbientEvent(trigger=Trigger.RECOVERY, at=now, detail=state.running))
        funds = await self.funds()
        if funds.tokens > 0:  # a directive is for a model; without one it waits
            for directive in await Directives(garden).list():
                events = with_event(events, AmbientEvent(trigger=Trigger.DIRECTIVE, at=now, detail=directive.id))
        worktrees = Worktrees(garden, self.env)
        for request in await Permissions(garden).list(statuses=(RequestStatus.APPROVED,)):
            if await waits_here(request, worktrees):
                events = with_event(events, AmbientEvent(trigger=Trigger.DECISION, at=now, detail=request.id))
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
            running=going,
            elsewhere=elsewhere,
            last_ended_at=state.last_ended_at,
            next_wake_at=state.next_wake_at,
            events=events,
            due=tuple(due),
            active_until=await active_until(garden, idle=timedelta(minutes=self.settings.idle_minutes)),
            backoff_until=state.backoff_until,
            funds=funds,
        )

    async def funds(self) -> Funds:
        """What the next cycle may spend. The first few ask nobody: they learn how much the user needs."""
        if self.converser() is None:
            return Funds()
        if (await self.records.state()).cycles < self.settings.baseline_cycles:
            return Funds(mind=False)
        budget = (await self.money()).budget
        return Funds(mind=True, tokens=budget.tokens, again_at=budget.again_at)

    def converser(self) -> Converser | None:
        """Who is asked; None: nobody is set up, or nobody may be."""
        return self._converser or find_converser(self.garden, self.env)

    async def money(self) -> Figures:
        """What was used by whom, and what is left."""
        bounds = Bounds(
            min_interval=self.rhythm.min_interval,
            max_interval=self.rhythm.max_interval,
            cycle_tokens=self.settings.cycle_tokens,
        )
        return await figures(self.garden, self.converser(), bounds)

    async def _settled(self) -> CycleState:
        """The state, after the end of a cycle whose process died between closing the cycle and saying so there."""
        state = await self.records.state()
        kept = await self.records.cycle_shelf.get(state.running) if state.running else None
        if kept is None or not kept.value.over:
            return state
        return await self.records.change_state(lambda state: after_cycle(state, kept.value), at=self.garden.now())

    async def going(self) -> str:
        """The cycle that is running, here or elsewhere; empty when there is none, or the last one broke off."""
        state = await self._settled()
        return state.running if await self._leases.elsewhere() else await self._going_here(state)

    async def _going_here(self, state: CycleState) -> str:
        if self._running is not None:
            return self._running.cycle.id
        return state.running if state.running and await self._leases.busy_here() else ""

    async def note(self, trigger: Trigger, detail: str = "") -> None:
        """Something happened that may be a reason to run."""
        await self.records.note(AmbientEvent(trigger=trigger, at=self.garden.now(), detail=detail[:200]))

    async def step(self, told: Progress | None = None) -> tuple[Decision, Cycle | None]:
        """What a daemon does again and again: run a cycle if one may run now."""
        decision = await self.look()
        now = self.garden.now()
        words = decision.words if isinstance(decision, Delay) else f"running: {decision.because.words}"
        until = decision.until if isinstance(decision, Delay) else None

        def note(state: CycleState) -> CycleState:
            """Not at each look, which would be a write every few seconds of an idle day."""
            if (
                state.decided == words
                and state.seen_at is not None
                and timedelta(0) <= now - state.seen_at < NOTED_EVERY
            ):
                return state
            return replace(
                state, decided=words, decided_at=now, decided_until=until, seen_at=now, off_since=off_since(state, now)
            )

        await self.records.change_state(note, at=now)
        if isinstance(decision, Delay):
            if decision.why is GateReason.DISABLED:
                await without_mind.tell_due_tasks(self.garden)
            return decision, None
        try:
            return decision, await self.run(decision, told)
        except GardenBusy as busy:
            return Delay(why=GateReason.ELSEWHERE, until=now + timedelta(minutes=1), detail=str(busy)), None

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
        await keep_transcript(self.garden, kept.value)
        if told is not None:
            told(kept.value)
        return Running(self.records, kept, holding, self.garden, look=self._should_end, told=told)

    async def _recover(self, state: CycleState, holding: Holding) -> Kept[Cycle] | None:
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
            status=CyclePhase.INTERRUPTED,
            ended_at=self.garden.now(),
            summary=in_words(kept.value),
            warning="its process ended too often",
        )
        await self.records.put_cycle(cycle, expected=kept.version, at=self.garden.now())
        await mark_interrupted(self.garden, cycle)
        await self._settle_tasks(cycle.id, complete=False)
        return None

    async def _carry_out(self, running: Running) -> Cycle:
        ended = CycleEnding(status=CyclePhase.COMPLETE)
        utterances: tuple[Utterance, ...] = ()
        directives: tuple[str, ...] = ()
        try:
            living = (running.cycle.id,)
            await Directives(self.garden).release(living)
            again = await Permissions(self.garden).recover(living)
            await without_mind.free_tasks(self.garden, running)
            context = await gather(self.garden, self.records, off_since=running.cycle.off_since)
            agent = await self._agent(running, context)
            agent.asked += again
            await without_mind.prepare(self.garden, running, context)
            await without_mind.work(self.garden, running, agent)
            converser = self.converser()
            if running.cycle.mind and converser is not None:
                context = await gather(self.garden, self.records, off_since=running.cycle.off_since)
                outcome = await agent.converse(converser, await self._purse(), context)
                ended = CycleEnding(status=outcome.status, warning=outcome.warning, limited=outcome.limited, asked=True)
                utterances, directives = outcome.utterances, outcome.directives
            else:
                await without_mind.tell_the_rest(self.garden, context, has_mind=converser is not None)
        except Halted as halted:
            if halted.halt is Halt.LOST:
                raise LeaseLost("another machine took the cycle over") from None
            phases = {Halt.USER: CyclePhase.PAUSED, Halt.STOP: CyclePhase.STOPPED}
            ended = CycleEnding(status=phases.get(halted.halt, CyclePhase.INCOMPLETE), warning=halted.halt.value)
        cycle = running.cycle if running.cycle.over else await self._end(running, ended)
        transcript = await keep_transcript(self.garden, cycle, utterances, directives)
        await tell_user(self.garden, cycle, transcript)
        return cycle

    async def _agent(self, running: Running, context: CycleContext) -> Agent:
        async def end(said: EndedCycle) -> None:
            """Inside the call of the tool: a process that dies right after it has lost nothing."""
            await running.save(
                lambda cycle: replace(
                    cycle.done(cycle_plan.AGENT, said.summary),
                    summary=f"{said.summary}\n\n{in_words(cycle.done(cycle_plan.AGENT, ''))}",
                    memories_modified=max(said.memories_modified, sum(step.changes for step in cycle.steps)),
                    compactions=max(said.compactions, cycle.compactions),
                    proactive_work=said.proactive_work,
                )
            )
            await self._end(running, CycleEnding(status=CyclePhase.COMPLETE, wish=said.wish, asked=True))

        return Agent(self.garden, running, context, trust=await self.control.trusted(), env=self.env, end=end)

    async def _purse(self) -> Purse:
        money = await self.money()
        budget = money.budget
        return Purse(
            provider=money.provider,
            tokens=min(budget.tokens, self.settings.cycle_tokens),
            remaining=budget.remaining,
            resets_at=budget.resets_at,
            user_per_minute=budget.user_per_minute,
        )

    async def _end(self, running: Running, ended: CycleEnding) -> Cycle:
        """Closes the cycle: what it had taken first, then its record, then the state, which sets the next wake."""
        now, complete = self.garden.now(), ended.status is CyclePhase.COMPLETE
        await self._settle_tasks(running.cycle.id, complete=complete)
        if complete:
            await Directives(self.garden).consume(running.cycle.id)
        else:
            await Directives(self.garden).release(())
        state = await self.records.state()
        limited = state.limited + 1 if ended.limited else 0 if ended.asked else state.limited
        wake = await self._next_wake(now, ended.wish)
        cycle = await running.save(
            lambda cycle: replace(
                cycle,
                status=ended.status,
                ended_at=now,
                warning=ended.warning or ("" if ended.wish or not ended.asked else NO_WISH),
                summary=cycle.summary or in_words(cycle),
                memories_modified=cycle.memories_modified or sum(step.changes for step in cycle.steps),
                next_wake_at=wake.at,
                next_reason=wake.reason,
                next_context=wake.context,
                limited=limited,
                backoff_until=left_alone_until(now, limited, self.rhythm),
            )
        )
        await self.records.change_state(lambda state: after_cycle(state, cycle), at=now)
        await self.records.forget_old_cycles(keep=self.settings.log_cycles, at=now)
        return cycle

    async def _settle_tasks(self, cycle_id: str, *, complete: bool) -> None:
        """Tasks that a cycle took and did not close: open again, or told when the agent ended without doing them."""
        for task in await self.garden.schedule.list(scope="all"):
            if task.taken_by != cycle_id:
                continue
            if complete:
                await self.garden.schedule.tell_instead(task.id, why="the agent ended its cycle without doing it")
            else:
                await self.garden.schedule.give_back(task.id, by=cycle_id, why="its cycle ended before it was done")

    async def _next_wake(self, now: datetime, wish: WakeWish | None) -> NextWake:
        until = await active_until(self.garden, idle=timedelta(minutes=self.settings.idle_minutes))
        active = until is not None and until > now
        idle_for = now - until if until is not None and until <= now else None
        safe = (await self.money()).budget.interval if self.converser() is not None else None
        return next_wake(now, self.rhythm, wish=wish, safe=safe, active=active, idle_for=idle_for)

    async def _should_end(self, cycle: Cycle) -> Halt | None:
        now, state = self.garden.now(), await self.records.state()
        if state.stop_asked:
            return Halt.STOP
        if self._running is not None and now - self._running.since >= timedelta(minutes=self.settings.cycle_minutes):
            return Halt.TIME
        if cycle.because.trigger is Trigger.COMMAND or not self.settings.pause_on_active_session:
            return None
        since = self._running.since if self._running is not None else cycle.started_at
        until = await active_until(self.garden, idle=timedelta(0))
        return Halt.USER if until is not None and until > since else None
