"""Cycles whose model is at the other end of a real HTTP connection, chosen by the settings as a user writes them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycle_account import transcripts
from nightgarden.ambient.cycles import CyclePhase
from nightgarden.ambient.run_gate import Run
from nightgarden.domain.session import Message, Session, SessionStatus
from nightgarden.safety.directing import Directives
from nightgarden.safety.transcripts import CycleStatus
from nightgarden.settings import MindSettings
from tests.ambient.conftest import NOW, Standing, ambient_settings
from tests.clients import wire
from tests.clients.model_server import Asked, ModelServer, Reply, Rule
from tests.conftest import Open

END = {
    "summary": "Noted what the port is",
    "memories_modified": 1,
    "compactions": 0,
    "next_schedule": {"wake_in_minutes": 30, "context": "look again"},
}


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


@pytest.fixture
def open_talking(open_garden: Open, clock: Any, server: ModelServer) -> Callable[[], Any]:
    mind = MindSettings(kind="local", base_url=f"{server.url}/v1", model="scripted-model")
    return lambda: open_garden(clock=clock, settings=replace(ambient_settings(), mind=mind))


def calls(name: str, **arguments: Any) -> Reply:
    return Reply(tool_calls=(wire.ToolCall(name=name, arguments=arguments),))


async def run(ambient: Ambient) -> Any:
    await ambient.records.change_state(lambda state: replace(state, cycles=9), at=NOW)
    decision = await ambient.look(command=True)
    assert isinstance(decision, Run)
    assert decision.mind
    return await ambient.run(decision)


async def test_a_cycle_calls_tools_ends_by_its_contract_and_is_in_the_ledger(
    open_talking: Callable[[], Any], server: ModelServer
) -> None:
    server.rules = [
        Rule(reply=calls("todos", items=[{"text": "look", "state": "begun"}])),
        Rule(after_tool="", reply=calls("end_ambient_cycle", **END)),
    ]
    async with open_talking() as garden:
        cycle = await run(Ambient(garden))
        assert cycle.status is CyclePhase.COMPLETE
        assert cycle.summary.startswith("Noted what the port is")
        assert [todo.text for todo in cycle.todos] == ["look"]
        made = await garden.store.mind_calls(since=NOW - timedelta(days=1))
        assert len(made) == len(server.asked) == 2
        assert {call.cycle for call in made} == {cycle.id}


async def test_a_model_that_fails_leaves_a_cycle_that_says_so_and_wakes_again(
    open_talking: Callable[[], Any], server: ModelServer
) -> None:
    server.default = Reply(status=500)
    async with open_talking() as garden:
        cycle = await run(Ambient(garden))
        assert cycle.status is CyclePhase.INCOMPLETE
        assert cycle.next_wake_at is not None


def meanwhile(open_talking: Callable[[], Any], act: Callable[[Garden], Awaitable[object]]) -> None:
    """Does something in the same garden from another thread, with a connection of its own, as another program does."""

    async def go() -> None:
        async with open_talking() as garden:
            await act(garden)

    asyncio.run(go())


async def test_a_directive_in_the_middle_reaches_the_agent_between_two_steps(
    open_talking: Callable[[], Any], server: ModelServer
) -> None:
    def directed(asked: Asked) -> Reply:
        meanwhile(open_talking, lambda garden: Directives(garden).add("stop renaming things"))
        return calls("memory_search", query="names")

    server.rules = [Rule(reply=directed), Rule(after_tool="", reply=calls("end_ambient_cycle", **END))]
    async with open_talking() as garden:
        cycle = await run(Ambient(garden))
        assert cycle.status is CyclePhase.COMPLETE
        assert "The user says: stop renaming things" in server.asked[-1].user_text
        told = await Directives(garden).list(include_consumed=True)
        assert [directive.status for directive in told] == ["consumed"]


async def test_when_the_user_comes_back_the_cycle_pauses_and_directives_and_tasks_stay(
    open_talking: Callable[[], Any], server: ModelServer, clock: Standing
) -> None:
    async def come_back(garden: Garden) -> None:
        clock.pass_(seconds=5)
        message = Message(id="1", role="user", text="hello", at=clock.now())
        await garden.sessions.add(Session(id="back", client="codex", messages=(message,), status=SessionStatus.ACTIVE))

    def interrupted(asked: Asked) -> Reply:
        meanwhile(open_talking, come_back)
        return calls("memory_search", query="names")

    server.rules = [Rule(reply=interrupted)]
    async with open_talking() as garden:
        task = await garden.schedule.add("check CI", wake_in_minutes=1, target="ambient")
        await Directives(garden).add("be brief")
        clock.pass_(minutes=2)
        ambient = Ambient(garden)
        await ambient.records.change_state(lambda state: replace(state, cycles=9, events=()), at=NOW)
        decision, cycle = await ambient.step()
        assert isinstance(decision, Run)
        assert cycle is not None
        assert (cycle.status, cycle.warning) == (CyclePhase.PAUSED, "the user is back")
        assert len(server.asked) == 1
        kept = await garden.schedule.get(task.id)
        assert (kept.open, kept.taken_by) == (True, None)
        assert [directive.status for directive in await Directives(garden).list()] == ["open"]
        held = await transcripts(garden).get(cycle.id)
        assert held is not None
        assert held.value.status is CycleStatus.INTERRUPTED


async def test_an_unexpected_stop_a_malformed_call_and_a_loop_over_http(
    open_talking: Callable[[], Any], server: ModelServer
) -> None:
    server.rules = [
        Rule(
            says="You stopped unexpectedly", reply=calls("end_ambient_cycle", summary="late", memories_modified="many")
        ),
        Rule(after_tool="must be integer", reply=calls("memory_search", query="again")),
        Rule(after_tool="", reply=calls("memory_search", query="again")),
        Rule(reply=Reply(text="I think I am done.")),
    ]
    async with open_talking() as garden:
        cycle = await run(Ambient(garden))
        assert (cycle.status, cycle.warning) == (CyclePhase.INCOMPLETE, "it called the same tool again and again")
        assert cycle.next_wake_at is not None
        assert len(server.asked) < 12
