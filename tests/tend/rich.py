"""A garden in which every operation has something to do, drawn from a seed."""

from __future__ import annotations

import random
from datetime import timedelta
from typing import Any

import numpy as np

from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Category, Memory, Provenance, Reinforcement, Scope, ScopeKind, Status, Tier
from nightgarden.domain.ports import Store
from tests.tend.given import DAY, MODEL, NOW, PROJECT, USER, add, memory

OTHER = Scope(ScopeKind.AGENT, "pruner")
SAME = (
    ("The shop {n} retries failed calls {m} times", "Failed calls are retried {m} times by the shop {n}"),
    ("Logs of unit {n} are written to folder {m}", "Note: logs of unit {n} are written to folder {m}"),
)
ALIKE = (
    "The depot {n} keeps its spare keys in drawer {m}",
    "The depot {n} keeps all its spare keys in the drawer {m}",
    "The spare keys of the depot {n} are kept in drawer {m}",
)
OPPOSED = ("The cache {n} is enabled in production", "The cache {n} is disabled in production")
UNSURE = ("The import {n} takes about {m} hours", "The import {n} takes about {o} hours")
TAGS = ("deploy", "deploys", "postgres", "postgresql", "cache")


def near(chance: np.random.Generator, middle: np.ndarray, cosine: float) -> np.ndarray:
    noise = chance.standard_normal(MODEL.dimension)
    noise -= (noise @ middle) * middle
    return cosine * middle + np.sqrt(1 - cosine**2) * noise / np.linalg.norm(noise)


def draw(seed: int, size: int) -> tuple[list[Memory], list[np.ndarray]]:  # noqa: C901 - one case per kind of memory
    """Memories of two scopes: duplicates, opposites, groups, old ones, candidates."""
    chance, numbers = random.Random(seed), np.random.default_rng(seed)
    memories: list[Memory] = []
    vectors: list[np.ndarray] = []
    middles = numbers.standard_normal((max(2, size // 10), MODEL.dimension))
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)

    def put(text: str, vector: np.ndarray, **fields: object) -> None:
        age = chance.choice((1.5, 3.0, 20.0, 95.0, 200.0))
        given: dict[str, Any] = {
            "age_days": age,
            "scope": chance.choice((PROJECT, PROJECT, OTHER)),
            "category": chance.choice((Category.FACT, Category.FACT, Category.PREFERENCE, Category.CORRECTION)),
            "tags": tuple(sorted(chance.sample(TAGS, chance.randint(0, 2)))),
            "session_id": chance.choice((None, "s1", "s2")),
            "tier": chance.choice((Tier.ACTIVE, Tier.ACTIVE, Tier.FADING, Tier.PINNED)),
            "reinforcements": (Reinforcement(at=NOW - age * DAY, session_id="s3"),) if chance.random() < 0.2 else (),
        } | fields
        memories.append(memory(len(memories) + 1, text, **given))
        vectors.append(vector)

    while len(memories) < size:
        middle = near(numbers, middles[chance.randrange(len(middles))], chance.uniform(0.85, 0.95))
        words = {"n": chance.randint(1, 10**6), "m": chance.randint(2, 90), "o": chance.randint(91, 180)}
        kind = chance.random()
        if kind < 0.25:
            for text in chance.choice(SAME):
                put(text.format(**words), near(numbers, middle, 0.99), scope=PROJECT)
        elif kind < 0.4:
            for text in OPPOSED:
                put(text.format(**words), near(numbers, middle, 0.99), scope=PROJECT, provenance=Provenance.OBSERVED)
        elif kind < 0.5:
            put(f"A guess about unit {words['n']}", middle, status=Status.CANDIDATE, tier=Tier.FADING, confidence=0.2)
        elif kind < 0.6:
            put(f"A habit of unit {words['n']}", middle, status=Status.CANDIDATE, tier=Tier.FADING, observation_count=2)
        elif kind < 0.66:
            for text in ALIKE:
                put(text.format(**words), near(numbers, middle, 0.96), scope=PROJECT, tier=Tier.ACTIVE, tags=(),
                    category=Category.FACT)  # fmt: skip
        elif kind < 0.72:
            for text, trust in zip(UNSURE, (1.0, 0.5), strict=True):
                put(text.format(**words), near(numbers, middle, 0.98), scope=PROJECT, trust=trust,
                    provenance=Provenance.INFERRED)  # fmt: skip
        else:
            put(f"The unit {words['n']} belongs to group {words['m']}", middle)
    return memories, vectors


async def plant(store: Store, seed: int, size: int = 60) -> None:
    """Fills a store; the same seed gives the same garden."""
    memories, vectors = draw(seed, size)
    await add(store, memories, vectors)
    chance = random.Random(seed)
    links = []
    for _ in range(size // 4):
        one, other = chance.sample(memories, 2)
        kind = chance.choice((EdgeKind.RELATES_TO, EdgeKind.DERIVED_FROM, EdgeKind.CONTRADICTS))
        at = NOW - timedelta(days=chance.choice((1, 300)))
        edge = Edge(source=one.id, target=other.id, kind=kind, weight=0.5, created_at=at, updated_at=at)
        links.append(edge)
    kept = {edge.key: edge for edge in links}
    await store.apply([Change(None, edge) for edge in kept.values()], USER, at=NOW - DAY)
    gap = Gap(
        id="gap", snippet="which unit", session_id=None, scope=PROJECT, seen_count=1, created_at=NOW - 90 * DAY,
        last_seen_at=NOW - 90 * DAY,
    )  # fmt: skip
    await store.apply([Change(None, gap)], USER, at=NOW - DAY)
