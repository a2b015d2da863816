"""A cycle whose process died: what is said of it until the next one goes on with it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.ambient_status import status_of
from nightgarden.ambient.cycles import Cycle, CyclePhase, StepState
from nightgarden.ambient.events import Trigger
from nightgarden.ambient.lease import ambient_word
from nightgarden.ambient.run_gate import Delay, GateReason, Run
from nightgarden.domain.session import Message, Session, SessionStatus
from tests.ambient.conftest import Standing, ambient_settings
from tests.conftest import Open
from tests.store.conftest import Place


@pytest.fixture
def open_here(open_garden: Open, clock: Standing, place: Place) -> Callable[..., Any]:
    """Opens this test's garden, on each store."""
    return lambda: open_garden(place.address, clock=clock, settings=ambient_settings())


class Died(BaseException):
    """The process is gone: nothing after this is done."""


async def break_off(ambient: Ambient) -> str:
    """A cycle that ends in the middle of its second step. Its id."""
    begun: list[str] = []

    def told(cycle: Cycle) -> None:
        if sum(step.state is StepState.DONE for step in cycle.steps) == 1:
            begun.append(cycle.id)
            raise Died

    decision = await ambient.look()
    assert isinstance(decision, Run)
    with pytest.raises(Died):
        await ambient.run(decision, told)
    return begun[0]


async def test_its_status_says_that_it_broke_off_and_not_that_it_runs(garden: Garden, ambient: Ambient) -> None:
    cycle = await break_off(ambient)
    status = await status_of(Ambient(garden))
    assert status.state == "idle"
    assert f"cycle {cycle[-8:]} broke off" in status.lines()[0]
    assert await ambient_word(garden) == "ambient broke off"
    decision = await Ambient(garden).look()
    assert isinstance(decision, Run)
    assert decision.because.trigger is Trigger.RECOVERY


async def test_one_that_was_stopped_meanwhile_is_ended_and_does_nothing_more(garden: Garden, ambient: Ambient) -> None:
    cycle = await break_off(ambient)
    assert await ambient.control.stop()
    decision = await ambient.look()
    assert isinstance(decision, Run)
    ended = await ambient.run(decision)
    assert (ended.id, ended.status, ended.resumes) == (cycle, CyclePhase.STOPPED, 1)
    assert sum(step.state is StepState.DONE for step in ended.steps) == 1


async def test_it_is_gone_on_with_although_the_user_was_there_in_the_meantime(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    cycle = await break_off(ambient)
    clock.pass_(hours=1)
    came = Message(id="1", role="user", text="hello", at=clock.now())
    await garden.sessions.add(
        Session(id="came-and-went", client="codex", messages=(came,), status=SessionStatus.ACTIVE)
    )
    clock.pass_(hours=1)
    decision = await ambient.look()
    assert isinstance(decision, Run)
    ended = await ambient.run(decision)
    assert (ended.id, ended.status) == (cycle, CyclePhase.COMPLETE)


async def test_while_one_runs_another_process_says_so(open_here: Callable[..., Any]) -> None:
    async with open_here() as garden, open_here() as other:
        ambient, beside = Ambient(garden), Ambient(other)
        seen: list[tuple[object, str, str]] = []
        looked, begun = asyncio.Event(), asyncio.Event()

        async def run() -> Cycle:
            decision = await ambient.look()
            assert isinstance(decision, Run)
            async with ambient._leases.held() as holding:
                running = await ambient._begin(decision, holding, None)
                begun.set()
                await looked.wait()
                ambient._running = running
                return await ambient._carry_out(running)

        running = asyncio.create_task(run())
        await begun.wait()
        seen.append((await beside.look(), (await status_of(beside)).state, await ambient_word(other)))
        looked.set()
        cycle = await running
        ((decision, state, word),) = seen
        assert isinstance(decision, Delay)
        assert (decision.why, decision.detail) == (GateReason.RUNNING, cycle.id)
        assert (state, word) == ("running", "ambient running")
        after = await status_of(beside)
        assert after.state == "scheduled"
        assert after.next_wake_at is not None
        assert after.next_wake_at > after.now + timedelta(minutes=1)
