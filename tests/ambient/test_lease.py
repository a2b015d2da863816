"""One agent for all machines: a lease with an epoch, and writes that are refused once the epoch is over."""

from __future__ import annotations

import asyncio
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any, Protocol

import pytest

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycles import Cycle, CyclePhase, StepState
from nightgarden.ambient.run_gate import Delay, GateReason, Run
from nightgarden.domain.fence import fenced
from nightgarden.errors import GardenBusy, LeaseLost
from nightgarden.settings import GardenSettings
from tests.ambient.conftest import Standing, ambient_settings
from tests.store.conftest import Place


class Steady:
    """A steady clock that moves when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class OpenOn(Protocol):
    def __call__(self, machine: str) -> AbstractAsyncContextManager[Garden]: ...


@pytest.fixture
def open_on(place: Place, open_garden: Any, clock: Standing) -> OpenOn:
    """Opens the same garden as another machine has it."""

    def open_one(machine: str) -> Any:
        settings = replace(ambient_settings(lease_seconds=120), garden=GardenSettings(machine_id=machine))
        return open_garden(place.address, clock=clock, settings=settings)

    return open_one


async def test_a_frozen_holder_cannot_write_after_another_machine_took_over(open_on: OpenOn) -> None:
    async with open_on("desk") as desk, open_on("laptop") as laptop:
        steady = Steady()
        one, two = Ambient(desk, steady=Steady()), Ambient(laptop, steady=steady)
        async with one._leases.held() as holding:
            await desk.remember("The staging database listens on port 5433")
            assert await two._leases.elsewhere() == "desk"
            with pytest.raises(GardenBusy, match="running on desk"):
                async with two._leases.held():
                    pass
            decision = await two.look(command=True)
            assert isinstance(decision, Delay)
            assert decision.why is GateReason.ELSEWHERE
            steady.seconds = 119  # no beat is seen, but the lease is not over
            assert await two._leases.elsewhere() == "desk"
            steady.seconds = 121
            async with two._leases.held() as other:
                assert other.epoch == holding.epoch + 1
                await laptop.remember("Deploys go out on Tuesdays only")
                for write in (  # the frozen one wakes up: whatever it writes is refused
                    desk.remember("The vault is in the cellar"),
                    desk.tend("gaps"),
                    desk.schedule.add("look", wake_in_minutes=5),
                    desk.store.put_state("x", {}),
                ):
                    with fenced(holding.fence), pytest.raises(LeaseLost):
                        await write
        contents = {memory.content for memory in await laptop.list(scope="all")}
        assert contents == {"The staging database listens on port 5433", "Deploys go out on Tuesdays only"}
        await desk.remember("The lift is out of order on Mondays")  # outside of a cycle it writes like anybody


async def test_a_cycle_is_gone_on_with_on_the_other_machine_and_the_first_notices(open_on: OpenOn) -> None:
    async with open_on("desk") as desk, open_on("laptop") as laptop:
        steady = Steady()
        one, two = Ambient(desk, steady=Steady()), Ambient(laptop, steady=steady)
        decision = await one.look(command=True)
        assert isinstance(decision, Run)
        frozen, wake = asyncio.Event(), asyncio.Event()

        async def freeze(*_: object) -> None:
            frozen.set()
            await wake.wait()

        first = one.garden.store.put_documents
        held = False

        async def slow(puts: Any, *, at: Any) -> Any:
            nonlocal held
            if not held and any(put.kind == "ambient_cycle" and "done" in str(put.value["steps"]) for put in puts):
                held = True
                await freeze()
            return await first(puts, at=at)

        one.garden.store.put_documents = slow  # type: ignore[method-assign]
        running = asyncio.create_task(one.run(decision))
        await asyncio.wait_for(frozen.wait(), 30)
        assert await two._leases.elsewhere() == "desk"
        steady.seconds = 121
        taken = await two.look()
        assert isinstance(taken, Run)
        cycle = await two.run(taken)
        assert cycle.status is CyclePhase.COMPLETE
        assert (cycle.machine, cycle.resumes) == ("laptop", 1)
        wake.set()
        with pytest.raises(LeaseLost):
            await running
        (kept,) = await two.records.cycles()
        assert kept == cycle
        assert all(step.state is StepState.DONE for step in kept.steps)


async def test_an_outer_fence_is_not_inherited_by_the_next_task(open_on: OpenOn) -> None:
    async with open_on("desk") as desk:
        ambient = Ambient(desk)
        decision = await ambient.look(command=True)
        assert isinstance(decision, Run)
        cycle: Cycle = await ambient.run(decision)
        with fenced(None):
            await desk.remember("The staging database listens on port 5433")
        await desk.settle()
        assert not [name for name in (await desk.stats()).background if "failed" in name]
        assert cycle.status is CyclePhase.COMPLETE
