"""The embedding queue through its public face, over a store that is a dictionary and an embedder that can fail."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from nightgarden.domain.ports import Embedder, EmbeddingModel, PendingText, Vector
from nightgarden.errors import ModelMissing, StoreUnavailable
from nightgarden.models.local import LocalEmbedder
from nightgarden.models.pace import Pace, QueueState
from nightgarden.models.queue import PROBE, EmbeddingQueue

BOUND_SECONDS = 20.0


class SettableClock:
    def __init__(self) -> None:
        self.moment = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def advance(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


class DictionaryStore:
    """Texts by id and vectors by model, with the queue's part of the store contract."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.stored: dict[str, dict[str, Vector]] = {}
        self.limits: list[int] = []
        self.drops: list[str] = []
        self.failing: Exception | None = None

    def write(self, item_id: str, text: str) -> None:
        self.texts[item_id] = text
        for rows in self.stored.values():
            rows.pop(item_id, None)

    async def pending_vectors(self, model_id: str, *, limit: int) -> list[PendingText]:
        if self.failing is not None:
            raise self.failing
        self.limits.append(limit)
        have = self.stored.get(model_id, {})
        ids = [item_id for item_id in reversed(self.texts) if item_id not in have]
        return [PendingText(id=item_id, kind="memory", text=self.texts[item_id]) for item_id in ids[:limit]]

    async def put_vectors(self, model: EmbeddingModel, ids: Sequence[str], vectors: Vector) -> None:
        assert vectors.dtype == np.float32
        self.stored.setdefault(model.id, {}).update(zip(ids, vectors, strict=True))

    async def drop_vectors(self, *, except_model_id: str) -> int:
        self.drops.append(except_model_id)
        gone = [model_id for model_id in self.stored if model_id != except_model_id]
        return sum(len(self.stored.pop(model_id)) for model_id in gone)


@pytest.fixture
def store() -> DictionaryStore:
    return DictionaryStore()


class LetterEmbedder:
    """Counts letters. Chokes on texts with "poison", and on everything once it is broken."""

    def __init__(self, name: str = "letters") -> None:
        self.model = EmbeddingModel(id=f"{name}:1", name=name, dimension=26, pooling="mean")
        self.calls: list[list[str]] = []
        self.broken = False
        self.threads: set[int] = set()
        self.on_call: Callable[[list[str]], None] = lambda texts: None

    def embed(self, texts: Sequence[str]) -> Vector:
        self.calls.append(list(texts))
        self.threads.add(threading.get_ident())
        if texts != [PROBE]:
            self.on_call(list(texts))
        if self.broken or any("poison" in text for text in texts):
            raise RuntimeError("cannot digest this")
        rows = np.array([[1 + text.count(chr(97 + i)) for i in range(26)] for text in texts], dtype=np.float32)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True), dtype=np.float32)

    def embed_query(self, text: str) -> Vector:
        return np.asarray(self.embed([text])[0], dtype=np.float32)

    def texts_embedded(self) -> list[str]:
        return [text for call in self.calls for text in call if text != PROBE]


@asynccontextmanager
async def running(
    store: DictionaryStore,
    make: Callable[[], Embedder],
    clock: SettableClock,
    *,
    busy: Callable[[], bool] = lambda: False,
    pace: Pace | None = None,
) -> AsyncIterator[EmbeddingQueue]:
    queue = EmbeddingQueue(store, make, clock, busy=busy, pace=pace)
    queue.start()
    try:
        async with asyncio.timeout(BOUND_SECONDS):
            yield queue
    finally:
        await queue.close()


async def until(holds: Callable[[], bool]) -> None:
    """Waits on a state, within the bound of `running`."""
    while not holds():  # noqa: ASYNC110 - what is watched has no event to wait on
        await asyncio.sleep(0)


async def reach(queue: EmbeddingQueue, state: QueueState) -> None:
    await until(lambda: queue.health.state is state)


async def test_what_an_earlier_run_left_pending_is_embedded_at_start(
    store: DictionaryStore, clock: SettableClock
) -> None:
    store.write("a", "apple")
    store.write("b", "banana")
    embedder = LetterEmbedder()
    async with running(store, lambda: embedder, clock) as queue:
        health = await queue.settle()
    assert set(store.stored["letters:1"]) == {"a", "b"}
    assert health.state is QueueState.READY
    assert health.embedded_count == 2
    assert queue.health.state is QueueState.CLOSED


async def test_a_write_wakes_the_queue_and_settle_waits_for_its_vector(
    store: DictionaryStore, clock: SettableClock
) -> None:
    embedder = LetterEmbedder()
    async with running(store, lambda: embedder, clock) as queue:
        await queue.settle()
        for number in range(30):
            store.write(f"m{number}", f"text {number}")
            queue.wake()
            if number % 7 == 0:
                await queue.settle()
                assert f"m{number}" in store.stored["letters:1"]
        await queue.settle()
        assert len(store.stored["letters:1"]) == 30


async def test_nothing_pending_means_the_model_is_never_run(store: DictionaryStore, clock: SettableClock) -> None:
    embedder = LetterEmbedder()
    async with running(store, lambda: embedder, clock) as queue:
        await queue.settle()
    assert embedder.calls == []


async def test_embedding_runs_outside_the_event_loop(store: DictionaryStore, clock: SettableClock) -> None:
    store.write("a", "apple")
    embedder = LetterEmbedder()
    async with running(store, lambda: embedder, clock) as queue:
        await queue.settle()
    assert threading.get_ident() not in embedder.threads


async def test_a_busy_session_gets_small_batches_and_an_idle_one_large(
    store: DictionaryStore, clock: SettableClock
) -> None:
    for number in range(60):
        store.write(f"m{number}", f"text {number}")
    busy = True
    embedder = LetterEmbedder()
    pace = Pace(yield_seconds=0.0, cold_start_seconds_max=0.0)
    async with running(store, lambda: embedder, clock, busy=lambda: busy, pace=pace) as queue:
        await reach(queue, QueueState.READY)
        assert store.limits[0] == pace.active_batch == 10
        busy = False
        store.limits.clear()
        store.write("late", "late")
        queue.wake()
        await queue.settle()
    assert store.limits[0] == pace.idle_batch == 50


async def test_a_busy_session_defers_loading_for_a_minute_at_most(store: DictionaryStore, clock: SettableClock) -> None:
    store.write("a", "apple")
    embedder = LetterEmbedder()
    async with running(store, lambda: embedder, clock, busy=lambda: True) as queue:
        await reach(queue, QueueState.DEFERRED)
        assert embedder.calls == []
        clock.advance(59)
        looks = len(store.limits)
        queue.wake()
        await until(lambda: len(store.limits) > looks)
        await reach(queue, QueueState.DEFERRED)
        assert embedder.calls == []
        clock.advance(1)
        queue.wake()
        await reach(queue, QueueState.READY)
    assert embedder.texts_embedded() == ["apple"]


async def test_settle_does_not_wait_for_a_busy_session_to_end(store: DictionaryStore, clock: SettableClock) -> None:
    store.write("a", "apple")
    async with running(store, LetterEmbedder, clock, busy=lambda: True) as queue:
        await queue.settle()
    assert "a" in store.stored["letters:1"]


async def test_a_changed_model_embeds_all_again_and_drops_the_old_vectors_only_at_the_end(
    store: DictionaryStore, clock: SettableClock
) -> None:
    for number in range(120):
        store.write(f"m{number}", f"text {number}")
    async with running(store, lambda: LetterEmbedder("old"), clock) as queue:
        await queue.settle()
        assert len(store.stored["old:1"]) == 120
    changed = LetterEmbedder("new")
    olds: list[int] = []
    changed.on_call = lambda texts: olds.append(len(store.stored.get("old:1", {})))
    async with running(store, lambda: changed, clock) as queue:
        await queue.settle()
    assert set(olds) == {120}
    assert set(store.stored) == {"new:1"}
    assert len(store.stored["new:1"]) == 120


async def test_a_model_that_only_stands_in_leaves_the_vectors_of_others(
    store: DictionaryStore, clock: SettableClock
) -> None:
    store.write("a", "apple")
    store.stored["better:1"] = {"a": np.ones(3, dtype=np.float32)}
    queue = EmbeddingQueue(store, LetterEmbedder, clock, replaces=lambda model: model.name != "letters")
    queue.start()
    async with asyncio.timeout(BOUND_SECONDS):
        await queue.settle()
        await queue.close()
    assert set(store.stored) == {"better:1", "letters:1"}


async def test_poison_texts_are_left_out_counted_and_named_and_the_rest_is_embedded(
    store: DictionaryStore, clock: SettableClock
) -> None:
    for number in range(70):
        store.write(f"m{number}", "poison" if number % 9 == 0 else f"text {number}")
    embedder = LetterEmbedder()
    async with running(store, lambda: embedder, clock) as queue:
        health = await queue.settle()
        assert health.state is QueueState.READY
        assert health.skipped_count == health.failure_count == 8
        assert health.last_error is not None
        assert "cannot digest this" in health.last_error
        assert len(store.stored["letters:1"]) == 62
        store.write("m9", "wholesome")
        queue.wake()
        await queue.settle()
    assert "m9" in store.stored["letters:1"]
    assert "8 skipped" in health.line


async def test_a_model_that_cannot_load_stops_the_queue_with_words_and_is_tried_again_later(
    store: DictionaryStore, clock: SettableClock
) -> None:
    store.write("a", "apple")
    attempts = 0
    embedder = LetterEmbedder()

    def make() -> Embedder:
        nonlocal attempts
        attempts += 1
        if attempts < 3:
            raise ModelMissing("no model here; run `nightgarden models fetch`")
        return embedder

    async with running(store, make, clock) as queue:
        health = await queue.settle()
        assert health.state is QueueState.WITHOUT_MODEL
        assert "models fetch" in health.line
        assert health.failure_count == 0
        queue.wake()
        await queue.settle()
        assert attempts == 1
        clock.advance(5)
        await queue.settle()
        assert attempts == 2
        clock.advance(5)
        await queue.settle()
        assert attempts == 2
        clock.advance(5)
        health = await queue.settle()
    assert health.state is QueueState.READY
    assert "a" in store.stored["letters:1"]


async def test_a_model_that_breaks_blames_no_text(store: DictionaryStore, clock: SettableClock) -> None:
    embedder = LetterEmbedder()
    async with running(store, lambda: embedder, clock) as queue:
        store.write("a", "apple")
        await queue.settle()
        embedder.broken = True
        store.write("b", "banana")
        store.write("c", "cherry")
        health = await queue.settle()
        assert health.state is QueueState.UNAVAILABLE
        assert health.skipped_count == 0
        embedder.broken = False
        clock.advance(5)
        await queue.settle()
    assert set(store.stored["letters:1"]) == {"a", "b", "c"}


async def test_a_failing_store_is_waited_for(store: DictionaryStore, clock: SettableClock) -> None:
    store.write("a", "apple")
    store.failing = StoreUnavailable("the disk is full")
    async with running(store, LetterEmbedder, clock) as queue:
        health = await queue.settle()
        assert health.state is QueueState.UNAVAILABLE
        assert health.last_error == "the disk is full"
        store.failing = None
        clock.advance(5)
        await queue.settle()
    assert "a" in store.stored["letters:1"]


async def test_a_text_edited_while_it_is_embedded_gets_the_vector_of_the_new_text(
    store: DictionaryStore, clock: SettableClock
) -> None:
    store.write("a", "old words")
    embedder = LetterEmbedder()

    def edit_once(texts: list[str]) -> None:
        if texts == ["old words"]:
            store.write("a", "new words")

    embedder.on_call = edit_once
    async with running(store, lambda: embedder, clock) as queue:
        await queue.settle()
    assert np.array_equal(store.stored["letters:1"]["a"], LetterEmbedder().embed(["new words"])[0])


async def test_closing_stops_after_the_call_in_flight_and_keeps_what_was_done(
    store: DictionaryStore, clock: SettableClock
) -> None:
    for number in range(50):
        store.write(f"m{number}", f"text {number}")
    embedder = LetterEmbedder()
    entered, leave = threading.Event(), threading.Event()

    def block(texts: list[str]) -> None:
        entered.set()
        assert leave.wait(BOUND_SECONDS)

    embedder.on_call = block
    async with running(store, lambda: embedder, clock) as queue:
        await asyncio.to_thread(entered.wait, BOUND_SECONDS)
        closing = asyncio.create_task(queue.close())
        await asyncio.sleep(0)
        leave.set()
        await closing
    assert len(embedder.texts_embedded()) == 8
    assert len(store.stored["letters:1"]) == 8


async def test_the_real_floor_model_fills_in_vectors(
    store: DictionaryStore, clock: SettableClock, minilm: LocalEmbedder
) -> None:
    store.write("a", "The cat sits on the mat.")
    store.write("b", "")
    store.write("c", "\x00\ud800 \u202e \U0001f600")
    async with running(store, lambda: minilm, clock) as queue:
        health = await queue.settle()
    assert health.skipped_count == 0
    assert set(store.stored[minilm.model.id]) == {"a", "b", "c"}
