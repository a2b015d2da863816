"""OpenAI Responses: requests read, answers written whole or as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.clients.wire import Asked, Reply, chunks, words_of

_WORDS = ("input_text", "output_text", "text")


def read(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Asked:
    user_text, tool_results, system = "", [], [str(body.get("instructions") or "")]
    items = body.get("input")
    for item in items if isinstance(items, list) else [{"role": "user", "content": items}]:
        match item.get("type", "message"), item.get("role"):
            case (("function_call_output" | "custom_tool_call_output"), _):
                output = item.get("output")
                tool_results.append(output if isinstance(output, str) else words_of(output, _WORDS))
            case "message", "assistant":
                tool_results = []
            case "message", ("system" | "developer"):
                system.append(words_of(item.get("content"), _WORDS))
            case "message", _:
                user_text, tool_results = words_of(item.get("content"), _WORDS), []
            case (("function_call" | "custom_tool_call"), _):
                pass
    return Asked(
        endpoint="/responses",
        path=path,
        headers=headers,
        body=body,
        model=str(body.get("model", "")),
        system="\n".join(system),
        user_text=user_text,
        tool_results=tuple(tool_results),
        tool_names=tuple(str(tool.get("name") or tool.get("type", "")) for tool in body.get("tools") or ()),
    )


def _items(asked: Asked, reply: Reply) -> list[dict[str, Any]]:
    turn = len(asked.body.get("input") or ())
    items: list[dict[str, Any]] = []
    if reply.thinking:
        summary = [{"type": "summary_text", "text": reply.thinking}]
        items.append({"type": "reasoning", "id": f"rs_{turn}", "summary": summary})
    if reply.text:
        content = [{"type": "output_text", "text": reply.text, "annotations": []}]
        message = {"type": "message", "id": f"msg_{turn}", "role": "assistant", "status": "completed"}
        items.append({**message, "content": content})
    for number, call in enumerate(reply.tool_calls):
        item = {
            "type": "function_call",
            "id": f"fc_{turn}_{number}",
            "call_id": call.id or f"call_{turn}_{number}",
            "name": call.name,
            "arguments": json.dumps(dict(call.arguments)),
            "status": "completed",
        }
        items.append(item | ({"namespace": call.namespace} if call.namespace else {}))
    return items


def whole(asked: Asked, reply: Reply) -> dict[str, Any]:
    return {
        "id": f"resp_{len(asked.body.get('input') or ())}",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": asked.model,
        "output": _items(asked, reply),
        "usage": {
            "input_tokens": reply.input_tokens,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": reply.output_tokens,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": reply.input_tokens + reply.output_tokens,
        },
    }


def events(asked: Asked, reply: Reply) -> Iterator[tuple[str, Any]]:
    response = whole(asked, reply)

    def event(name: str, **fields: Any) -> tuple[str, Any]:
        return name, {"type": name, **fields}

    yield event("response.created", response={**response, "status": "in_progress", "output": []})
    for index, item in enumerate(response["output"]):
        yield event("response.output_item.added", output_index=index, item={**item, "status": "in_progress"})
        if item["type"] == "message":
            for piece in chunks(reply.text):
                yield event(
                    "response.output_text.delta", item_id=item["id"], output_index=index, content_index=0, delta=piece
                )
        elif item["type"] == "function_call":
            for piece in chunks(item["arguments"]):
                yield event(
                    "response.function_call_arguments.delta", item_id=item["id"], output_index=index, delta=piece
                )
        yield event("response.output_item.done", output_index=index, item=item)
    yield event("response.completed", response=response)
