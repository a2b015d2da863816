"""OpenAI Chat Completions: requests read, answers written whole or as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.clients.wire import Asked, Reply, chunks, words_of


def read(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Asked:
    system, user_text, tool_results = [], "", []
    for message in body.get("messages", ()):
        text = words_of(message.get("content"), ("text",))
        match message.get("role"):
            case "assistant":
                tool_results = []
            case "tool":
                tool_results.append(text)
            case "system" | "developer":
                system.append(text)
            case _:
                user_text = text
    return Asked(
        endpoint="/chat/completions",
        path=path,
        headers=headers,
        body=body,
        model=str(body.get("model", "")),
        system="\n".join(system),
        user_text=user_text,
        tool_results=tuple(tool_results),
        tool_names=tuple(str(tool.get("function", {}).get("name", "")) for tool in body.get("tools") or ()),
    )


def _calls(asked: Asked, reply: Reply) -> list[dict[str, Any]]:
    turn = len(asked.body.get("messages", ()))
    return [
        {
            "id": call.id or f"call_{turn}_{number}",
            "type": "function",
            "function": {"name": call.name, "arguments": call.raw or json.dumps(dict(call.arguments))},
        }
        for number, call in enumerate(reply.tool_calls)
    ]


def _usage(reply: Reply) -> dict[str, int]:
    return {
        "prompt_tokens": reply.input_tokens,
        "completion_tokens": reply.output_tokens,
        "total_tokens": reply.input_tokens + reply.output_tokens,
    }


def whole(asked: Asked, reply: Reply) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.tool_calls:
        message["tool_calls"] = _calls(asked, reply)
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 0,
        "model": asked.model,
        "choices": [{"index": 0, "message": message, "finish_reason": _finish(reply)}],
        "usage": _usage(reply),
    }


def _finish(reply: Reply) -> str:
    return "tool_calls" if reply.tool_calls else "stop"


def events(asked: Asked, reply: Reply) -> Iterator[tuple[str, Any]]:
    def chunk(delta: dict[str, Any], finish: str | None = None) -> tuple[str, Any]:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        head = {"id": "chatcmpl-scripted", "object": "chat.completion.chunk", "created": 0, "model": asked.model}
        return "", {**head, "choices": [choice]}

    yield chunk({"role": "assistant", "content": ""})
    for piece in chunks(reply.thinking):
        yield chunk({"reasoning_content": piece})
    for piece in chunks(reply.text):
        yield chunk({"content": piece})
    for index, call in enumerate(_calls(asked, reply)):
        arguments = call["function"]["arguments"]
        opening = {**call, "index": index, "function": {"name": call["function"]["name"], "arguments": ""}}
        yield chunk({"tool_calls": [opening]})
        for piece in chunks(arguments):
            yield chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    last = chunk({}, _finish(reply))[1]
    yield "", {**last, "usage": _usage(reply)}
    yield "", "[DONE]"
