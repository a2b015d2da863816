"""How long a warm recall takes, end to end through `Garden.recall`, and what the index costs, by number of passages.

The garden is filled with turns made of given sentences, each with a word of another. Only a few hundred are embedded
for real; the vectors of the others lie near theirs, which is how conversations lie. Queries are embedded for real.
"""

from __future__ import annotations

import itertools
import random
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from nightgarden.domain.ports import Embedder
from nightgarden.domain.session import Message, Session
from nightgarden.garden import Garden
from nightgarden.sessions.passages import cut_passages
from nightgarden.settings import EmbeddingSettings, RecallSettings, Settings
from nightgarden.store.engine_of_address import open_store

SESSION_TURNS = 20
EMBEDDED = 400
NOISE = 0.03  # per component; copies then have a cosine of about .86 with their model
_BATCH = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """One size of garden."""

    passages: int
    wall_ms: tuple[float, ...]
    cpu_ms: tuple[float, ...]  # of the whole process: less noisy than wall time on a busy machine
    fill_seconds: float
    index_seconds: float  # grouping of the vectors; searches go on meanwhile
    disk_mb: float
    rss_mb: float


def sessions(sentences: Sequence[str], count: int) -> Iterator[Session]:
    """Sessions with `count` turns altogether. Equal arguments give equal sessions."""
    chance, start = random.Random(1), datetime(2024, 1, 1, tzinfo=UTC)
    turns = itertools.islice(itertools.cycle(sentences), count)
    for number in range(-(-count // SESSION_TURNS)):
        at = start + timedelta(hours=number)
        said = list(itertools.islice(turns, SESSION_TURNS))
        yield Session(
            id=f"s{number}",
            started_at=at,
            messages=tuple(
                Message(
                    id=f"s{number}-{place}",
                    role=("Ada", "Ben")[place % 2],
                    text=f"{text} {chance.choice(chance.choice(sentences).split() or ['so'])}",
                    at=at + timedelta(minutes=place),
                )
                for place, text in enumerate(said)
            ),
        )


async def fill(path: Path, sentences: Sequence[str], count: int, embedder: Embedder) -> None:
    store = await open_store(str(path))
    for session in sessions(sentences, count):
        await store.put_session(session, cut_passages(session))
    real = embedder.embed(random.Random(2).sample(list(sentences), min(EMBEDDED, len(sentences))))
    chance = np.random.default_rng(3)
    while pending := await store.pending_vectors(embedder.model.id, limit=_BATCH):
        near = real[chance.integers(0, len(real), len(pending))]
        rows = near + NOISE * chance.normal(size=near.shape).astype(np.float32)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        await store.put_vectors(embedder.model, [item.id for item in pending], rows.astype(np.float32))
    await store.close()


async def measure(
    path: Path, sentences: Sequence[str], questions: Sequence[str], count: int, *, embedder: Embedder, models: str
) -> Pace:
    """Fills a garden and asks the questions, after ten to warm up."""
    began = time.perf_counter()
    await fill(path, sentences, count, embedder)
    filled = time.perf_counter() - began
    settings = Settings(recall=RecallSettings(rerank=False), embedding=EmbeddingSettings(folder=models))
    wall: list[float] = []
    cpu: list[float] = []
    async with Garden.open(path, directory=path.parent, settings=settings) as garden:
        for question in questions[:10]:
            await garden.recall(question)
        began = time.perf_counter()
        await garden.store.maintain()
        indexed = time.perf_counter() - began
        for question in questions[10:]:
            started, worked = time.perf_counter(), time.process_time()
            await garden.recall(question)
            wall.append((time.perf_counter() - started) * 1000.0)
            cpu.append((time.process_time() - worked) * 1000.0)
    files = path.parent.glob(f"{path.name}*")
    kilobytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "darwin" else 1)
    return Pace(
        passages=count,
        wall_ms=tuple(wall),
        cpu_ms=tuple(cpu),
        fill_seconds=filled,
        index_seconds=indexed,
        disk_mb=sum(file.stat().st_size for file in files) / 1e6,
        rss_mb=kilobytes / 1024,
    )
