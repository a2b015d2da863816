"""The steps of a daemon that work by themselves: the ambient agent, and tending where that is off."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from datetime import timedelta

from nightgarden.ambient.ambient import Ambient
from nightgarden.ambient.context import active_until
from nightgarden.ambient.run_gate import Delay
from nightgarden.ambient.signs import ActivitySigns, tend_noticed_at, tend_wait
from nightgarden.ambient.starts import serve_sessions
from nightgarden.errors import GardenBusy
from nightgarden.garden import Garden
from nightgarden.surfaces.daemon.background import Done
from nightgarden.surfaces.daemon.user_messages import tell_of_tending

LOOK_SECONDS = 30.0  # how soon an event, a directive or a command of another process is seen
TEND_LOOK_SECONDS = 3600.0
TEND_BUSY_SECONDS = 600.0


class Night:
    """Remembers what it saw between two looks. On the garden of the data folder."""

    def __init__(self, home: Callable[[], Awaitable[Garden]]) -> None:
        self._home = home
        self._ambient: Ambient | None = None
        self._signs: ActivitySigns | None = None

    async def ambient(self) -> Done:
        """One look of the scheduler; a whole cycle when it is time for one."""
        garden = await self._home()
        if self._ambient is None or self._ambient.garden.settings != garden.settings:
            self._ambient = Ambient(garden)
            self._signs = ActivitySigns(self._ambient)
        assert self._signs is not None
        served = await serve_sessions(garden, os.environ)
        if garden.settings.ambient.enabled:
            await self._signs.look()
        decision, cycle = await self._ambient.step()
        if cycle is not None:
            return Done(line=f"{cycle.status.value}: {cycle.line}", again_seconds=LOOK_SECONDS)
        line = decision.words if isinstance(decision, Delay) else "ran"
        return Done(line="; ".join([line, *served]), again_seconds=LOOK_SECONDS)

    async def tend(self) -> Done:
        """Tends where the ambient agent does not: when the user is idle, at the latest a day after it was seen to be
        due, however often the daemon is started anew in between."""
        garden = await self._home()
        ambient, now = garden.settings.ambient, garden.now()
        if ambient.enabled and not (await Ambient(garden).records.state()).paused:
            return Done(line="left to the ambient agent", again_seconds=TEND_LOOK_SECONDS)
        last = (await garden.health()).last_sweep
        every = timedelta(hours=garden.settings.tend.sweep_hours)
        wait = tend_wait(
            last,
            noticed_at=await tend_noticed_at(garden, last, every),
            now=now,
            every=every,
            active_until=await active_until(garden, idle=timedelta(minutes=ambient.idle_minutes)),
        ).total_seconds()
        if wait > 0:
            words = f"done {last:%Y-%m-%d %H:%M} UTC" if last is not None else "not yet, you are working"
            return Done(line=words, again_seconds=min(wait, TEND_LOOK_SECONDS))
        try:
            report = await garden.tend()
        except GardenBusy:
            return Done(line="the garden is being tended already", again_seconds=TEND_BUSY_SECONDS)
        await tell_of_tending(garden, report)
        return Done(line=report.sentence(), again_seconds=TEND_LOOK_SECONDS)
