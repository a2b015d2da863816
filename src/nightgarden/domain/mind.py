"""A mind: a language model behind one interface. Knows nothing of providers, prompts or money."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol


class Mind(Protocol):
    """Completes a prompt. Raises `ModelUnavailable` when it cannot be reached or is not allowed to answer now."""

    async def complete(self, prompt: str, schema: Mapping[str, object]) -> str:
        """The reply as text. `schema` is the JSON schema the reply should follow; a mind may ignore it, so check."""
        ...
