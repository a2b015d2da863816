"""Gemini's generateContent: requests read, answers written whole or as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.clients.wire import Asked, Reply

STREAMED, WHOLE = ":streamGenerateContent", ":generateContent"


def read(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Asked:
    user_text, tool_results = "", []
    for content in body.get("contents", ()):
        parts = content.get("parts", ())
        results = [json.dumps(part["functionResponse"]) for part in parts if "functionResponse" in part]
        if content.get("role") == "model":
            tool_results = []
        elif results:
            tool_results += results
        else:
            user_text = "\n".join(str(part.get("text", "")) for part in parts)
    tools = [each for tool in body.get("tools") or () for each in tool.get("functionDeclarations", ())]
    streamed = path.endswith(STREAMED)
    return Asked(
        endpoint=STREAMED if streamed else WHOLE,
        path=path,
        headers=headers,
        body={**body, "stream": streamed},
        model=path.rpartition("/")[2].partition(":")[0],
        system=str(body.get("systemInstruction", "")),
        user_text=user_text,
        tool_results=tuple(tool_results),
        tool_names=tuple(str(each.get("name", "")) for each in tools),
    )


def whole(_: Asked, reply: Reply) -> dict[str, Any]:
    parts: list[dict[str, Any]] = [{"text": reply.text}] if reply.text else []
    parts += [{"functionCall": {"name": call.name, "args": dict(call.arguments)}} for call in reply.tool_calls]
    counts = {
        "promptTokenCount": reply.input_tokens,
        "candidatesTokenCount": reply.output_tokens,
        "totalTokenCount": reply.input_tokens + reply.output_tokens,
    }
    candidate = {"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": "STOP"}
    return {"candidates": [candidate], "usageMetadata": counts}


def events(asked: Asked, reply: Reply) -> Iterator[tuple[str, Any]]:
    yield "", whole(asked, reply)
