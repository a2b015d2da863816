"""What the definitions of our tools cost, and the ways in which models call those that stand for several."""

from __future__ import annotations

import json
from typing import Any

import pytest

from nightgarden.errors import BadInput
from nightgarden.recall.inject import count_tokens
from nightgarden.surfaces.mcp.offers import INSTRUCTIONS
from nightgarden.surfaces.mcp.tools import LISTED, choose
from tests.mcp.test_stdio import INITIALIZE, Server
from tests.runtime.running import Home

TOKENS_MAX = 1_200


def test_the_definitions_with_the_instructions_stay_within_their_tokens(home: Home) -> None:
    """Counted on what the server lists: name, description and arguments, which is what clients hand to their model."""
    with Server(home) as server:
        told = server.ask(INITIALIZE)["result"]["instructions"]
        tools = server.ask({"jsonrpc": "2.0", "id": 2, "method": "tools/list"})["result"]["tools"]
    shown = [{name: tool[name] for name in ("name", "description", "inputSchema")} for tool in tools]
    assert told == INSTRUCTIONS
    assert sum(count_tokens(json.dumps(each)) for each in shown) + count_tokens(told) <= TOKENS_MAX
    assert [tool["name"] for tool in tools][:3] == ["memory_recall", "memory_remember", "memory_forget"]
    reads = {tool["name"]: tool["annotations"]["readOnlyHint"] for tool in tools}
    assert (reads["memory_look"], reads["memory_manage"]) == (True, False)


@pytest.mark.parametrize(
    "given",
    [
        {"action": "list", "arguments": {"limit": 3}},
        {"action": "memory_list", "arguments": '{"limit": 3}'},
        {"action": "list", "limit": 3},
    ],
)
def test_an_action_takes_its_arguments_however_a_model_writes_them(given: dict[str, Any]) -> None:
    chosen = choose("memory_look", given)
    assert chosen is not None
    assert (chosen[0].name, chosen[1]) == ("memory_list", {"limit": 3})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "no action ''"),
        ({"action": "tag"}, "it has search, list"),
        ({"action": "list", "arguments": "three"}, "must be an object"),
        ({"action": "list", "arguments": [3]}, "must be an object"),
    ],
)
def test_a_wrong_call_says_what_there_is(given: dict[str, Any], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        choose("memory_look", given)


def test_an_action_cannot_be_reached_through_the_tool_that_only_reads() -> None:
    group = LISTED["memory_look"]
    assert all(tool.operation.reads for tool in group.tools)  # type: ignore[union-attr]


def test_forgetting_by_words_lists_what_matches_and_forgets_nothing_until_it_is_named(home: Home) -> None:
    with Server(home) as server:
        server.ask(INITIALIZE)
        id = server.call("memory_remember", {"text": "The office cat is called Mori"})["structuredContent"]["id"]
        found = server.call("memory_forget", {"query": "the office cat"})["structuredContent"]
        assert [each["id"] for each in found["matches"]] == [id]
        assert "Nothing was forgotten yet" in found["next"]
        assert "which" in found["next"]
        assert server.call("memory_forget", {})["isError"] is True
        done = server.call("memory_forget", {"id": id})["structuredContent"]
        assert done["forgotten"] is True
        assert server.call("memory_forget", {"query": "the office cat"})["structuredContent"]["matches"] == []


def test_a_recall_that_nothing_fits_says_so(home: Home) -> None:
    with Server(home) as server:
        server.ask(INITIALIZE)
        server.call("memory_remember", {"text": "The office cat is called Mori"})
        fitting = server.call("memory_recall", {"query": "what is the office cat called?"})["structuredContent"]
        assert "Mori" in fitting["results"][0]["content"]
        assert "note" not in fitting
        nothing = server.call("memory_recall", {"query": "zzyzx frobnication of quux"})["structuredContent"]
        assert "Nothing that is remembered fits" in nothing["note"]
        assert nothing["results"] == []


def test_a_limit_is_refused_with_the_bound_that_was_listed(home: Home) -> None:
    with Server(home) as server:
        server.ask(INITIALIZE)
        answer = server.call("memory_recall", {"query": "cats", "limit": 500})
        assert "from 1 to 50" in answer["content"][0]["text"]
