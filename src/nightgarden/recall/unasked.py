"""Recall for something that nobody asked for in so many words: few results or none, by the rules of worth.py."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from nightgarden.domain.memory import Status
from nightgarden.domain.ports import Counts, Embedder, Store
from nightgarden.recall.options import Request
from nightgarden.recall.recall import recall
from nightgarden.recall.result import Part, Recalled, Result
from nightgarden.recall.worth import floor, worth_showing


async def recall_unasked(request: Request, *, store: Store, embedder: Embedder | None, now: datetime) -> list[Result]:
    """The results that are worth it. Not for the turn itself, which counts the garden less often."""
    found = await recall(replace(request, gated=False), store=store, embedder=embedder, now=now)
    items = count_items(await store.counts())
    return worth_showing(found.results, floor(request.query, model_name=model_of(found, embedder), items=items))


def model_of(found: Recalled, embedder: Embedder | None) -> str | None:
    """The name of the model whose vectors took part; None when words stood alone."""
    by_words = any(missing.part is Part.VECTOR for missing in found.missing)
    return None if embedder is None or by_words else embedder.model.name


def count_items(counts: Counts) -> int:
    """How much there is to find."""
    return counts.passages + sum(n for status, n in counts.memories.items() if status != Status.ARCHIVED)
