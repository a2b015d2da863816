"""Anthropic Messages: requests read, answers written whole or as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.clients.wire import Asked, Reply, chunks, words_of


def read(path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Asked:
    system, user_text, tool_results = [words_of(body.get("system"), ("text",))], "", []
    for message in body.get("messages", ()):
        content = message.get("content")
        if message.get("role") == "assistant":
            tool_results = []
            continue
        if message.get("role") == "system":  # Claude Code sends its reminders as system turns between the others
            system.append(words_of(content, ("text",)))
            continue
        blocks = content if isinstance(content, list) else []
        results = [block for block in blocks if block.get("type") == "tool_result"]
        tool_results += [words_of(block.get("content"), ("text",)) for block in results]
        user_text = words_of(content, ("text",)) if not results else user_text
    return Asked(
        endpoint="/messages",
        path=path,
        headers=headers,
        body=body,
        model=str(body.get("model", "")),
        system="\n".join(system),
        user_text=user_text,
        tool_results=tuple(tool_results),
        tool_names=tuple(str(tool.get("name", "")) for tool in body.get("tools") or ()),
    )


def _blocks(asked: Asked, reply: Reply) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if reply.thinking:
        blocks.append({"type": "thinking", "thinking": reply.thinking, "signature": "c2NyaXB0ZWQ="})
    if reply.text:
        blocks.append({"type": "text", "text": reply.text})
    for number, call in enumerate(reply.tool_calls):
        call_id = call.id or f"toolu_{_serial(asked)}{number}"
        blocks.append({"type": "tool_use", "id": call_id, "name": call.name, "input": dict(call.arguments)})
    return blocks


def _serial(asked: Asked) -> str:
    return f"{len(asked.body.get('messages', ())):04d}{abs(hash(asked.user_text)) % 10**8:08d}"


def whole(asked: Asked, reply: Reply) -> dict[str, Any]:
    return {
        "id": f"msg_{_serial(asked)}",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "content": _blocks(asked, reply),
        "stop_reason": "tool_use" if reply.tool_calls else "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": reply.input_tokens, "output_tokens": reply.output_tokens},
    }


def events(asked: Asked, reply: Reply) -> Iterator[tuple[str, Any]]:
    message = whole(asked, reply)
    blocks = message["content"]
    start = {**message, "content": [], "stop_reason": None}
    yield "message_start", {"type": "message_start", "message": start}
    for index, block in enumerate(blocks):
        empty: dict[str, Any]
        match block["type"]:
            case "text":
                empty = {"type": "text", "text": ""}
                deltas = [{"type": "text_delta", "text": piece} for piece in chunks(block["text"])]
            case "thinking":
                empty = {"type": "thinking", "thinking": "", "signature": ""}
                deltas = [{"type": "thinking_delta", "thinking": piece} for piece in chunks(block["thinking"])]
                deltas.append({"type": "signature_delta", "signature": block["signature"]})
            case _:
                empty = {**block, "input": {}}
                pieces = chunks(json.dumps(block["input"]))
                deltas = [{"type": "input_json_delta", "partial_json": piece} for piece in pieces]
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": empty}
        for delta in deltas:
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": ending, "usage": message["usage"]}
    yield "message_stop", {"type": "message_stop"}
