"""Seen from the real client: what our tools cost in a request, and that `nightgarden off` silences everything."""

from __future__ import annotations

import json

import pytest

from nightgarden.recall.inject import count_tokens
from tests.clients.connected import connect
from tests.clients.model_server import ModelServer

FACT = "The staging database runs on port 5433"
QUESTION = "Which port does the staging database use?"
FENCE = "nightgarden-recall"
TOKENS_MAX = 1_200


@pytest.mark.xdist_group("claude-code")
def test_in_claude_code_the_tools_are_few_the_user_sees_a_line_and_off_is_silent(model: ModelServer) -> None:
    with connect("claude-code", model) as connected:
        connected.nightgarden("remember", FACT)
        ran = connected.ask(QUESTION, "--output-format", "stream-json", "--verbose", "--include-hook-events")
        asked = next(request for request in model.asked if request.tool_names)
        ours = [tool for tool in asked.body["tools"] if "nightgarden" in str(tool.get("name"))]
        assert len(ours) == 5
        assert sum(count_tokens(json.dumps(tool)) for tool in ours) <= TOKENS_MAX
        assert FACT in asked.everything
        assert "briefed with 1 memory" in ran.stdout
        assert "briefed with 1 memory" not in asked.everything
        assert FACT in connected.nightgarden("surfaced").stdout

        connected.nightgarden("off")
        before = len(model.asked)
        connected.ask(QUESTION)
        assert not any(FENCE in request.everything for request in model.asked[before:])
        connected.nightgarden("on")
        connected.ask(QUESTION)
        assert any(FENCE in request.everything for request in model.asked[before:])
