"""The judge of what is worth showing: a small model that looks at a prompt and a few results once more.

Remembers the vectors of what it looked at, because neighbouring turns come to much the same memories.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from nightgarden.domain.ports import Embedder, Vector
from nightgarden.errors import ModelUnavailable
from nightgarden.recall.result import Result

_REMEMBERED_MAX = 512  # 0.8 MB


class Judge:
    """Cosines between a prompt and results, by the judging model. Without one it has no opinion."""

    def __init__(self, get: Callable[[], Awaitable[Embedder | None]]) -> None:
        self._get = get
        self._vectors: OrderedDict[str, Vector] = OrderedDict()  # by text

    async def cosines(self, prompt: str, results: Sequence[Result]) -> dict[str, float] | None:
        """One cosine for each result; None when there is no model to judge by."""
        model = await self._get()
        if model is None or not results:
            return None
        unseen = list(dict.fromkeys(result.content for result in results if result.content not in self._vectors))
        try:
            asked, *rows = await asyncio.to_thread(model.embed, [prompt, *unseen])
        except ModelUnavailable:
            return None
        vectors = dict(zip(unseen, rows, strict=True)) | {
            result.content: self._vectors[result.content] for result in results if result.content in self._vectors
        }
        for text, vector in vectors.items():
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
        while len(self._vectors) > _REMEMBERED_MAX:
            self._vectors.popitem(last=False)
        return {result.id: float(asked @ vectors[result.content]) for result in results}
