"""Asking a mind while tending: so many questions a run, and none after it could not be reached.

Knows nothing of what is asked. Nobody is asked in a dry run: it would cost as much as the run itself, and the run would
ask again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from nightgarden.domain.mind import Mind, read_reply
from nightgarden.errors import ModelUnavailable
from nightgarden.recall.mind_votes import as_data

NOTE_CHARS_MAX = 600  # as much of a memory as a turn's verification shows a mind


class Counsel:
    """A mind as one run may ask it."""

    def __init__(self, mind: Mind | None, *, questions_max: int, timeout_seconds: float) -> None:
        self._mind = mind
        self.left = questions_max if mind is not None else 0
        self._timeout_seconds = timeout_seconds
        self.asked = 0
        self.unreachable = False

    def may_ask(self, questions: int = 1) -> bool:
        return self.left >= questions

    async def ask(self, prompts: Sequence[str], schema: Mapping[str, object]) -> list[Any] | None:
        """The replies' JSON, None for one that is none. None for all when the mind may not be asked or failed."""
        if self._mind is None or not self.may_ask(len(prompts)):
            return None
        self.left -= len(prompts)
        self.asked += len(prompts)
        try:
            async with asyncio.timeout(self._timeout_seconds):
                replies = await asyncio.gather(*(self._mind.complete(prompt, schema) for prompt in prompts))
        except (ModelUnavailable, TimeoutError):
            self.unreachable = True
            self.left = 0  # a run holds the garden's lock; it does not wait for a mind twice
            return None
        return [read_reply(reply) for reply in replies]


def fenced(text: str) -> str:
    """A memory's text as data on one line of a prompt: no breaks, nothing that hides, secrets blacked out."""
    return as_data(text[: 2 * NOTE_CHARS_MAX])[:NOTE_CHARS_MAX]
