"""What a mind cost today, kept in the garden, and the limit that no call goes beyond.

Each process writes a row of its own and adds up all rows, so that none overwrites another's. A call's highest cost is
put down before it is made and set right after it; what a killed process had put down stays. Two processes that ask in
the same instant can together go beyond the limit by one call each, no more. Days are those of UTC.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass

from nightgarden.domain.ports import Clock, Store
from nightgarden.errors import ModelUnavailable

USED = "mind:used:"  # by day and process: tokens and calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """A day's tokens and calls."""

    tokens: int
    calls: int


class Account:
    """The tokens of one garden's mind."""

    def __init__(self, store: Store, clock: Clock, *, daily_tokens: int) -> None:
        self._store = store
        self._clock = clock
        self.daily_tokens = daily_tokens
        self._lock = asyncio.Lock()
        self._row = secrets.token_hex(6)
        self._day = ""
        self._own = Use(tokens=0, calls=0)

    async def today(self) -> Use:
        """What all processes used today."""
        rows = (await self._store.state_items(f"{USED}{self._today()}:")).values()
        return Use(tokens=sum(row["tokens"] for row in rows), calls=sum(row["calls"] for row in rows))

    async def reserve(self, tokens: int) -> None:
        """Puts down what a call may cost. Raises ModelUnavailable when the day's tokens do not reach."""
        async with self._lock:
            await self._turn_day()
            used = (await self.today()).tokens
            if used + tokens > self.daily_tokens:
                raise ModelUnavailable(
                    f"The mind may use {self.daily_tokens:,} tokens a day; {used:,} are used and this needs up to "
                    f"{tokens:,}. It is asked again tomorrow (UTC); mind.daily_tokens sets the limit."
                )
            await self._write(tokens, calls=1)

    async def correct(self, tokens: int) -> None:
        """Adds the difference between what was put down and what it really was."""
        async with self._lock:
            await self._write(tokens, calls=0)

    async def _turn_day(self) -> None:
        if (day := self._today()) == self._day:
            return
        self._day, self._own = day, Use(tokens=0, calls=0)
        for key in await self._store.state_items(USED):
            if not key.startswith(f"{USED}{day}:"):
                await self._store.put_state(key, None)

    async def _write(self, tokens: int, *, calls: int) -> None:
        self._own = Use(tokens=max(0, self._own.tokens + tokens), calls=self._own.calls + calls)
        row = {"tokens": self._own.tokens, "calls": self._own.calls}
        await self._store.put_state(f"{USED}{self._day}:{self._row}", row)

    def _today(self) -> str:
        return f"{self._clock.now():%Y-%m-%d}"
