"""Small gardens for tests of tending: memories with drawn vectors, and short ways to tend and to look."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from nightgarden.domain.ids import encode_id
from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.memory import Memory, Scope, ScopeKind
from nightgarden.domain.ports import EmbeddingModel, Store
from nightgarden.settings import Settings
from nightgarden.tend.report import Report
from nightgarden.tend.run import tend
from nightgarden.tend.tending import LentTending
from nightgarden.tend.wish import Wish

NOW = datetime(2026, 11, 15, 3, 0, tzinfo=UTC)
DAY = timedelta(days=1)
PROJECT = Scope(ScopeKind.PROJECT, "roses")
MODEL = EmbeddingModel(id="tiny@1", name="tiny", dimension=16, pooling="mean")
USER = Origin(actor="user", reason="a test")


def memory(number: int, content: str = "", *, age_days: float = 5.0, **fields: Any) -> Memory:
    at = NOW - timedelta(days=age_days)
    given: dict[str, Any] = {"scope": PROJECT, "confirmed_at": at} | fields
    made: dict[str, Any] = {"created_at": at, "updated_at": at} | given
    return Memory(id=encode_id(0, number), content=content or f"statement number {number}", **made)


def direction(angle: float, plane: int = 0) -> np.ndarray:
    """A unit vector; two of one plane have the cosine of the difference of their angles."""
    vector = np.zeros(MODEL.dimension, np.float32)
    vector[2 * plane], vector[2 * plane + 1] = math.cos(angle), math.sin(angle)
    return vector


def at_cosine(cosine: float, plane: int = 0) -> np.ndarray:
    """A vector with this cosine to `direction(0, plane)`."""
    return direction(math.acos(cosine), plane)


async def add(store: Store, memories: Sequence[Memory], vectors: Sequence[np.ndarray] | None = None) -> None:
    await store.apply([Change(None, each) for each in memories], USER, at=NOW - DAY)
    if vectors is not None:
        await store.put_vectors(MODEL, [each.id for each in memories], np.stack(list(vectors)))


async def tended(
    store: Store,
    *only: str,
    at: datetime = NOW,
    cycle: str = "",
    settings: Settings | None = None,
    lent: LentTending | None = None,
    **wish: Any,
) -> Report:
    return await tend(
        store,
        settings or Settings(),
        lent or LentTending(model=MODEL),
        Wish(only=only, **wish),
        cycle=cycle or f"tend-{at:%d%H%M%S}",
        now=at,
    )


async def said(store: Store) -> str:
    """The whole garden as text, without the journal, which only grows, and the program's own notes."""
    left_out = ("journal", "state")
    return "\n".join([json.dumps(record) async for record in store.dump() if record["type"] not in left_out])
