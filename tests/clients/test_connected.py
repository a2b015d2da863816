"""Real clients with our plugin in them, connected by our own installer, against a scripted model."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.clients.connected import Connected, connect
from tests.clients.model_server import ModelServer, Reply, Rule

FACT = "Remember that the staging database runs on port 5433."
QUESTION = "Which port does the staging database use?"
FORBIDDEN = "Never run rm -rf on the build folder; use make clean instead"
FENCE = "nightgarden-recall"


@pytest.fixture(
    params=[
        pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in ("claude-code", "codex", "opencode")
    ]
)
def connected(request: pytest.FixtureRequest, model: ModelServer) -> Iterator[Connected]:
    with connect(request.param, model) as client:
        yield client


def test_a_fact_told_in_one_session_reaches_the_model_in_the_next_and_is_not_memorised_again(
    connected: Connected, model: ModelServer
) -> None:
    connected.ask(FACT)
    assert "5433" in model.asked[0].everything
    connected.wait_until_read(1)
    assert ["5433" in memory["content"] for memory in connected.memories()] == [True]

    before = len(model.asked)
    connected.ask(QUESTION)
    asked = [request for request in model.asked[before:] if QUESTION in request.everything and request.tool_names]
    assert "5433" in asked[0].everything
    assert FENCE in asked[0].everything

    connected.wait_until_read(2)
    assert len(connected.memories()) == 1
    assert FENCE not in connected.nightgarden("export").stdout


def test_a_negative_memory_stops_a_tool_before_it_runs(connected: Connected, model: ModelServer) -> None:
    connected.nightgarden("remember", FORBIDDEN)
    build = connected.desk.project / "build"
    build.mkdir()
    model.rules = [
        Rule(says="tidy", reply=Reply(text="Tidying.", tool_calls=(connected.shell("rm -rf build"),))),
        Rule(says="tidy", after_tool="make clean", reply=Reply(text="I will not.")),
    ]
    ran = connected.ask("please tidy this folder")
    assert build.exists()
    assert "I will not." in ran.stdout
    told = next(asked.tool_results for asked in model.asked if asked.tool_results)
    assert FORBIDDEN in "\n".join(told)
