"""A whole cycle through the user's own `claude -p`: the real program, our tools over MCP, a scripted model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.cycles import CyclePhase
from tests.ambient.conftest import ambient_settings
from tests.ambient.test_over_http import END, run
from tests.clients import wire
from tests.clients.model_server import ModelServer, Reply, Rule
from tests.conftest import Open
from tests.minds.test_programs import environment, settings_for


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as running:
        yield running


def calls(name: str, **arguments: Any) -> Reply:
    return Reply(tool_calls=(wire.ToolCall(name=f"mcp__garden__{name}", arguments=arguments),))


async def test_a_cycle_plans_remembers_and_ends_through_claude(
    open_garden: Open, clock: Any, server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = tmp_path / "user"
    user.mkdir()
    for name, value in environment(user, server).items():
        monkeypatch.setenv(name, value)
    server.rules = [
        Rule(reply=calls("todos", items=[{"text": "note the build", "state": "begun"}]), offers_tools=None),
        Rule(
            after_tool="noted:",
            reply=calls("memory_remember", text="The nightly build takes 40 minutes on the small runner"),
            offers_tools=None,
        ),
        Rule(after_tool="saved:", reply=calls("end_ambient_cycle", **END), offers_tools=None),
    ]
    settings = replace(
        ambient_settings(provider="claude", model="claude-scripted"), mind=settings_for("claude", server)
    )
    async with open_garden(clock=clock, settings=settings) as garden:
        cycle = await run(Ambient(garden))
        assert (cycle.status, cycle.warning) == (CyclePhase.COMPLETE, ""), server.asked[-1].tool_results
        assert [todo.text for todo in cycle.todos] == ["note the build"]
        assert cycle.tokens > 0
        (memory,) = await garden.list(scope="all")
        assert "40 minutes" in memory.content
        await garden.undo(cycle.id)
        assert await garden.list(scope="all") == []
    assert "You are the ambient agent" in server.asked[0].everything
