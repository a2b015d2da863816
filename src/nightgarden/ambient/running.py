"""A cycle that goes on: its record, saved at every transition, and the points where it may be stopped.

Between two steps, and between two operations of tending, a cycle looks whether the user came back, asked it to stop,
or another machine took over.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from enum import StrEnum

from nightgarden.ambient.ambient_documents import Records
from nightgarden.ambient.cycles import Cycle
from nightgarden.ambient.lease import Holding
from nightgarden.domain.ports import Clock
from nightgarden.domain.shelf import Kept
from nightgarden.errors import LeaseLost, NightgardenError

LOOK_SECONDS = 1.0  # how soon a cycle notices that the user is back; nothing is asked of anybody but the store
Progress = Callable[[Cycle], None]
_log = logging.getLogger("nightgarden.ambient")


class Halt(StrEnum):
    """Why a cycle ends at the next safe point."""

    USER = "the user is back"
    STOP = "stopped by the user"
    TIME = "its time is up"
    LOST = "another machine took over"


class Halted(Exception):
    """A cycle ends here, at a safe point."""

    def __init__(self, halt: Halt) -> None:
        super().__init__(halt.value)
        self.halt = halt


class Running:
    """The open cycle."""

    def __init__(
        self,
        records: Records,
        kept: Kept[Cycle],
        holding: Holding,
        clock: Clock,
        *,
        look: Callable[[Cycle], Awaitable[Halt | None]],
        told: Progress | None = None,
    ) -> None:
        self._records = records
        self._kept = kept
        self._clock = clock
        self._look = look
        self._told = told
        self.holding = holding
        self.since = clock.now()  # in this process
        self.halt: Halt | None = None
        self._saving = asyncio.Lock()

    @property
    def cycle(self) -> Cycle:
        return self._kept.value

    async def save(self, change: Callable[[Cycle], Cycle]) -> Cycle:
        """Stores the next state of the cycle. Raises LeaseLost when this is no longer ours to say."""
        async with self._saving:
            after = change(self.cycle)
            if after != self.cycle:
                self._kept = await self._records.put_cycle(after, expected=self._kept.version, at=self._clock.now())
                if self._told is not None:
                    self._told(after)
        return self.cycle

    async def do(self, key: str, work: Callable[[], Awaitable[tuple[str, int]]]) -> None:
        """Does one step, unless it is done: noted as begun before, as done or failed after. Raises Halted."""
        step = self.cycle.step(key)
        if step is None or not step.open:
            return
        self.safe_point()
        await self.save(lambda cycle: cycle.begun(key))
        try:
            line, changes = await work()
        except (LeaseLost, Halted):
            raise
        except NightgardenError as error:
            text = str(error)
            await self.save(lambda cycle: cycle.failed(key, text))
            return
        except Exception as error:  # noqa: BLE001 - one failing step never stops the others; kept in the cycle, shown
            _log.warning("cycle %s: %s failed: %s", self.cycle.id, key, error, exc_info=True)
            name = type(error).__name__
            await self.save(lambda cycle: cycle.failed(key, f"failed inside nightgarden ({name})"))
            return
        await self.save(lambda cycle: cycle.done(key, line, changes=changes))

    def safe_point(self) -> None:
        """Raises Halted when the cycle should end."""
        if self.holding.lost.is_set():
            self.halt = Halt.LOST
        if self.halt is not None:
            raise Halted(self.halt)

    async def look(self) -> Halt | None:
        """Looks now whether it should end."""
        self.halt = self.halt or await self._look(self.cycle)
        return self.halt

    @asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Looks again and again meanwhile, so that long work learns of it by `safe_point`."""

        async def watch() -> None:
            while self.halt is None:
                await asyncio.sleep(LOOK_SECONDS)
                try:
                    await self.look()
                except Exception as error:  # noqa: BLE001 - a store that is away for a moment; the next look tells
                    _log.warning("cycle %s could not look for the user: %s", self.cycle.id, error)

        watching = asyncio.create_task(watch(), name="nightgarden ambient watch")
        try:
            yield
        finally:
            watching.cancel()
            await asyncio.gather(watching, return_exceptions=True)
