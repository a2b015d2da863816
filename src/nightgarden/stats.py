"""How much of everything there is in a garden, as a value, read from what a process has open."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nightgarden.domain.ports import Counts, EmbeddingModel
from nightgarden.minds.choose import MindUse
from nightgarden.models.pace import QueueHealth
from nightgarden.opened import OpenGarden
from nightgarden.scope import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How much of everything there is."""

    counts: Counts
    embedding: QueueHealth
    model: EmbeddingModel | None  # None: everything works by words alone
    mind: MindUse | None  # None: none is set, and nothing needs one
    pending_vectors: int | None
    url: str
    place: Place
    turns: Mapping[str, int]  # how turns ended, by label
    background: Mapping[str, int]  # what became of work after answers, in this process


async def read_stats(opened: OpenGarden, place: Place) -> Stats:
    """How much there is now, as somebody at this place sees it."""
    store = opened.store
    embedder = await opened.models.get_async()
    return Stats(
        counts=await store.counts(),
        embedding=opened.queue.health,
        model=embedder.model if embedder else None,
        mind=await opened.chosen_mind.use() if opened.chosen_mind else None,
        pending_vectors=await store.count_pending_vectors(embedder.model.id) if embedder else None,
        url=store.url,
        place=place,
        turns=await opened.turns.counts.read(),
        background=dict(sorted(opened.background.outcomes.items())),
    )
