"""The judge of what is worth showing: a small model that looks at a prompt and a few results once more.

Remembers the vectors of what it looked at, because neighbouring turns come to much the same memories. It reads the
prompt while recall is still searching, and texts it has not seen on two cores: somebody waits for the turn.
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

    async def read(self, prompt: str) -> Vector | None:
        """The prompt as the judge sees it; None when there is no model to judge by."""
        model = await self._get()
        try:
            return None if model is None else (await asyncio.to_thread(model.embed, [prompt]))[0]
        except ModelUnavailable:
            return None

    async def cosines(self, asked: Vector | None, results: Sequence[Result]) -> dict[str, float] | None:
        """One cosine with what `read` gave for each result; None when there is no model to judge by."""
        vectors = await self.vectors(results) if asked is not None else None
        if asked is None or vectors is None:
            return None
        return {id: float(asked @ vector) for id, vector in vectors.items()}

    async def vectors(self, results: Sequence[Result]) -> dict[str, Vector] | None:
        """Each result's vector by its id; None when there is no model to judge by, or nothing to look at."""
        model = await self._get()
        if model is None or not results:
            return None
        unseen = list(dict.fromkeys(result.content for result in results if result.content not in self._vectors))
        halves = [half for half in (unseen[::2], unseen[1::2]) if half]
        try:
            found = await asyncio.gather(*(asyncio.to_thread(model.embed, half) for half in halves))
        except ModelUnavailable:
            return None
        vectors = {
            result.content: self._vectors[result.content] for result in results if result.content in self._vectors
        }
        for half, rows in zip(halves, found, strict=True):
            vectors |= zip(half, rows, strict=True)
        for text, vector in vectors.items():
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
        while len(self._vectors) > _REMEMBERED_MAX:
            self._vectors.popitem(last=False)
        return {result.id: vectors[result.content] for result in results}
