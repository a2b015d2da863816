"""Tending as the `Garden` offers it: lends the operations what they borrow from other rooms, and asks for the run.

This is where sessions, models and projects meet tending, which may not import them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.learning import Ask, Lessons
from nightgarden.domain.memory import Scope, ScopeKind
from nightgarden.domain.ports import Clock, Store
from nightgarden.domain.verdict import Refused
from nightgarden.errors import GardenBusy, ModelUnavailable
from nightgarden.learn.digest import queued_in
from nightgarden.minds.mind_of_settings import ChosenMind
from nightgarden.models.models_of_settings import EmbedderSource
from nightgarden.models.queue import EmbeddingQueue
from nightgarden.scope import machine_of
from nightgarden.sessions.harvest import SessionCue
from nightgarden.sessions.keep import Sessions
from nightgarden.settings import Settings
from nightgarden.tend.health import Health, health
from nightgarden.tend.keys import REFINED, ROOT
from nightgarden.tend.report import Report
from nightgarden.tend.tending import LentTending
from nightgarden.tend.wish import Progress, Wish, quiet

REFINED_MAX = 10_000  # memories, of which clusters are looked at between searches


class Care:
    """Tends one garden."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        clock: Clock,
        ids: IdMaker,
        queue: EmbeddingQueue,
        *,
        sessions: Sessions,
        models: EmbedderSource,
        learn: Callable[[datetime, Ask], Awaitable[Lessons]],
        mind: ChosenMind | None = None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._clock = clock
        self._ids = ids
        self._queue = queue
        self._sessions = sessions
        self._embedder = models.get_async
        self._classifier = models.get_classifier_async
        self._learn = learn
        self._mind = mind

    async def tend(self, wish: Wish, progress: Progress | None = None) -> Report:
        """One run of the operations that were wished for."""
        from nightgarden.tend.run import tend  # about 100 ms; most commands do without

        now = self._clock.now()
        cycle = wish.cycle or f"tend-{self._ids.make(now)}"
        report = await tend(
            self._store,
            self._settings,
            await self._lent(cycle),
            wish,
            cycle=cycle,
            now=now,
            progress=progress or quiet,
        )
        if not wish.dry_run:
            self._queue.wake()
        return report

    async def refine_clusters(self) -> None:
        """Brings clusters up to date, unless somebody tends the garden at this moment, or it is so large that searches
        would wait for it: at 100,000 memories some took 400 ms instead of 25, and 200 MB stayed behind."""
        if sum((await self._store.counts()).memories.values()) > REFINED_MAX:
            return  # the night does it
        with suppress(GardenBusy):
            await self.tend(Wish(only=("cluster",), cycle=f"{REFINED}{self._ids.make(self._clock.now())}"))

    async def health(self) -> Health:
        embedder = await self._embedder()
        model_id = embedder.model.id if embedder else None
        return await health(self._store, self._settings, model_id=model_id, now=self._clock.now())

    async def _lent(self, cycle: str) -> LentTending:
        embedder = await self._embedder()
        writable = not self._store.read_only
        return LentTending(
            model=embedder.model if embedder else None,
            classifier=self._classifier,
            backfill=self._backfill if writable else None,
            pending_sessions=self._pending,
            extract=self._extract if writable else None,
            roots=await self._roots(),
            learn=self._learn,
            mind=self._mind.asked_for("tend", cycle) if self._mind else None,
            queued=lambda scope: queued_in(self._store, scope),
            nearness=self._nearness,
        )

    async def _pending(self) -> list[str]:
        return [session.id for session in await self._sessions.pending()]

    async def _extract(self, session_id: str, cycle: str) -> int:
        found = await self._sessions.extract(session_id, cycle=cycle, cue=SessionCue())
        return sum(not isinstance(verdict, Refused) for _, verdict in found.verdicts)

    async def _nearness(self, text: str, others: Sequence[str]) -> list[float] | None:
        embedder = await self._embedder()
        if embedder is None:
            return None
        try:
            vectors = await asyncio.to_thread(embedder.embed, [text, *others])
        except ModelUnavailable:
            return None
        return [float(vectors[0] @ vector) for vector in vectors[1:]]

    async def _backfill(self) -> int:
        before = self._queue.health.embedded_count
        self._queue.wake()
        await self._queue.settle()
        return self._queue.health.embedded_count - before

    async def _roots(self) -> dict[Scope, Path]:
        machine = machine_of(self._settings)
        return {
            Scope(ScopeKind.PROJECT, key.removeprefix(ROOT)): Path(places[machine])
            for key, places in (await self._store.state_items(ROOT)).items()
            if machine in places
        }
