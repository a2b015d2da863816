"""How a question and its answer look in the two wire formats. Pure: values in, values out; no key, no network.

The schema goes along as words. Both providers, and servers that speak like them, have a field for it, each with other
limits on what a schema may hold; every reader here checks the reply anyway.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal["openai", "anthropic"]

ANSWER_TOKENS_MAX = 2_048  # the longest reply asked for, twenty memories with their evidence, takes about 1,600
# Text of a prompt per token, at least: 3 is the low end for English and code; other scripts cost more, and what a call
# really took is counted after it.
CHARACTERS_PER_TOKEN = 3
_OWN_ADDRESS = {"openai": "https://api.openai.com/v1", "anthropic": "https://api.anthropic.com/v1"}
_PATH = {"openai": "/chat/completions", "anthropic": "/messages"}
_ANTHROPIC_VERSION = "2023-06-01"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back, and what it cost; None when the server did not say."""

    text: str
    tokens: int | None


def own_address(kind: Kind) -> str:
    """Where the provider itself serves this format."""
    return _OWN_ADDRESS[kind]


def url_of(kind: Kind, base_url: str) -> str:
    return base_url.rstrip("/") + _PATH[kind]


def headers_of(kind: Kind, key: str | None) -> dict[str, str]:
    if kind == "anthropic":
        return {"anthropic-version": _ANTHROPIC_VERSION} | ({"x-api-key": key} if key else {})
    return {"Authorization": f"Bearer {key}"} if key else {}


def body_of(kind: Kind, base_url: str, model: str, prompt: str, schema: Mapping[str, object]) -> dict[str, Any]:
    """The request. Lone surrogates cannot be sent, so they become question marks."""
    prompt = prompt.encode("utf-8", "replace").decode("utf-8")
    system = (
        f"You answer with one JSON value that follows this JSON schema, and with nothing else: {json.dumps(schema)}"
    )
    asked = {"role": "user", "content": prompt}
    if kind == "anthropic":
        return {"model": model, "max_tokens": ANSWER_TOKENS_MAX, "system": system, "messages": [asked]}
    # The provider's newer models know only the longer name, servers that imitate it mostly only the shorter.
    limit = "max_completion_tokens" if base_url.rstrip("/") == _OWN_ADDRESS["openai"] else "max_tokens"
    return {"model": model, limit: ANSWER_TOKENS_MAX, "messages": [{"role": "system", "content": system}, asked]}


def tokens_at_most(body: Mapping[str, Any]) -> int:
    """What a request may cost, estimated before it is sent: its text and the longest answer allowed."""
    return len(json.dumps(body, ensure_ascii=False)) // CHARACTERS_PER_TOKEN + ANSWER_TOKENS_MAX


def read_answer(kind: Kind, answer: Mapping[str, Any]) -> Answer | None:
    """The answer's words and cost; None when it has not the format's shape."""
    usage = answer.get("usage")
    text: Any
    try:
        if kind == "anthropic":
            text = "".join(block["text"] for block in answer["content"] if block["type"] == "text")
        else:
            text = answer["choices"][0]["message"]["content"] or ""
    except (KeyError, IndexError, TypeError):
        return None
    if not isinstance(text, str):
        return None
    return Answer(text=text, tokens=_sum(usage) if isinstance(usage, Mapping) else None)


def _sum(usage: Mapping[str, Any]) -> int | None:
    """All tokens that were read and written; those read from or into a provider's cache are counted in full."""
    names = ("prompt_tokens", "completion_tokens", "input_tokens", "output_tokens")
    cached = ("cache_creation_input_tokens", "cache_read_input_tokens")
    found = [usage[name] for name in (*names, *cached) if isinstance(usage.get(name), int)]
    return sum(found) if found else None
