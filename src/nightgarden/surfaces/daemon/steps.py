"""Which steps the background has, how often each runs and how long it may take."""

from __future__ import annotations

from datetime import datetime, timedelta

from nightgarden.errors import GardenBusy
from nightgarden.recall.options import Request
from nightgarden.settings import DaemonSettings
from nightgarden.surfaces.daemon.background import Done, Step
from nightgarden.surfaces.daemon.folder import DaemonFolder
from nightgarden.surfaces.daemon.gardens import Gardens
from nightgarden.surfaces.daemon.notebooks import NotebookKeeping
from nightgarden.surfaces.daemon.spool import Take, ingest
from nightgarden.surfaces.daemon.watch import SessionWatch

UPKEEP_SECONDS = 60.0
TEND_FIRST_SECONDS = 120.0  # whoever starts a session starts the daemon, and should not share the machine with tending
TEND_LOOK_SECONDS = 3600.0
TEND_BUSY_SECONDS = 600.0
TEND_SECONDS_MAX = 3600.0  # a run that breaks off goes on where it was


def make_steps(folder: DaemonFolder, gardens: Gardens, settings: DaemonSettings, take: Take) -> tuple[Step, ...]:
    """The steps of a daemon, all on the garden of its data folder but for upkeep, which is for every open one."""
    watch, keeping = SessionWatch(), NotebookKeeping()

    async def warm() -> Done:
        garden = await gardens.home()
        await garden.warm()
        await garden.recall_request(Request(query="warm", limit=1))  # loads the index of vectors as well
        return Done(line="model and index are loaded", again_seconds=None)

    async def spool() -> Done:
        return await ingest(folder.spool, (await gardens.home()).store, take)

    async def sessions() -> Done:
        return await watch.run(await gardens.home(), again_seconds=settings.watch_seconds)

    async def tend() -> Done:
        garden = await gardens.home()
        last = (await garden.health()).last_sweep
        wait = seconds_until_due(last, every_hours=garden.settings.tend.sweep_hours, now=garden.now())
        if wait > 0:
            return Done(line=f"done {last:%Y-%m-%d %H:%M} UTC", again_seconds=min(wait, TEND_LOOK_SECONDS))
        try:
            report = await garden.tend()
        except GardenBusy:
            return Done(line="the garden is being tended already", again_seconds=TEND_BUSY_SECONDS)
        return Done(line=report.sentence(), again_seconds=TEND_LOOK_SECONDS)

    async def notebooks() -> Done:
        return await keeping.run(await gardens.home(), lambda root: gardens.at(str(root), {}))

    async def indexes() -> Done:
        for garden in gardens.opened().values():
            await garden.store.maintain()
        return Done(line="in order", again_seconds=UPKEEP_SECONDS)

    return (
        Step(name="warm", run=warm, seconds_max=120.0),
        Step(name="spool", run=spool, seconds_max=120.0),
        Step(name="sessions", run=sessions, seconds_max=300.0, first_seconds=1.0),
        Step(name="tend", run=tend, seconds_max=TEND_SECONDS_MAX, first_seconds=TEND_FIRST_SECONDS),
        Step(name="notebooks", run=notebooks, seconds_max=120.0, first_seconds=10.0),
        Step(name="indexes", run=indexes, seconds_max=120.0, first_seconds=UPKEEP_SECONDS),
    )


def seconds_until_due(last: datetime | None, *, every_hours: int, now: datetime) -> float:
    """0 when the garden should be tended now."""
    if last is None:
        return 0.0
    return max(0.0, (last + timedelta(hours=every_hours) - now).total_seconds())
