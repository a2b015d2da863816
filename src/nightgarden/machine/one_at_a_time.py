"""Work that goes on after an answer was given: one thing at a time, at most so many waiting, failures counted.

Knows nothing of what the work is. What does not fit is dropped and counted: it is work that makes later answers a
little better, never work that somebody waits for.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import Context

_log = logging.getLogger("nightgarden.background")
WAITING_MAX = 64  # taste: a minute of turns on a slow machine

Work = Callable[[], Awaitable[None]]


class Background:
    """A queue with one worker, which starts with the first work and ends with `close`. Work begins no sooner than
    `rest_seconds` after it came: whoever got the answer goes on at once, and needs the processor more."""

    def __init__(self, *, rest_seconds: float = 0.0) -> None:
        self._rest_seconds = rest_seconds
        self._hurried = asyncio.Event()
        self._queue: asyncio.Queue[tuple[str, Work, float]] = asyncio.Queue(WAITING_MAX)
        self._worker: asyncio.Task[None] | None = None
        self._closed = False
        self.outcomes: Counter[str] = Counter()  # "name: done", "name: dropped", "name: failed (ErrorName)"

    def submit(self, name: str, work: Work) -> bool:
        """Takes work on. False when there is too much of it already, or after closing."""
        if self._closed or self._queue.full():
            self.outcomes[f"{name}: dropped"] += 1
            return False
        self._queue.put_nowait((name, work, time.monotonic() + self._rest_seconds))
        if self._worker is None or self._worker.done():
            # In a context of its own: it serves whoever comes, not only the one who came first.
            self._worker = asyncio.create_task(self._run(), name="nightgarden background", context=Context())
        return True

    async def settle(self) -> None:
        """Waits until all that was taken on is done, which now rests no longer."""
        self._hurried.set()
        await self._queue.join()
        self._hurried.clear()

    async def close(self) -> None:
        """Does what is waiting, then ends. No more is taken on."""
        self._closed = True
        self._hurried.set()
        await self._queue.join()
        if self._worker is not None:
            self._worker.cancel()
            await asyncio.gather(self._worker, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            name, work, due = await self._queue.get()
            if (rest := due - time.monotonic()) > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._hurried.wait(), rest)
            try:
                await work()
                self.outcomes[f"{name}: done"] += 1
            except Exception as error:  # noqa: BLE001 - one failing piece never stops the others; counted, shown in stats
                self.outcomes[f"{name}: failed ({type(error).__name__})"] += 1
                _log.warning("%s failed: %s", name, error)
            finally:
                self._queue.task_done()
