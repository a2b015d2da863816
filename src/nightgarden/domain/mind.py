"""A mind: a language model behind one interface. Knows nothing of providers, prompts or money."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Protocol

_THOUGHT, _THOUGHT_END = "<think>", "</think>"  # as servers give it that do not keep it apart
_FENCED = re.compile(r"^```(?:json)?\s*\n(.*)\n```$", re.DOTALL)


class Mind(Protocol):
    """Completes a prompt. Raises `ModelUnavailable` when it cannot be reached or is not allowed to answer now."""

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        """The reply as text. `schema` is the JSON schema the reply should follow; a mind may ignore it, so check."""
        ...


def read_reply(reply: str) -> Any:
    """The JSON of a reply, which may stand between a fence's lines, and after what a model thought aloud; None when it
    is anything else, or talks around."""
    text = reply.strip()
    if text.startswith(_THOUGHT):
        text = text.partition(_THOUGHT_END)[2].strip()
    if (fenced := _FENCED.match(text)) is not None:
        text = fenced[1]
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
