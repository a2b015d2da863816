"""Everything the daemon does unasked: one task a step, each bounded in time, each with its own line of health.

A step that fails is counted, backs off and is tried again; the others never notice.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from nightgarden.domain.backoff import backoff
from nightgarden.domain.ports import Clock
from nightgarden.domain.time import write_moment

RETRY_MIN = timedelta(seconds=5)
RETRY_MAX = timedelta(minutes=10)  # as the embedding queue
_log = logging.getLogger("nightgarden.background")


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What one run of a step did, in a few words, and when it wants to run again (None: when woken)."""

    line: str
    again_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class BackgroundStep:
    """Bounded work that is done again and again."""

    name: str
    run: Callable[[], Awaitable[Done]]
    seconds_max: float
    first_seconds: float = 0.0  # after the start of the daemon


@dataclass(frozen=True, slots=True, kw_only=True)
class StepHealth:
    """A step's line in `nightgarden status`."""

    name: str
    runs: int = 0
    failures: int = 0
    failures_in_row: int = 0
    line: str = "not run yet"
    last_run_at: datetime | None = None
    last_error: str | None = None
    last_error_at: datetime | None = None

    @property
    def ok(self) -> bool:
        return self.failures_in_row == 0

    def shape(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "ok": self.ok,
            "line": self.line if self.ok else f"failing: {self.last_error}",
            "runs": self.runs,
            "failures": self.failures,
            "last_run_at": write_moment(self.last_run_at) if self.last_run_at else None,
            "last_error": self.last_error,
            "last_error_at": write_moment(self.last_error_at) if self.last_error_at else None,
        }


class BackgroundRunner:
    """Runs steps until it is closed."""

    def __init__(self, steps: tuple[BackgroundStep, ...], clock: Clock) -> None:
        self._clock = clock
        self._steps = steps
        self._health = {step.name: StepHealth(name=step.name) for step in steps}
        self._woken = {step.name: asyncio.Event() for step in steps}
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self._tasks = [asyncio.create_task(self._repeat(step), name=step.name) for step in self._steps]

    def wake(self, name: str) -> None:
        """There is something to do for a step now."""
        self._woken[name].set()

    def health(self) -> list[StepHealth]:
        return [self._health[step.name] for step in self._steps]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _repeat(self, step: BackgroundStep) -> None:
        woken = self._woken[step.name]
        wait_seconds: float | None = step.first_seconds
        while True:
            if wait_seconds is None or wait_seconds > 0:
                with suppress(TimeoutError):
                    await asyncio.wait_for(woken.wait(), wait_seconds)
            woken.clear()
            wait_seconds = await self._run_once(step)

    async def _run_once(self, step: BackgroundStep) -> float | None:
        before = self._health[step.name]
        try:
            async with asyncio.timeout(step.seconds_max):
                done = await step.run()
        except TimeoutError:
            return self._note_failure(step, f"not done within {step.seconds_max:g} s")
        except Exception as error:  # noqa: BLE001 - a top handler: counted, shown in status, tried again
            _log.warning("%s failed: %s", step.name, error, exc_info=True)
            return self._note_failure(step, str(error) or type(error).__name__)
        self._health[step.name] = replace(
            before, runs=before.runs + 1, failures_in_row=0, line=done.line, last_run_at=self._clock.now()
        )
        return done.again_seconds

    def _note_failure(self, step: BackgroundStep, reason: str) -> float:
        before = self._health[step.name]
        self._health[step.name] = replace(
            before,
            runs=before.runs + 1,
            failures=before.failures + 1,
            failures_in_row=before.failures_in_row + 1,
            last_run_at=self._clock.now(),
            last_error=reason,
            last_error_at=self._clock.now(),
        )
        return backoff(before.failures_in_row + 1, shortest=RETRY_MIN, longest=RETRY_MAX).total_seconds()
