"""Which steps the background has, how often each runs and how long it may take."""

from __future__ import annotations

from nightgarden.recall.options import Request
from nightgarden.settings import DaemonSettings
from nightgarden.surfaces.daemon.background import BackgroundStep, Done
from nightgarden.surfaces.daemon.folder import DaemonFolder
from nightgarden.surfaces.daemon.gardens import Gardens
from nightgarden.surfaces.daemon.initiative_step import InitiativeStep
from nightgarden.surfaces.daemon.night import Night
from nightgarden.surfaces.daemon.notebooks import NotebookKeeping
from nightgarden.surfaces.daemon.spool import Take, ingest
from nightgarden.surfaces.daemon.user_messages import send_and_read
from nightgarden.surfaces.daemon.watch import SessionWatch

UPKEEP_SECONDS = 60.0
TEND_FIRST_SECONDS = 120.0  # whoever starts a session starts the daemon, and should not share the machine with tending
MESSAGES_FIRST_SECONDS = 5.0
AMBIENT_FIRST_SECONDS = 10.0
AMBIENT_SECONDS_MAX = 12 * 3600.0  # a cycle has limits of its own; this one is for what hangs
INITIATIVE_SECONDS_MAX = 600.0  # feeds, two thoughts with tools, media
TEND_SECONDS_MAX = 3600.0  # a run that breaks off goes on where it was


def make_steps(
    folder: DaemonFolder, gardens: Gardens, settings: DaemonSettings, take: Take, speaking: InitiativeStep
) -> tuple[BackgroundStep, ...]:
    """The steps of a daemon, all on the garden of its data folder but for upkeep, which is for every open one."""
    watch, night, keeping = SessionWatch(), Night(gardens.home), NotebookKeeping()

    async def warm() -> Done:
        garden = await gardens.home()
        damage = await garden.warm()
        await garden.recall_request(Request(query="warm", limit=1))  # loads the index of vectors as well
        if damage is not None:
            raise damage
        return Done(line="model and index are loaded", again_seconds=None)

    async def spool() -> Done:
        return await ingest(folder.spool, await gardens.home(), take)

    async def sessions() -> Done:
        return await watch.run(await gardens.home(), again_seconds=settings.watch_seconds)

    async def messages() -> Done:
        garden = await gardens.home()
        return await send_and_read(garden, speaking.private_room(garden))

    async def initiative() -> Done:
        return await speaking.run(await gardens.home())

    async def notebooks() -> Done:
        return await keeping.run(await gardens.home(), lambda root: gardens.at(str(root), {}))

    async def indexes() -> Done:
        for garden in gardens.opened().values():
            await garden.maintain()
        return Done(line="in order", again_seconds=UPKEEP_SECONDS)

    return (
        BackgroundStep(name="warm", run=warm, seconds_max=120.0),
        BackgroundStep(name="spool", run=spool, seconds_max=120.0),
        BackgroundStep(name="sessions", run=sessions, seconds_max=300.0, first_seconds=1.0),
        BackgroundStep(name="tend", run=night.tend, seconds_max=TEND_SECONDS_MAX, first_seconds=TEND_FIRST_SECONDS),
        BackgroundStep(
            name="ambient", run=night.ambient, seconds_max=AMBIENT_SECONDS_MAX, first_seconds=AMBIENT_FIRST_SECONDS
        ),
        BackgroundStep(name="messages", run=messages, seconds_max=300.0, first_seconds=MESSAGES_FIRST_SECONDS),
        BackgroundStep(name="initiative", run=initiative, seconds_max=INITIATIVE_SECONDS_MAX, first_seconds=5.0),
        BackgroundStep(name="notebooks", run=notebooks, seconds_max=120.0, first_seconds=10.0),
        BackgroundStep(name="indexes", run=indexes, seconds_max=120.0, first_seconds=UPKEEP_SECONDS),
    )
