"""The scripted model server speaks its three protocols whole and streamed, and remembers what it was asked."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.clients.model_server import ModelServer, Reply, Rule, ToolCall

_TOOL: dict[str, dict[str, Any]] = {
    "/v1/messages": {"name": "look", "input_schema": {"type": "object"}},
    "/v1/chat/completions": {"type": "function", "function": {"name": "look"}},
    "/v1/responses": {"type": "function", "name": "look"},
}


def post(server: ModelServer, path: str, body: dict[str, Any]) -> tuple[str, dict[str, str]]:
    request = urllib.request.Request(server.url + path, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read().decode(), {name.lower(): value for name, value in answer.headers.items()}


def question(path: str, text: str, **more: Any) -> dict[str, Any]:
    said = [{"role": "user", "content": text}]
    return {"model": "m", "tools": [_TOOL[path]], ("input" if "responses" in path else "messages"): said, **more}


def streamed(text: str) -> list[dict[str, Any]]:
    data = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: ")]
    return [json.loads(piece) for piece in data if piece != "[DONE]"]


@pytest.mark.parametrize("path", _TOOL)
@pytest.mark.parametrize("stream", [False, True])
def test_the_scripted_words_and_tool_calls_arrive(model: ModelServer, path: str, stream: bool) -> None:
    call = ToolCall(name="look", arguments={"where": "under the third stone from the gate"})
    model.rules = [Rule(says="find", reply=Reply(text="Looking for it now, please wait.", tool_calls=(call,)))]
    text, headers = post(model, path, question(path, "find the key", stream=stream))
    assert any(name.startswith(("x-ratelimit", "anthropic-ratelimit")) for name in headers)
    if stream:
        assert headers["content-type"] == "text/event-stream"
        pieces = json.dumps(streamed(text))
        assert "tool" in pieces or "function_call" in pieces
    else:
        assert "Looking for it now, please wait." in text
        assert "third stone" in text
    assert model.asked[0].user_text == "find the key"
    assert model.asked[0].tool_names == ("look",)


@pytest.mark.parametrize("path", _TOOL)
def test_a_scripted_failure_has_its_status_and_message(model: ModelServer, path: str) -> None:
    model.rules = [Rule(reply=Reply(status=429, text="slow down", headers={"retry-after": "1"}))]
    with pytest.raises(urllib.error.HTTPError) as failed:
        post(model, path, question(path, "hi"))
    assert failed.value.code == 429
    assert failed.value.headers["retry-after"] == "1"
    assert "slow down" in failed.value.read().decode()
    failed.value.close()


def test_fresh_tool_results_choose_the_rule_and_old_ones_do_not(model: ModelServer) -> None:
    model.rules = [Rule(reply=Reply(text="before")), Rule(after_tool="42", reply=Reply(text="after"))]
    first = {"role": "user", "content": "go"}
    called = {"role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "look", "input": {}}]}
    result = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "it is 42"}]}
    tools = [_TOOL["/v1/messages"]]
    for messages, expected in (
        ([first], "before"),
        ([first, called, result], "after"),
        ([first, called, result, {"role": "assistant", "content": "ok"}, first], "before"),
    ):
        text, _ = post(model, "/v1/messages", {"model": "m", "messages": messages, "tools": tools})
        assert expected in text


def test_tokens_are_counted_and_models_listed(model: ModelServer) -> None:
    text, _ = post(model, "/v1/messages/count_tokens", {"messages": []})
    assert json.loads(text)["input_tokens"] > 0
    with urllib.request.urlopen(f"{model.url}/v1/models", timeout=10) as answer:
        assert json.load(answer)["data"]
