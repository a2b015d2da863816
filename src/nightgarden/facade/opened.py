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
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import Clock, Store
from nightgarden.domain.purging import COPIES, UNFINISHED
from nightgarden.machine.one_at_a_time import Background
from nightgarden.scope import Place, register_place
from nightgarden.sessions.told_secrets import ToldSecrets
from nightgarden.settings import Settings, data_folder
from nightgarden.store import private
from nightgarden.store.engine_of_address import open_store

if TYPE_CHECKING:  # each of these rooms is loaded when it is first asked; who only lists asks none of them
    from nightgarden.domain.mind import Mind
    from nightgarden.facade.scheduling import Tasks
    from nightgarden.facade.stats import Stats
    from nightgarden.minds.mind_of_settings import ChosenMind
    from nightgarden.minds.minds import Minds
    from nightgarden.models.models_of_settings import EmbedderSource
    from nightgarden.models.queue import EmbeddingQueue
    from nightgarden.sessions.turn import Turns

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
        self.ids = IdMaker(lambda: secrets.randbits(64))
        self._models_folder = models_folder
        self._queue: EmbeddingQueue | None = None
        self.reading = asyncio.Lock()  # of sessions for memories
        self.told_secrets = ToldSecrets()
        self.writing = asyncio.Lock()  # so that two notes that say the same in other words meet each other
        self.background = Background(rest_seconds=rest_seconds)
        self._turns: Turns | None = None
        self._registered: set[tuple[Scope, Path]] = set()
        self._retrievals = 0
        self._upkeep_at = clock.now()  # the first recall looks whether the indexes have outgrown their order
        self._upkeep: asyncio.Task[None] | None = None

    @cached_property
    def models(self) -> EmbedderSource:
        """The embedding model and the others that run here, each made when it is first needed."""
        from nightgarden.models.models_of_settings import EmbedderSource  # 10 ms

        classify = self.settings.classifier.enabled
        return EmbedderSource(self.settings.embedding, self._models_folder, classify=classify)

    @property
    def queue(self) -> EmbeddingQueue:
        """Makes the vectors that are missing, at work from the first time that somebody asks for it."""
        if self._queue is None:
            from nightgarden.models.catalog import FLOOR  # 10 ms both
            from nightgarden.models.queue import EmbeddingQueue

            # A stand-in model never takes away the vectors that a better one made on a shared garden.
            self._queue = EmbeddingQueue(
                self.store,
                self.models.get,
                self.clock,
                busy=lambda: self._turns is not None and self._turns.in_use(),
                replaces=lambda model: model.id != FLOOR.id,
            )
            if not self.store.read_only:
                self._queue.start()
        return self._queue

    @cached_property
    def minds(self) -> Minds:
        """Language models: which there are, which one is asked, what it took."""
        from nightgarden.minds.minds import Minds  # 60 ms

        return Minds(self.store, self.settings.mind, self.chosen_mind, self.clock, self.env)

    @cached_property
    def tasks(self) -> Tasks:
        """Tasks for later."""
        from nightgarden.facade.scheduling import Tasks  # 60 ms with the rules of what is refused

        return Tasks(self.store, self.clock, self.background)

    @property
    def turns(self) -> Turns:
        """The turn pipeline, and the sessions that are live."""
        if self._turns is None:
            from nightgarden.recall.result_judge import Judge  # 80 ms all three, with recall
            from nightgarden.sessions.choosing import Chooser
            from nightgarden.sessions.turn import Turns

            self._turns = Turns(
                self.store,
                embedder=self.models.get_async,
                chooser=Chooser(
                    self.store,
                    judge=Judge(self.models.get_judge_async),
                    classifier=self.models.get_classifier_async,
                    occasions=self.models.get_occasions_async,
                ),
                background=self.background,
                clock=self.clock,
                mind=self.chosen_mind.asked_for("verify") if self.chosen_mind else None,
            )
        return self._turns

    async def register(self, place: Place, settings: Settings) -> None:
        """Notes where a project is, once for each place: a daemon has many."""
        if self.store.read_only or (place.scope, place.root) in self._registered:
            return
        await register_place(self.store, settings, place)
        self._registered.add((place.scope, place.root))

    async def purge_unfinished(self) -> bool:
        """Whether a purge was broken off."""
        return bool(await self.store.get_state(UNFINISHED) or await self.store.get_state(COPIES))

    def changed(self) -> None:
        """Something was written that may need a vector."""
        self.queue.wake()

    def taken_in(self) -> None:
        """Something was written past the rooms that keep track of it: an import, an undo."""
        self.queue.wake()
        self.tasks.look_again()

    async def stats(self, place: Place) -> Stats:
        """How much there is now, as somebody at this place sees it."""
        from nightgarden.facade.stats import Stats  # 50 ms with the minds

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
            _ = self.queue  # who searches wants vectors
            self._upkeep = asyncio.create_task(self._maintain(), name="nightgarden upkeep")

    async def _maintain(self) -> None:
        try:
            await self.store.maintain()
        except Exception as error:  # noqa: BLE001 - searches stay right without it; counted, shown in stats
            self.background.outcomes[f"upkeep: failed ({type(error).__name__})"] += 1

    async def settle(self) -> None:
        """Waits until background work is done: what follows turns and writes, and every vector that can be made."""
        if self._turns is not None:
            await self._turns.settle()
        await self.background.settle()
        if not self.store.read_only:
            await self.queue.settle()
        if self._upkeep is not None:
            await self._upkeep

    async def close(self) -> None:
        """Finishes what was taken on, and ends. The store is closed by whoever opened it."""
        if self._turns is not None:
            await self._turns.settle()
        await self.background.close()
        if self._queue is not None:
            await self._queue.close()

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
        on = _chosen(mind, settings, store, clock, env)
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


def _chosen(
    mind: Mind | None, settings: Settings, store: Store, clock: Clock, env: Mapping[str, str]
) -> ChosenMind | None:
    if mind is None and settings.mind.kind == "none":
        return None
    from nightgarden.minds.mind_of_settings import choose_mind, passed_in  # 60 ms

    return passed_in(mind, store, clock) if mind else choose_mind(settings.mind, store, clock, env)
