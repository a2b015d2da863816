"""How long an agent waits for a verdict: `remember` in a garden that holds many memories, embedding included."""

from __future__ import annotations

import asyncio
import random
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from nightgarden import Garden
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.memory import Memory

_SUBJECTS = (
    "the API|the billing worker|the staging database|our cache|the release script|the mobile app|Anna|the CI"
    "|the importer|the search index"
).split("|")
_VERBS = "uses|needs|runs on|is owned by|writes to|reads from|depends on|was moved to|prefers|must not touch".split("|")
_THINGS = (
    "PostgreSQL|the payments table|port|Redis|the platform team|S3|feature flags|UTC timestamps|the legacy queue"
    "|TLS certificates|the eu-west region|snapshot tests|integer cents|the audit log"
).split("|")


def statement(rng: random.Random, number: int) -> str:
    """A believable statement, different for each number."""
    return (
        f"{rng.choice(_SUBJECTS)} {rng.choice(_VERBS)} {rng.choice(_THINGS)} {rng.randint(1, 9999)} "
        f"in component {number % 977}-{number // 977} for {rng.choice(_THINGS)}"
    )


async def fill(garden: Garden, count: int, rng: random.Random) -> None:
    """Puts many memories in without judging each, with vectors drawn from a few embedded ones."""
    embedder = await garden._opened.models.get_async()
    assert embedder is not None
    seeds = embedder.embed([statement(rng, number) for number in range(300)])
    noise = np.random.default_rng(7)
    now = datetime.now(UTC)
    ids = IdMaker(lambda: rng.getrandbits(64))
    for start in range(0, count, 1000):
        batch = [
            Memory(
                id=ids.make(now), content=statement(rng, n), scope=garden.place.scope, created_at=now, updated_at=now
            )
            for n in range(start, min(count, start + 1000))
        ]
        await garden.store.apply([Change(None, memory) for memory in batch], Origin(actor="bench"), at=now)
        vectors = seeds[noise.integers(0, len(seeds), len(batch))] + 0.05 * noise.normal(
            size=(len(batch), seeds.shape[1])
        )
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        ids_of = [memory.id for memory in batch]
        await garden.store.put_vectors(embedder.model, ids_of, vectors.astype(np.float32))


async def measure(count: int, writes: int = 300) -> dict[str, Any]:
    rng = random.Random(11)
    with tempfile.TemporaryDirectory() as folder:
        async with Garden.open(Path(folder) / "garden.db", directory=folder) as garden:
            await fill(garden, count, rng)
            maintain = getattr(garden.store, "maintain", None)
            await garden.recall("warm up the index")
            if maintain:
                await maintain()
            for number in range(5):
                await garden.remember(f"warming up, take {number} of the first few")
            waited = []
            for number in range(writes):
                text = statement(rng, count + number)
                started = time.perf_counter()
                await garden.remember(text)
                waited.append((time.perf_counter() - started) * 1000.0)
    return {
        "memories": count,
        "writes": writes,
        "p50_ms": round(float(np.percentile(waited, 50)), 2),
        "p95_ms": round(float(np.percentile(waited, 95)), 2),
        "p99_ms": round(float(np.percentile(waited, 99)), 2),
    }


def run(sizes: tuple[int, ...] = (1_000, 10_000, 100_000)) -> list[dict[str, Any]]:
    return [asyncio.run(measure(size)) for size in sizes]
