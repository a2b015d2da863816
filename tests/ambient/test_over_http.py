"""Cycles whose model is at the other end of a real HTTP connection, chosen by the settings as a user writes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycles import Status
from nightgarden.ambient.gate import Run
from nightgarden.settings import MindSettings
from tests.ambient.conftest import NOW, ambient_settings
from tests.clients import wire
from tests.clients.model_server import ModelServer, Reply, Rule
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
        assert cycle.status is Status.COMPLETE
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
        assert cycle.status is Status.INCOMPLETE
        assert cycle.next_wake_at is not None
