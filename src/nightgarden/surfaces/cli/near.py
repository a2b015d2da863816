"""A garden that a command opens itself and asks for operations, blocking. Closed with the command."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from nightgarden.domain.requests.declare import OperationRequest
from nightgarden.errors import BadInput, CorruptGarden, StoreUnavailable
from nightgarden.garden import Garden
from nightgarden.surfaces.operations.perform import perform_request


class NearGarden:
    """Opened at the first question. One that only reads works on a file that is damaged or may not be written."""

    def __init__(self, garden: str | None, directory: str | None) -> None:
        self._garden = garden
        self._directory = directory
        self._runner = asyncio.Runner()
        self._open: Garden | None = None
        self._closing = AsyncExitStack()

    def ask(self, request: type[OperationRequest], given: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
        """The answer, and how many damaged records were left out."""
        return self._runner.run(self._ask(request, given))

    async def _ask(self, request: type[OperationRequest], given: Mapping[str, Any]) -> tuple[dict[str, Any], int]:
        try:
            return await self._perform(request, given)
        except (CorruptGarden, StoreUnavailable) as error:
            if not request.reads:
                raise
            why = error
        await self._closing.aclose()
        self._open = None
        try:
            answer = await self._perform(request, given, read_only=True)
        except (BadInput, StoreUnavailable):
            raise why from None
        if isinstance(why, CorruptGarden):
            print(f"nightgarden: {why} Reading what can be read.", file=sys.stderr)
        return answer

    async def _perform(
        self, request: type[OperationRequest], given: Mapping[str, Any], *, read_only: bool = False
    ) -> tuple[dict[str, Any], int]:
        if self._open is None:
            # who looks something up does not wait for a model to be loaded
            opening = Garden.open(
                self._garden, directory=self._directory, read_only=read_only, background=not request.reads
            )
            self._open = await self._closing.enter_async_context(opening)
        answer = await perform_request(self._open, request, given, "user")
        return answer, self._open.damaged

    def close(self) -> None:
        """Waits for what the garden has begun."""
        self._runner.run(self._closing.aclose())
        self._runner.close()
