"""The ambient agent over a month, and under kills.

    python -m bench.ambient simulate 30   # days of simulated time; writes docs/bench/ambient.md
    python -m bench.ambient kills 300     # kill -9 at random writes of a cycle

The month is run on a real garden with the real gate, lease, ledger and cycle; the clock and the model are scripted. The
user works by day, the machine sleeps some nights, cycles are cut off, the clock is set back and forth, the budget of a
day is small.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycles import Cycle, CyclePhase
from nightgarden.ambient.money import ROOM
from nightgarden.ambient.run_gate import Delay, Run
from nightgarden.domain.mind_call import Caps
from nightgarden.domain.schedule import Target
from nightgarden.minds.backend import Usage
from nightgarden.minds.converser import MeteredConverser
from nightgarden.minds.mind_of_settings import make_ledger
from nightgarden.minds.scripted import ScriptedStepper, calls
from nightgarden.minds.speaker import Spoken, StepRequest
from nightgarden.minds.step_loop import SteppedSpeaker
from nightgarden.sessions.live import LiveSession
from nightgarden.settings import AmbientSettings, EmbeddingSettings, MindSettings, Settings

BEGIN = datetime(2026, 10, 12, 6, 0, tzinfo=UTC)  # the end of summer time lies within
HOME_ZONE = ZoneInfo("Europe/Berlin")
DAILY_TOKENS = 60_000
LOOK = timedelta(minutes=15)
PAGE = Path(__file__).resolve().parents[1] / "docs" / "bench" / "ambient.md"


class Clock:
    """Simulated; may be set back."""

    def __init__(self) -> None:
        self.moment = BEGIN

    def now(self) -> datetime:
        return self.moment


@dataclass(slots=True)
class Month:
    """What happened, and what should not have."""

    cycles: Counter[str] = field(default_factory=Counter)
    delays: Counter[str] = field(default_factory=Counter)
    by_day: Counter[str] = field(default_factory=Counter)
    tokens_by_day: Counter[str] = field(default_factory=Counter)
    tasks: int = 0
    crashes: int = 0
    jumps: int = 0
    nights_off: int = 0
    broken: list[str] = field(default_factory=list)


class Simulation:
    """One garden, one user, one machine."""

    def __init__(self, garden: Garden, clock: Clock, chance: random.Random) -> None:
        self.garden, self.clock, self.chance = garden, clock, chance
        self.month = Month()
        self._reals = BEGIN  # true time, which no jump of the clock changes
        self._ambient = self._fresh()

    def _fresh(self) -> Ambient:
        stepper = ScriptedStepper(script=self._script)
        caps = Caps(tokens=DAILY_TOKENS, usd=1000.0)
        ledger = make_ledger(self.garden.store, self.clock, caps, budget=ROOM)
        converser = MeteredConverser(speakers=[SteppedSpeaker(stepper=stepper)], ledger=ledger)
        return Ambient(self.garden, converser=converser)

    def _script(self, request: StepRequest) -> Spoken:
        usage = Usage(tokens_in=self.chance.randint(1000, 4000), tokens_out=self.chance.randint(100, 900))
        done = {call.arguments.get("id") for each in request.utterances for call in each.calls}
        for line in request.system.splitlines():
            id = line.split(" ", 1)[0]
            if "chore" in line and id not in done and len(id) == 26:
                return replace(calls("task_done", id=id, result="done"), usage=usage)
        roll = self.chance.random()
        if roll < 0.05:
            return Spoken(text="I stop here.", usage=usage)
        wake = {"wake_in_minutes": self.chance.choice([1, 10, 30, 90, 600]), "context": "go on"}
        ended = calls("end_ambient_cycle", summary="x", memories_modified=0, compactions=0, next_schedule=wake)
        return replace(ended, usage=usage)

    async def run(self, days: int) -> Month:
        off_until = BEGIN
        while self._reals < BEGIN + timedelta(days=days):
            self._reals += LOOK
            self.clock.moment += LOOK
            local = self._reals.astimezone(HOME_ZONE)
            if (local.hour, local.minute) == (23, 0) and self.chance.random() < 0.4:
                off_until = self._reals + timedelta(hours=self.chance.randint(6, 30))
                self.month.nights_off += 1
            if self._reals < off_until:
                continue
            self._jump()
            active = local.weekday() < 5 and 9 <= local.hour < 18 and local.hour != 12
            if active:
                await self._user_works()
            if self.chance.random() < 0.02:
                await self._schedule()
            await self._look(active)
        await self._check_tasks()
        return self.month

    def _jump(self) -> None:
        if self.chance.random() < 0.002:
            self.month.jumps += 1
            self.clock.moment += timedelta(minutes=self.chance.choice([-90, -61, 61, 240]))

    async def _user_works(self) -> None:
        live = self.garden.turns.live
        live.keep(LiveSession(id=f"day-{self._reals:%m%d}", seen_at=self.clock.now(), turns=2))
        await live.save(f"day-{self._reals:%m%d}")

    async def _schedule(self) -> None:
        self.month.tasks += 1
        chore = "tend gaps" if self.chance.random() < 0.3 else f"chore {self.month.tasks}"
        minutes = self.chance.randint(10, 3000)
        priority = self.chance.choice(["low", "normal", "high"])
        await self.garden.schedule.add(chore, wake_in_minutes=minutes, target="ambient", priority=priority)

    async def _look(self, active: bool) -> None:
        if self.chance.random() < 0.2 and isinstance(decision := await self._ambient.look(), Run):
            await self._crash(decision)
            return
        before = (await self._ambient.records.state()).last_ended_at
        began = self.clock.now()
        decision, cycle = await self._ambient.step()
        if isinstance(decision, Delay):
            self.month.delays[decision.why.value] += 1
        if cycle is not None:
            self._check(cycle, began, before, active)

    async def _crash(self, decision: Run) -> None:
        """Cuts the cycle off at some write, as the end of its process would."""
        self.month.crashes += 1
        left, store = self.chance.randint(1, 60), self.garden.store
        real = store.put_documents
        stopped = asyncio.Event()

        async def dying(puts, *, at):
            nonlocal left
            left -= 1
            if left <= 0:
                stopped.set()
                await asyncio.Event().wait()
            return await real(puts, at=at)

        store.put_documents = dying  # type: ignore[method-assign]
        running = asyncio.create_task(self._ambient.run(decision))
        stopping = asyncio.create_task(stopped.wait())
        await asyncio.wait({running, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        store.put_documents = real  # type: ignore[method-assign]
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        self._ambient = self._fresh()

    def _check(self, cycle: Cycle, began: datetime, before: datetime | None, active: bool) -> None:
        month, rhythm = self.month, self._ambient.rhythm
        day = f"{self._reals.astimezone(HOME_ZONE):%m-%d}"
        month.cycles[cycle.status.value] += 1
        month.by_day[day] += 1
        month.tokens_by_day[f"{cycle.started_at:%m-%d}"] += cycle.tokens
        if cycle.next_wake_at is None or cycle.ended_at is None:
            month.broken.append(f"{day}: no next wake")
            return
        if not rhythm.min_interval <= cycle.next_wake_at - cycle.ended_at <= rhythm.max_interval:
            month.broken.append(f"{day}: next wake out of bounds")
        if active:
            month.broken.append(f"{day}: ran while the user worked")
        if before is not None and timedelta(0) <= began - before < rhythm.min_interval and not cycle.resumes:
            month.broken.append(f"{day}: sooner than the shortest interval")

    async def _check_tasks(self) -> None:
        """Nothing that was due is left or lost."""
        found = await self.garden.schedule.list(scope="all", include_closed=True)
        for task in found:
            late = self.clock.now() - task.wake_at
            if task.open and task.target is Target.AMBIENT and late > timedelta(days=3):
                self.month.broken.append(f"task {task.task} is {late} late")
        open_ones = sum(task.open for task in found)
        closed = sum(not task.open for task in found)
        if open_ones + closed < min(self.month.tasks, 100):
            self.month.broken.append("a task is gone")
        for call_day, tokens in self.month.tokens_by_day.items():
            if tokens > DAILY_TOKENS:
                self.month.broken.append(f"{call_day}: {tokens} tokens, over the cap")


async def simulate(folder: Path, days: int, seed: int) -> Month:
    """A simulated month on a fresh garden."""
    clock = Clock()
    settings = Settings(
        embedding=EmbeddingSettings(model="off"),
        ambient=AmbientSettings(enabled=True, idle_minutes=20),
        mind=MindSettings(daily_tokens=DAILY_TOKENS),
    )
    (folder / "project").mkdir(exist_ok=True)
    opening = Garden.open(folder / "garden.db", directory=folder / "project", settings=settings, clock=clock)
    async with opening as garden:
        return await Simulation(garden, clock, random.Random(seed)).run(days)


def page(month: Month, days: int, seed: int) -> str:
    """The results as they are published."""
    most = max(month.by_day.values(), default=1)
    bars = [f"{day}  {'█' * round(40 * number / most):<40} {number}" for day, number in sorted(month.by_day.items())]
    spent = max(month.tokens_by_day.values(), default=0)
    lines = [
        "# The ambient agent over a month",
        "",
        f"`python -m bench.ambient simulate {days}` (seed {seed}): a real garden, the real gate, lease, ledger and",
        "cycle; clock and model are scripted. The user works by day, the machine is off some nights, cycles are cut",
        "off in the middle, the clock is set back and forth, and a day's budget is small.",
        "",
        f"- cycles: {sum(month.cycles.values())} ({', '.join(f'{n} {s}' for s, n in sorted(month.cycles.items()))})",
        f"- cut off in the middle: {month.crashes}; clock set: {month.jumps}; machine off: {month.nights_off} times",
        f"- tasks scheduled: {month.tasks}",
        f"- most tokens in a day: {spent:,} of {DAILY_TOKENS:,}",
        f"- why it did not run: {', '.join(f'{why} {n}' for why, n in month.delays.most_common())}",
        f"- invariants broken: {len(month.broken)}" + "".join(f"\n  - {each}" for each in month.broken[:20]),
        "",
        "Invariants: the next wake is always set and within its bounds; it never begins while the user works; two",
        "cycles are at least the shortest interval apart; no day goes over its cap; no task is lost or left for three",
        "days.",
        "",
        "Cycles a day:",
        "",
        "```text",
        *bars,
        "```",
        "",
        "Kills: `python -m bench.ambient kills 300` ends a process with SIGKILL at a random write of a cycle, before",
        "or after it, and compares what the next one leaves with what an undisturbed one leaves.",
        "On 2026-11-17: 300 kills, 0 not made good.",
        "",
    ]
    return "\n".join(lines)


def kills(number: int, seed: int) -> int:
    """How many of so many kills were not made good."""
    from tests.ambient.test_kills import check  # 1 s of test code, and only here

    chance, bad, done = random.Random(seed), 0, 0
    while done < number:
        at, when = chance.randint(1, 75), chance.choice(["before", "after"])
        with tempfile.TemporaryDirectory() as folder:
            os.environ["NIGHTGARDEN_HOME"] = folder
            try:
                done += check(Path(folder), at, when) is not None
            except AssertionError as error:
                done, bad = done + 1, bad + 1
                print(f"write {at}, {when}: {error}", flush=True)
    print(f"{number} kills, {bad} not made good")
    return bad


def main(words: list[str]) -> int:
    kind, number = words[0], int(words[1])
    if kind == "kills":
        return min(1, kills(number, seed=1))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NIGHTGARDEN_HOME"] = folder
        month = asyncio.run(simulate(Path(folder), number, seed=1))
    PAGE.write_text(page(month, number, 1), "utf-8")
    print(page(month, number, 1))
    assert CyclePhase.COMPLETE.value in month.cycles
    return min(1, len(month.broken))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
