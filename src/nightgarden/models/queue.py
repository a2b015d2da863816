"""Fills in the vectors that are missing, in the background, a batch at a time.

What is pending is asked of the store, so a restart or a crash loses nothing and a change of model makes everything
pending again. Knows when to load the model, how much to take at once and what to do about failures; does not know what
the texts are or how vectors are searched. While a model cannot be loaded, everything else goes on by words alone."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from nightgarden.domain.ports import Clock, Embedder, EmbeddingModel, PendingText, Vector
from nightgarden.errors import ModelMissing, ModelUnavailable
from nightgarden.models.pace import Pace, QueueHealth, QueueState, decide_start, slice_texts

PROBE = "The model still reads plain words."  # tells a broken model from a text it cannot take
CLOSE_SECONDS_MAX = 2.0  # a slice in flight ends well within this; a remote call is left behind


class PendingVectors(Protocol):
    """The part of the Store port that the queue uses."""

    async def pending_vectors(self, model_id: str, *, limit: int) -> list[PendingText]: ...

    async def put_vectors(self, model: EmbeddingModel, ids: Sequence[str], vectors: Vector) -> None: ...

    async def drop_vectors(self, *, except_model_id: str) -> int: ...


class EmbeddingQueue:
    """One background task over a store and an embedder that is made when first needed."""

    def __init__(
        self,
        store: PendingVectors,
        make_embedder: Callable[[], Embedder],
        clock: Clock,
        *,
        busy: Callable[[], bool] = lambda: False,
        replaces: Callable[[EmbeddingModel], bool] = lambda model: True,
        pace: Pace | None = None,
    ) -> None:
        self._store = store
        self._make_embedder = make_embedder
        self._clock = clock
        self._busy = busy  # whether a session is in use right now
        # Whether other models' vectors may go. Not for a model that only stands in: an environment without the better
        # model would throw away what another one, on the same garden, has to make again.
        self._replaces = replaces
        self._pace = pace or Pace()
        self._embedder: Embedder | None = None
        self._warm = False  # has embedded something
        self._health = QueueHealth()
        self._skipped: dict[str, str] = {}  # poison by id, with the text, so that a corrected one is tried again
        self._woken = asyncio.Event()
        self._rested = asyncio.Event()  # nothing pending that could be done now
        self._waiting_since: datetime | None = None
        self._retry_at: datetime | None = None
        self._failures_in_row = 0
        self._settling = 0
        self._caught_up = False
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    @property
    def health(self) -> QueueHealth:
        return self._health

    def start(self) -> None:
        """Begins with whatever an earlier run left undone."""
        self._task = asyncio.create_task(self._run(), name="embedding queue")

    def wake(self) -> None:
        """Something was written."""
        self._rested.clear()
        self._woken.set()

    async def settle(self) -> QueueHealth:
        """Waits until nothing is pending, loading the model at once if need be. Returns, with the reason in the health,
        when the model cannot be used: waiting would not help."""
        self._settling += 1
        self.wake()
        try:
            while self._task is not None and not self._task.done() and not self._rested.is_set():
                rested = asyncio.create_task(self._rested.wait())
                await asyncio.wait({rested, self._task}, return_when=asyncio.FIRST_COMPLETED)
                rested.cancel()
        finally:
            self._settling -= 1
        return self._health

    async def close(self) -> None:
        """Stops after the slice in flight; the rest stays pending in the store."""
        self._closing = True
        self._woken.set()
        if self._task is not None:
            _, late = await asyncio.wait({self._task}, timeout=CLOSE_SECONDS_MAX)
            for task in late:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        self._health = replace(self._health, state=QueueState.CLOSED)
        self._rested.set()

    async def _run(self) -> None:
        while not self._closing:
            self._woken.clear()
            try:
                wait_seconds = await self._step()
            except Exception as error:  # noqa: BLE001 - a top handler: counted, shown in status, tried again later
                wait_seconds = self._note_failure(error)
            if (wait_seconds is None or self._retry_at is not None) and not self._woken.is_set():
                self._rested.set()
            if wait_seconds != 0 and not self._closing:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._woken.wait(), wait_seconds)

    async def _step(self) -> float | None:
        """One batch. Returns the seconds until it wants to run again; None: when woken."""
        if self._retry_at is not None:
            left = (self._retry_at - self._clock.now()).total_seconds()
            if left > 0:
                return left
            self._retry_at = None
        if self._embedder is None:
            self._embedder = await asyncio.to_thread(self._make_embedder)
            self._health = replace(self._health, model_id=self._embedder.model.id)
        embedder = self._embedder
        active = self._busy() and not self._settling
        batch = await self._pending(embedder.model.id, self._pace.active_batch if active else self._pace.idle_batch)
        if not batch:
            await self._finish(embedder.model)
            return None
        if not self._warm:
            wait_seconds = self._seconds_to_cold_start(active)
            if wait_seconds > 0:
                self._health = replace(self._health, state=QueueState.DEFERRED)
                return wait_seconds
            await asyncio.to_thread(_embed_checked, embedder, [PROBE])  # what cannot work fails here, not at a text
            self._warm = True
        self._health = replace(self._health, state=QueueState.EMBEDDING)
        await self._embed_batch(embedder, batch)
        self._failures_in_row = 0
        return self._pace.yield_seconds if active else 0

    def _seconds_to_cold_start(self, busy: bool) -> float:
        now = self._clock.now()
        self._waiting_since = self._waiting_since or now
        return decide_start(busy=busy, waiting_since=self._waiting_since, now=now, pace=self._pace)

    async def _pending(self, model_id: str, limit: int) -> list[PendingText]:
        """The next items, without those known to be poison. The store still lists these, hence the larger limit."""
        found = await self._store.pending_vectors(model_id, limit=limit + len(self._skipped))
        return [item for item in found if self._skipped.get(item.id) != item.text][:limit]

    async def _finish(self, model: EmbeddingModel) -> None:
        """Nothing is pending. The first time, vectors of other models have served their turn."""
        if not self._caught_up and self._replaces(model):
            await self._store.drop_vectors(except_model_id=model.id)
        self._caught_up = True
        self._failures_in_row = 0
        self._health = replace(self._health, state=QueueState.READY)

    async def _embed_batch(self, embedder: Embedder, batch: Sequence[PendingText]) -> None:
        done: list[tuple[PendingText, Vector]] = []
        try:
            for part in slice_texts(batch, self._pace):
                if self._closing:
                    break
                done += await self._embed_slice(embedder, part)
        finally:
            await self._put(embedder.model, done)

    async def _embed_slice(self, embedder: Embedder, part: Sequence[PendingText]) -> list[tuple[PendingText, Vector]]:
        """Vectors of the slice. When it fails it is halved until the texts at fault stand alone and are left out."""
        try:
            rows = await asyncio.to_thread(_embed_checked, embedder, [item.text for item in part])
        except ModelUnavailable:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a model throws at a text: found, counted and named
            if len(part) == 1:
                await asyncio.to_thread(_prove_working, embedder, error)
                self._skip(part[0], error)
                return []
            middle = len(part) // 2
            return [
                *await self._embed_slice(embedder, part[:middle]),
                *await self._embed_slice(embedder, part[middle:]),
            ]
        return list(zip(part, rows, strict=True))

    async def _put(self, model: EmbeddingModel, done: Sequence[tuple[PendingText, Vector]]) -> None:
        """Stores the vectors, but not those of texts that were edited meanwhile: these are pending again.

        Does not cover an edit in the instant between the look and the write."""
        if not done:
            return
        import numpy as np  # here because it takes 60 ms; by now the embedder has paid them

        now_pending = await self._store.pending_vectors(model.id, limit=2 * len(done) + len(self._skipped))
        texts_now = {item.id: item.text for item in now_pending}
        kept = [(item, row) for item, row in done if texts_now.get(item.id, item.text) == item.text]
        if kept:
            await self._store.put_vectors(model, [item.id for item, _ in kept], np.stack([row for _, row in kept]))
        self._health = replace(self._health, embedded_count=self._health.embedded_count + len(kept))

    def _skip(self, item: PendingText, error: Exception) -> None:
        self._skipped[item.id] = item.text
        self._health = replace(
            self._health,
            skipped_count=len(self._skipped),
            failure_count=self._health.failure_count + 1,
            last_error=f"{item.kind} {item.id} cannot be embedded and is found by words alone: {error}",
            last_error_at=self._clock.now(),
        )

    def _note_failure(self, error: Exception) -> float:
        """Backs off: 5 s, doubled at each failure in a row. A failed model is made anew then."""
        wait = self._pace.retry_delay(self._failures_in_row)
        self._failures_in_row += 1
        if isinstance(error, ModelUnavailable):
            self._embedder, self._warm = None, False
        self._retry_at = self._clock.now() + wait
        if isinstance(error, ModelMissing):  # as installed: nothing has failed
            self._health = replace(self._health, state=QueueState.WITHOUT_MODEL)
            return wait.total_seconds()
        self._health = replace(
            self._health,
            state=QueueState.UNAVAILABLE,
            failure_count=self._health.failure_count + 1,
            last_error=str(error) or type(error).__name__,
            last_error_at=self._clock.now(),
        )
        return wait.total_seconds()


def _embed_checked(embedder: Embedder, texts: Sequence[str]) -> Vector:
    import numpy as np  # here because it takes 60 ms; the embedder needs it anyway

    rows = embedder.embed(texts)
    if rows.shape != (len(texts), embedder.model.dimension):
        raise ValueError(f"the model gave an array of shape {rows.shape} for {len(texts)} texts")
    if not np.isfinite(rows).all():
        raise ValueError("the model gave something that is not a number")
    return rows


def _prove_working(embedder: Embedder, cause: Exception) -> None:
    """Raises ModelUnavailable when even a plain sentence fails: then no text is at fault."""
    try:
        _embed_checked(embedder, [PROBE])
    except Exception as error:  # noqa: BLE001 - whatever it is, it is passed on in words
        raise ModelUnavailable(f"The embedding model stopped working: {error}") from cause
