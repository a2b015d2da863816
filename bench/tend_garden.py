"""A made-up garden in which it is known what says the same, what contradicts, and what belongs together.

Texts are put together from word lists; vectors are drawn, not computed: a community is a direction, a duplicate lies
next to its original. So what is measured is the tending, not a model. Same seed, same garden.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from nightgarden.domain.ids import encode_id
from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.memory import Category, Memory, Provenance, Scope, ScopeKind, Status, Tier
from nightgarden.domain.ports import EmbeddingModel, Store

NOW = datetime(2026, 11, 15, 3, 0, tzinfo=UTC)
DIMENSION = 384
MODEL = EmbeddingModel(id="drawn@1", name="drawn", dimension=DIMENSION, pooling="none")
SCOPE_SIZE = 1_800  # below the limit of a project; see `single_scope`

_THINGS = """billing checkout search login export import mail invoice report archive backup session cache queue worker
gateway webhook upload download calendar contact payroll inventory shipping catalog review rating profile avatar theme
audit ledger refund coupon loyalty survey chat video stream editor parser compiler linter scheduler""".split()
_PARTS = "service module endpoint page job table panel handler view pipeline adapter client".split()
_FACTS = (
    ("The {a} {b} retries failed calls {n} times", "Failed calls are retried {n} times by the {a} {b}"),
    ("The {a} {b} writes its logs to the {c} folder", "Logs of the {a} {b} are written to the {c} folder"),
    ("The {a} {b} sends alerts to the {c} team", "Alerts of the {a} {b} are sent to the {c} team"),
    ("The {a} {b} keeps results for {n} days", "Results are kept for {n} days by the {a} {b}"),
    ("The {a} {b} reads its settings from the {c} file", "Settings of the {a} {b} are read from the {c} file"),
)
_OPPOSED = (
    ("The {a} {b} is enabled in production for {c}", "The {a} {b} is disabled in production for {c}"),
    ("The {a} {b} listens on port {n} for {c}", "The {a} {b} listens on port {m} for {c}"),
    ("The {a} {b} accepts anonymous calls from {c}", "The {a} {b} does not accept anonymous calls from {c}"),
)


@dataclass(slots=True, kw_only=True)
class Planted:
    """What is known about the garden."""

    size: int
    same: list[tuple[str, str]] = field(default_factory=list)
    triples: list[tuple[str, ...]] = field(default_factory=list)
    opposed: list[tuple[str, str]] = field(default_factory=list)  # the newer second
    communities: dict[str, int] = field(default_factory=dict)  # memory to community
    faded: set[str] = field(default_factory=set)
    stale: set[str] = field(default_factory=set)
    pruned: set[str] = field(default_factory=set)
    promoted: set[str] = field(default_factory=set)


class _Maker:
    """Draws memories and vectors."""

    def __init__(self, size: int, *, single_scope: bool, seed: int) -> None:
        self.chance = random.Random(seed)
        self.numbers = np.random.default_rng(seed)
        self.planted = Planted(size=size)
        self.memories: list[Memory] = []
        self.vectors: list[np.ndarray] = []
        self.single_scope = single_scope
        self._said: set[str] = set()

    def scope(self) -> Scope:
        number = 0 if self.single_scope else len(self.memories) // SCOPE_SIZE
        return Scope(ScopeKind.GLOBAL) if self.single_scope else Scope(ScopeKind.PROJECT, f"p{number:03d}")

    def words(self) -> dict[str, str]:
        a, c = self.chance.sample(_THINGS, 2)
        number = self.chance.randint(2, 9_000)
        return {
            "a": f"{a}-{self.chance.randint(1, 99_999)}",
            "b": self.chance.choice(_PARTS),
            "c": c,
            "n": str(number),
            "m": str(number + self.chance.randint(1, 900)),
        }

    def add(self, text: str, vector: np.ndarray, scope: Scope, *, age_days: float = 5.0, **given: object) -> str:
        number = len(self.memories)
        at = NOW - timedelta(days=age_days)
        memory_id = encode_id(int(at.timestamp() * 1000), number)
        fields: dict[str, Any] = {
            "confirmed_at": at,
            "confidence": 0.9,
            "provenance": Provenance.OBSERVED,
            "trust": 0.9,
        } | given
        if text in self._said:
            text = f"{text} ({number})"
        self._said.add(text)
        memory = Memory(
            id=memory_id, content=text, scope=scope, category=Category.ENTITY, created_at=at, updated_at=at, **fields
        )
        self.memories.append(memory)
        self.vectors.append(vector)
        return memory_id

    def near(self, vector: np.ndarray, cosine: float) -> np.ndarray:
        noise = self.numbers.standard_normal(DIMENSION)
        noise -= (noise @ vector) * vector
        noise /= np.linalg.norm(noise)
        return cosine * vector + np.sqrt(1 - cosine**2) * noise


def draw(size: int, *, single_scope: bool = False, seed: int = 7) -> tuple[list[Memory], np.ndarray, Planted]:
    """Memories, their vectors, and what was planted."""
    maker = _Maker(size, single_scope=single_scope, seed=seed)
    community = 0
    while len(maker.memories) < size:
        middle = maker.numbers.standard_normal(DIMENSION)
        middle /= np.linalg.norm(middle)
        scope = maker.scope()
        lone = maker.chance.random() < 0.3
        for _ in range(1 if lone else maker.chance.randint(12, 40)):
            vector = maker.near(middle, maker.chance.uniform(0.7, 0.9))
            _plant(maker, vector, scope, -1 if lone else community)
        community += 1
    matrix = np.stack(maker.vectors).astype(np.float32)
    return maker.memories, matrix / np.linalg.norm(matrix, axis=1, keepdims=True), maker.planted


def _plant(maker: _Maker, vector: np.ndarray, scope: Scope, community: int) -> None:
    planted, chance = maker.planted, maker.chance.random()
    words, fact = maker.words(), maker.chance.choice(_FACTS)
    if chance < 0.05:
        age = maker.chance.uniform(3, 9)
        ids = [
            maker.add(text.format(**words), maker.near(vector, 0.985), scope, age_days=age - at)
            for at, text in enumerate(fact)
        ]
        planted.same.append((ids[0], ids[1]))
    elif chance < 0.06:
        texts = [fact[0], fact[1], f"Note: {fact[0][0].lower()}{fact[0][1:]}"]
        ids = [
            maker.add(t.format(**words), maker.near(vector, 0.97), scope, age_days=6 - at) for at, t in enumerate(texts)
        ]
        planted.triples.append(tuple(ids))
    elif chance < 0.08:
        pair = maker.chance.choice(_OPPOSED)
        ids = [
            maker.add(t.format(**words), maker.near(vector, 0.985), scope, age_days=6 - at) for at, t in enumerate(pair)
        ]
        planted.opposed.append((ids[0], ids[1]))
    else:
        ids = [_plain(maker, fact[0].format(**words), vector, scope)]
    if community >= 0:
        planted.communities |= dict.fromkeys(ids, community)


def _plain(maker: _Maker, text: str, vector: np.ndarray, scope: Scope) -> str:
    planted, chance = maker.planted, maker.chance.random()
    if chance < 0.02:
        found = maker.add(text, vector, scope, age_days=100)
        planted.faded.add(found)
    elif chance < 0.03:
        found = maker.add(text, vector, scope, age_days=220, tier=Tier.FADING)
        planted.stale.add(found)
    elif chance < 0.04:
        found = maker.add(text, vector, scope, age_days=170, confidence=0.3, trust=0.7, provenance=Provenance.INFERRED)
        planted.pruned.add(found)
    elif chance < 0.05:
        found = maker.add(text, vector, scope, status=Status.CANDIDATE, tier=Tier.FADING, observation_count=2)
        planted.promoted.add(found)
    else:
        found = maker.add(text, vector, scope)
    return found


async def fill(store: Store, memories: list[Memory], vectors: np.ndarray) -> None:
    """Puts them into a store."""
    origin = Origin(actor="bench", reason="made up")
    for start in range(0, len(memories), 1_000):
        part = memories[start : start + 1_000]
        await store.apply([Change(None, memory) for memory in part], origin, at=NOW - timedelta(days=1))
        await store.put_vectors(MODEL, [memory.id for memory in part], vectors[start : start + 1_000])
