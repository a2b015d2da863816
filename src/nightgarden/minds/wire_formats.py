"""How a question and its answer look in the two wire formats. Pure: values in, values out; no key, no network.

The schema goes along as words. Both providers, and servers that speak like them, have a field for it, each with other
limits on what a schema may hold; every reader here checks the reply anyway.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from nightgarden.minds.backend import (
    ANSWER_TOKENS_MAX,
    CHARACTERS_PER_TOKEN,
    Completion,
    Usage,
    sendable,
    system_text,
)

Wire = Literal["chat", "messages"]

_PATH = {"chat": "/chat/completions", "messages": "/messages"}
_ANTHROPIC_VERSION = "2023-06-01"
_OPENAI = "https://api.openai.com/v1"


def url_of(wire: Wire, base_url: str) -> str:
    return base_url.rstrip("/") + _PATH[wire]


def headers_of(wire: Wire, key: str | None) -> dict[str, str]:
    if wire == "messages":
        return {"anthropic-version": _ANTHROPIC_VERSION} | ({"x-api-key": key} if key else {})
    return {"Authorization": f"Bearer {key}"} if key else {}


def body_of(wire: Wire, base_url: str, model: str, prompt: str, schema: Mapping[str, object]) -> dict[str, Any]:
    """The request."""
    system = system_text(schema)
    asked = {"role": "user", "content": sendable(prompt)}
    if wire == "messages":
        return {"model": model, "max_tokens": ANSWER_TOKENS_MAX, "system": system, "messages": [asked]}
    # The provider's newer models know only the longer name, servers that imitate it mostly only the shorter.
    limit = "max_completion_tokens" if base_url.rstrip("/") == _OPENAI else "max_tokens"
    return {"model": model, limit: ANSWER_TOKENS_MAX, "messages": [{"role": "system", "content": system}, asked]}


def tokens_at_most(body: Mapping[str, Any]) -> int:
    """What a request may cost, estimated before it is sent: its text and the longest answer allowed."""
    return len(json.dumps(body, ensure_ascii=False)) // CHARACTERS_PER_TOKEN + ANSWER_TOKENS_MAX


def read_answer(wire: Wire, answer: Mapping[str, Any]) -> Completion | None:
    """The answer's words and cost; None when it has not the format's shape."""
    usage = answer.get("usage")
    text: Any
    try:
        if wire == "messages":
            text = "".join(block["text"] for block in answer["content"] if block["type"] == "text")
        else:
            text = answer["choices"][0]["message"]["content"] or ""
    except (KeyError, IndexError, TypeError):
        return None
    if not isinstance(text, str):
        return None
    return Completion(text=text, usage=read_usage(usage) if isinstance(usage, Mapping) else Usage())


def read_usage(usage: Mapping[str, Any]) -> Usage:
    """Both providers' forms. All that was read counts in full, whether from a provider's cache or into it: one counts
    those among the tokens read, the other beside them. OpenRouter says the cost as well."""
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details")
    cached = _count(details.get("cached_tokens")) if isinstance(details, Mapping) else None
    beside = [_count(usage.get(name)) for name in ("cache_read_input_tokens", "cache_creation_input_tokens")]
    read = _count(usage.get("prompt_tokens"))
    if read is None and (fresh := _count(usage.get("input_tokens"))) is not None:
        read = fresh + sum(count or 0 for count in beside)
    written = _count(usage.get("completion_tokens"))
    return Usage(
        tokens_in=read,
        tokens_out=written if written is not None else _count(usage.get("output_tokens")),
        tokens_cached=cached if cached is not None else beside[0],
        cost_usd=read_cost(usage.get("cost")),
    )


def read_cost(value: Any) -> float | None:
    """A cost in dollars, if it is one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < 1e6:
        return None
    return float(value)


def _count(value: Any) -> int | None:
    return value if type(value) is int and 0 <= value < 10**12 else None
