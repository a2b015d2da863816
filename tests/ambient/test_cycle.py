"""A cycle without a model on a real garden: what it does, what it leaves, and that it can be taken back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.ambient_status import status_of
from nightgarden.ambient.cycles import Cycle, CycleKind, CyclePhase, StepState
from nightgarden.ambient.events import Trigger
from nightgarden.ambient.run_gate import Delay, GateReason, Run
from nightgarden.ambient.running import Halt
from nightgarden.domain.memory import GLOBAL
from nightgarden.domain.schedule import Outcome, TaskState
from nightgarden.domain.session import Extraction, Message, Session, SessionStatus
from nightgarden.errors import GardenBusy, UndoConflict
from nightgarden.recall.switch import switch_off
from tests.ambient.conftest import NOW, Standing, ambient_settings
from tests.conftest import Open
from tests.store.conftest import Place


@pytest.fixture
def open_here(open_garden: Open, clock: Standing, place: Place) -> Callable[..., Any]:
    """Opens this test's garden, on each store."""
    return lambda: open_garden(place.address, clock=clock, settings=ambient_settings())


async def run(ambient: Ambient) -> Cycle:
    decision = await ambient.look(command=True)
    assert isinstance(decision, Run), decision
    return await ambient.run(decision)


def session(id: str, text: str, *, status: SessionStatus = SessionStatus.CRASHED) -> Session:
    message = Message(id=f"{id}-1", role="user", text=text, at=NOW - timedelta(hours=1))
    return Session(id=id, client="claude-code", messages=(message,), status=status)


async def test_a_cycle_reads_missed_sessions_tends_and_sets_its_next_wake(garden: Garden, ambient: Ambient) -> None:
    await garden.sessions.add(session("broke-off", "Remember: the staging database listens on port 5433"))
    cycle = await run(ambient)
    assert cycle.status is CyclePhase.COMPLETE
    assert all(step.state is StepState.DONE for step in cycle.steps), cycle.steps
    (read,) = [s for s in await garden.sessions.list() if s.id == "broke-off"]
    assert read.extraction is Extraction.DONE
    assert "read session broke-off: 1 memories" in cycle.summary
    state = await ambient.records.state()
    assert state.next_wake_at == cycle.next_wake_at == NOW + timedelta(minutes=120)
    assert (state.running, state.last_cycle, state.cycles) == ("", cycle.id, 1)


async def test_undoing_a_cycle_takes_back_all_of_it(garden: Garden, ambient: Ambient) -> None:
    await garden.sessions.add(session("broke-off", "Remember: the staging database listens on port 5433"))
    kept = await garden.remember("Deploys go out on Tuesdays only", scope="global")
    cycle = await run(ambient)
    assert [m.content for m in await garden.list(scope="all") if "5433" in m.content]
    await garden.undo(cycle.id)
    assert [m.id for m in await garden.list(scope="all")] == [kept.id]
    with pytest.raises(UndoConflict):
        await garden.undo(cycle.id)
    assert (await ambient.control.trusted()).complete == 0


async def test_a_due_task_for_the_agent_is_done_once_and_listed_as_done(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    task = await garden.schedule.add("tend merge, gaps", wake_in_minutes=5, target="ambient")
    clock.pass_(minutes=6)
    assert (await garden.briefing()).text == ""  # it is not for sessions
    decision, cycle = await ambient.step()
    assert isinstance(decision, Run)
    assert cycle is not None
    done = await garden.schedule.get(task.id)
    assert (done.outcome, done.taken_by) == (Outcome.DONE, cycle.id)
    assert done.state(clock.now()) is TaskState.DONE
    assert [t.id for t in await garden.schedule.list(include_closed=True)] == [task.id]
    clock.pass_(minutes=30)
    _, again = await ambient.step()
    assert again is None  # nothing is due any more
    await garden.undo(cycle.id)
    assert (await garden.schedule.get(task.id)).open


async def test_a_task_of_a_cycle_that_was_taken_back_is_open_again_and_done_by_the_next(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    task = await garden.schedule.add("tend gaps", wake_in_minutes=1, target="ambient")
    clock.pass_(minutes=2)
    cycle = await run(ambient)
    assert (await garden.schedule.get(task.id)).outcome is Outcome.DONE
    await garden.undo(cycle.id)
    assert (await garden.schedule.get(task.id)).open
    again = await run(ambient)
    done = await garden.schedule.get(task.id)
    assert done.outcome is Outcome.DONE
    assert f"task:{task.id}" in [step.key for step in again.steps]


async def test_a_task_that_needs_a_model_is_told_when_there_is_none(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    task = await garden.schedule.add("look whether CI passed", wake_in_minutes=5, target="ambient")
    clock.pass_(minutes=6)
    await ambient.step()
    told = (await garden.briefing()).text
    assert "look whether CI passed" in told
    assert "no model" in (await garden.schedule.get(task.id)).result


async def test_of_two_takers_one_gets_a_task_and_a_late_one_still_runs(garden: Garden, clock: Standing) -> None:
    task = await garden.schedule.add("tend", wake_in_minutes=5, target="ambient")
    assert await garden.schedule.take(task.id, by="a") is None  # not due
    clock.pass_(days=3)
    assert (await garden.schedule.take(task.id, by="a")) is not None
    assert await garden.schedule.take(task.id, by="b") is None
    assert not await garden.schedule.give_back(task.id, by="b")
    assert await garden.schedule.give_back(task.id, by="a")
    assert (await garden.schedule.take(task.id, by="b")) is not None
    assert not await garden.schedule.finish(task.id, by="a", outcome=Outcome.DONE, result="x")
    assert await garden.schedule.finish(task.id, by="b", outcome=Outcome.DONE, result="x")
    assert await garden.schedule.take(task.id, by="b") is None


async def test_the_gate_is_asked_with_real_figures(garden: Garden, ambient: Ambient, clock: Standing) -> None:
    async def why() -> GateReason | Trigger:
        decision = await ambient.look()
        return decision.why if isinstance(decision, Delay) else decision.because.trigger

    assert await why() is Trigger.TIMER
    await garden.turn("where is the staging database?", session_id="s")
    await garden.settle()
    assert await why() is GateReason.USER_ACTIVE
    clock.pass_(minutes=16)
    assert await why() is Trigger.TIMER
    await run(ambient)
    assert await why() is GateReason.NOTHING
    clock.pass_(minutes=3)
    await ambient.note(Trigger.SESSION_CRASHED, "s")
    assert await why() is GateReason.INTERVAL
    clock.pass_(minutes=3)
    assert await why() is Trigger.SESSION_CRASHED
    await ambient.control.pause("holiday")
    assert await why() is GateReason.PAUSED
    await ambient.control.resume()
    await switch_off(garden.store, GLOBAL, clock.now())
    assert await why() is GateReason.SWITCHED_OFF


async def test_events_are_settled_by_the_cycle_they_led_to_and_later_ones_wait(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    await ambient.note(Trigger.SESSION_CLOSED, "one")
    decision = await ambient.look()
    assert isinstance(decision, Run)

    def later(cycle: Cycle) -> None:
        clock.moment = NOW + timedelta(seconds=30)

    await ambient.run(decision, later)
    assert (await ambient.records.state()).events == ()
    await ambient.note(Trigger.GIT_PUSH, "two")
    assert [event.detail for event in (await ambient.records.state()).events] == ["two"]


async def test_the_user_coming_back_pauses_a_cycle_at_the_next_safe_point(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    decision = await ambient.look()
    assert isinstance(decision, Run)

    def told(cycle: Cycle) -> None:
        if any(step.state is StepState.DONE for step in cycle.steps) and ambient._running is not None:
            ambient._running.halt = ambient._running.halt or Halt.USER

    cycle = await ambient.run(decision, told)
    assert cycle.status is CyclePhase.PAUSED
    assert cycle.open_steps
    assert "Left for the next cycle" in cycle.summary
    assert cycle.next_wake_at is not None


async def test_after_a_long_silence_there_is_one_cycle_that_catches_up(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    await run(ambient)
    clock.pass_(days=3)
    decision, cycle = await ambient.step()
    assert cycle is not None
    assert cycle.kind is CycleKind.CATCH_UP
    assert cycle.off_since == NOW
    clock.pass_(minutes=1)
    decision, cycle = await ambient.step()
    assert cycle is None
    assert isinstance(decision, Delay)


async def test_only_one_cycle_at_a_time(open_here: Callable[..., Any]) -> None:
    async with open_here() as garden, open_here() as other:
        one, two = Ambient(garden), Ambient(other)
        decision = await one.look(command=True)
        assert isinstance(decision, Run)
        busy: list[bool] = []
        async with two._leases.held():
            with pytest.raises(GardenBusy):
                await one.run(decision)
            busy.append(True)
        assert busy
        assert (await one.run(decision)).status is CyclePhase.COMPLETE


async def test_a_project_that_closed_itself_is_left_alone(garden: Garden, ambient: Ambient) -> None:
    folder = garden.place.root / ".nightgarden"
    folder.mkdir()
    (folder / "config.toml").write_text("[ambient]\nenabled = false\n", "utf-8")
    await garden.sessions.add(
        replace(session("private", "Remember: the vault code is in the blue book"), directory=str(garden.place.root))
    )
    cycle = await run(ambient)
    assert not [step for step in cycle.steps if step.subject == "private"]


async def test_the_panel_shows_state_queue_last_cycle_and_next_wake(
    garden: Garden, ambient: Ambient, clock: Standing
) -> None:
    await garden.schedule.add("check CI of the auth branch", wake_in_minutes=30, target="ambient")
    await run(ambient)
    clock.pass_(minutes=12)
    status = await status_of(ambient)
    lines = "\n".join(status.lines())
    assert "scheduled" in lines
    assert "Queue: 1 item (next: check CI of the auth branch)" in lines
    assert "Last: 12 minutes ago, complete" in lines
    assert "Next: in 1 hour (default)" in lines
    assert "Work on code: off, it needs safety.proactive = true" in lines
    assert status.shape()["queue"]["count"] == 1
