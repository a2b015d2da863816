"""A process that runs one cycle and kills itself at its n-th write, before or after it. For the tests of kills.

    python -m tests.ambient.victim GARDEN PROJECT N before|after

With N = 0 it lives, and prints what it left as JSON.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycles import CyclePhase
from nightgarden.ambient.run_gate import Run
from nightgarden.domain.session import Message, Session, SessionStatus
from nightgarden.minds.scripted import ScriptedStepper, calls
from nightgarden.minds.speaker import Spoken, StepRequest
from nightgarden.safety.directing import Directives
from tests.ambient.conftest import ambient_settings

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
WRITES = ("apply", "put_documents", "put_state", "put_session", "open_call", "close_call")
FINDING = "The nightly build takes 40 minutes on the small runner"


class Fixed:
    def __init__(self) -> None:
        self.moment = NOW

    def now(self) -> datetime:
        return self.moment


def script(request: StepRequest) -> Spoken:
    """Closes the task it is shown, remembers a finding, schedules a look, ends: whatever was done before."""
    done = [call.name for each in request.utterances for call in each.calls]
    task = next(
        (word for word in request.system.split() if word.startswith("01m7") and "check-ci" in request.system), ""
    )
    if "task_done" not in done and task:
        return calls("task_done", id=task, result="green")
    if "memory_remember" not in done:
        return calls("memory_remember", text=FINDING)
    return calls(
        "end_ambient_cycle",
        summary="done",
        memories_modified=1,
        compactions=0,
        next_schedule={"wake_in_minutes": 30, "context": "more"},
    )


async def prepare(garden: Garden, clock: Fixed) -> None:
    message = Message(
        id="1", role="user", text="Remember: the staging database listens on port 5433", at=NOW - timedelta(hours=1)
    )
    await garden.sessions.add(
        Session(id="broke-off", client="claude-code", messages=(message,), status=SessionStatus.CRASHED)
    )
    await garden.schedule.add("tend gaps", wake_in_minutes=1, target="ambient")
    await garden.schedule.add("check-ci", wake_in_minutes=1, target="ambient")
    await Directives(garden).add("leave the wiki alone")
    ambient = Ambient(garden)
    await ambient.records.change_state(lambda s: replace(s, cycles=9), at=NOW)


def kill_at(garden: Garden, number: int, *, after: bool) -> None:
    count = 0
    for name in WRITES:
        real = getattr(garden.store, name)

        async def write(*given: Any, _real: Any = real, **more: Any) -> Any:
            nonlocal count
            count += 1
            mine = count == number
            if mine and not after:
                os.kill(os.getpid(), signal.SIGKILL)
            done = await _real(*given, **more)
            if mine:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        setattr(garden.store, name, write)


async def left(garden: Garden, ambient: Ambient) -> dict[str, Any]:
    state = await ambient.records.state()
    cycles = await ambient.records.cycles()
    tasks = await garden.schedule.list(scope="all", include_closed=True)
    return {
        "running": state.running,
        "next_wake": state.next_wake_at is not None,
        "count": state.cycles,
        "cycles": [cycle.status.value for cycle in cycles],
        "resumes": sum(cycle.resumes for cycle in cycles),
        "tasks": sorted([task.task, task.outcome.value if task.outcome else "open"] for task in tasks),
        "memories": sorted(memory.content for memory in await garden.list(scope="all")),
        "directives": [each.status for each in await Directives(garden).list(include_consumed=True)],
        "extraction": [session.extraction.value for session in await garden.sessions.list()],
    }


async def main(path: str, project: str, number: int, *, after: bool) -> None:
    clock = Fixed()
    async with Garden.open(path, directory=project, settings=ambient_settings(), clock=clock) as garden:
        if not await garden.sessions.list():
            await prepare(garden, clock)
        clock.moment = NOW + timedelta(minutes=5)
        stepper = ScriptedStepper(script=script)
        ambient = Ambient(garden, converser=garden.minds.converser_over(stepper))
        if number:
            kill_at(garden, number, after=after)
        decision = await ambient.look()
        if isinstance(decision, Run):
            cycle = await ambient.run(decision)
            assert cycle.status is CyclePhase.COMPLETE, cycle
        print(json.dumps(await left(garden, ambient)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), after=sys.argv[4] == "after"))
