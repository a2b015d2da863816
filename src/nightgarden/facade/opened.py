"""An open garden: the store, the models, the queues, the locks and the work in the background, owned once per process.
The library's composition root: the one place that names concrete stores and models.

Knows no place and no project. `Garden` is the light value through which somebody at a place uses it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.mind import Mind
from nightgarden.domain.ports import Clock, Store
from nightgarden.facade.scheduling import Tasks
from nightgarden.facade.stats import Stats
from nightgarden.machine.one_at_a_time import Background
from nightgarden.minds.mind_of_settings import ChosenMind, choose_mind, passed_in
from nightgarden.minds.minds import Minds
from nightgarden.models.catalog import FLOOR
from nightgarden.models.models_of_settings import EmbedderSource
from nightgarden.models.queue import EmbeddingQueue
from nightgarden.recall.result_judge import Judge
from nightgarden.scope import Place
from nightgarden.sessions.choosing import Chooser
from nightgarden.sessions.turn import Turns
from nightgarden.settings import Settings, data_folder
from nightgarden.store import private
from nightgarden.store.engine_of_address import open_store

REFINED_EVERY = 50  # searches; taken over from an earlier system of this kind
UPKEEP_EVERY = timedelta(minutes=5)  # how often somebody who recalls has the indexes looked after; taste


class OpenGarden:
    """What everybody who uses one garden in this process shares."""

    def __init__(
        self,
        store: Store,
        *,
        settings: Settings,
        clock: Clock,
        models_folder: Path,
        env: Mapping[str, str],
        mind: ChosenMind | None = None,
        rest_seconds: float = 0.0,
    ) -> None:
        self.store = store
        self.settings = settings  # those that chose the models
        self.clock = clock
        self.env = env
        self.chosen_mind = mind
        self.minds = Minds(store, settings.mind, mind, clock, env)
        self.ids = IdMaker(lambda: secrets.randbits(64))
        self.models = EmbedderSource(settings.embedding, models_folder, classify=settings.classifier.enabled)
        # A stand-in model never takes away the vectors that a better one made on a shared garden.
        self.queue = EmbeddingQueue(
            store,
            self.models.get,
            clock,
            busy=lambda: self.turns.in_use(),
            replaces=lambda model: model.id != FLOOR.id,
        )
        self.reading = asyncio.Lock()  # of sessions for memories
        self.writing = asyncio.Lock()  # so that two notes that say the same in other words meet each other
        self.background = Background(rest_seconds=rest_seconds)
        self.tasks = Tasks(store, clock, self.background)
        self.turns = Turns(
            store,
            embedder=self.models.get_async,
            chooser=Chooser(
                store,
                judge=Judge(self.models.get_judge_async),
                classifier=self.models.get_classifier_async,
                occasions=self.models.get_occasions_async,
            ),
            background=self.background,
            clock=clock,
            mind=mind.asked_for("verify") if mind else None,
        )
        self._retrievals = 0
        self._upkeep_at = clock.now()  # the first recall looks whether the indexes have outgrown their order
        self._upkeep: asyncio.Task[None] | None = None

    def changed(self) -> None:
        """Something was written that may need a vector."""
        self.queue.wake()

    def taken_in(self) -> None:
        """Something was written past the rooms that keep track of it: an import, an undo."""
        self.queue.wake()
        self.tasks.look_again()

    async def stats(self, place: Place) -> Stats:
        """How much there is now, as somebody at this place sees it."""
        embedder = await self.models.get_async()
        return Stats(
            counts=await self.store.counts(),
            embedding=self.queue.health,
            model=embedder.model if embedder else None,
            mind=await self.chosen_mind.use() if self.chosen_mind else None,
            pending_vectors=await self.store.count_pending_vectors(embedder.model.id) if embedder else None,
            url=self.store.url,
            place=place,
            turns=await self.turns.counts.read(),
            background=dict(sorted(self.background.outcomes.items())),
        )

    def count_retrieval(self) -> bool:
        """Counts one search. True when clusters should be looked at again, so that they follow what is asked for."""
        self._retrievals += 1
        return self._retrievals % REFINED_EVERY == 0 and not self.store.read_only

    def look_after_indexes(self, now: datetime) -> None:
        """Starts the store's upkeep in the background, at most every few minutes whoever asks."""
        if now >= self._upkeep_at and (self._upkeep is None or self._upkeep.done()):
            self._upkeep_at = now + UPKEEP_EVERY
            self._upkeep = asyncio.create_task(self._maintain(), name="nightgarden upkeep")

    async def _maintain(self) -> None:
        try:
            await self.store.maintain()
        except Exception as error:  # noqa: BLE001 - searches stay right without it; counted, shown in stats
            self.background.outcomes[f"upkeep: failed ({type(error).__name__})"] += 1

    async def settle(self) -> None:
        """Waits until background work is done: what follows turns and writes, and every vector that can be made."""
        await self.turns.settle()
        await self.background.settle()
        if not self.store.read_only:
            await self.queue.settle()
        if self._upkeep is not None:
            await self._upkeep

    async def close(self) -> None:
        """Finishes what was taken on, and ends. The store is closed by whoever opened it."""
        await self.turns.settle()
        await self.background.close()
        await self.queue.close()

    async def after_store_closed(self) -> None:
        """Waits for an upkeep that the closing of the store ended."""
        if self._upkeep is not None:
            await self._upkeep


@asynccontextmanager
async def open_garden(
    target: str,
    *,
    settings: Settings,
    clock: Clock,
    read_only: bool,
    env: Mapping[str, str],
    mind: Mind | None,
    rest_seconds: float,
) -> AsyncIterator[OpenGarden]:
    """Opens the store at a path or address, with the models that the settings name, and closes all of it again. A mind
    passed in takes the place of the one in the settings."""
    home = data_folder(env)
    store = await open_store(target, read_only=read_only)
    if not read_only and Path(target).parent == home:  # a folder of our own; another one may be for more than us
        private.tighten([home])
    try:
        on = passed_in(mind, store, clock) if mind else choose_mind(settings.mind, store, clock, env)
        models = Path(settings.embedding.folder).expanduser() if settings.embedding.folder else home / "models"
        opened = OpenGarden(
            store,
            settings=settings,
            clock=clock,
            models_folder=models,
            env=env,
            mind=on,
            rest_seconds=rest_seconds,
        )
        try:
            yield opened
        finally:
            await opened.close()
    finally:
        await store.close()  # which ends an upkeep that is under way
    await opened.after_store_closed()
