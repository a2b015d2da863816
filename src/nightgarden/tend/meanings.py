"""How near memories are to each other, scope by scope: by their vectors, or by their words where there are none.

Words make a poor stand-in for meaning, good enough to find texts that share most of theirs; `measured` says which it
is, so that nobody takes a share of words for a cosine of meanings.
"""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
import numpy.typing as npt

from nightgarden.domain.memory import Memory, Scope
from nightgarden.domain.ports import Store, View
from nightgarden.domain.text import query_terms
from nightgarden.store.vectors.codes import Floats
from nightgarden.tend.nearest import find_nearest

NEIGHBOURS = 20  # enough for density, links and merges; larger groups of equals hang together through each other
WORD_DIMENSION = 512
_SAMPLE_PAIRS = 4_096
_SEED = 11


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories of one scope that are near, the smaller id first."""

    one: str
    other: str
    cosine: float


class ScopeMeanings:
    """The vectors of one scope's memories, and their nearest neighbours once somebody asked."""

    def __init__(self, scope: Scope, ids: list[str], vectors: Floats, *, measured: bool) -> None:
        self.scope = scope
        self.ids = ids
        self.vectors = vectors
        self.measured = measured
        self._places = {each: at for at, each in enumerate(ids)}
        self._known = np.zeros(len(ids), bool)
        width = max(1, min(NEIGHBOURS, len(ids) - 1))
        self._positions = np.full((len(ids), width), -1, np.int32)
        self._cosines = np.full((len(ids), width), -1.0, np.float32)

    def vector(self, memory_id: str) -> Floats | None:
        at = self._places.get(memory_id)
        return None if at is None else self.vectors[at]

    def centrality(self, members: Sequence[Memory]) -> Callable[[Memory], float]:
        """How near a memory is to the middle of some: a function of the memory."""
        rows = [vector for memory in members if (vector := self.vector(memory.id)) is not None]
        middle = np.mean(rows, axis=0) if rows else None

        def nearness(memory: Memory) -> float:
            vector = self.vector(memory.id)
            return float(vector @ middle) if vector is not None and middle is not None else 0.0

        return nearness

    async def look(self, ids: Iterable[str]) -> None:
        """Finds the neighbours of these memories, in a thread; those of others stay unknown."""
        wanted = np.array(sorted(self._places[each] for each in ids if each in self._places), dtype=np.intp)
        wanted = wanted[~self._known[wanted]]
        if not len(wanted) or len(self.ids) < 2:
            return
        near = await asyncio.to_thread(find_nearest, self.vectors, wanted, NEIGHBOURS)
        self._positions[wanted] = near.positions
        self._cosines[wanted] = near.cosines
        self._known[wanted] = True

    def neighbours(self, memory_id: str) -> list[tuple[str, float]]:
        """Its nearest others, best first; empty when nobody looked."""
        at = self._places.get(memory_id)
        if at is None or not self._known[at]:
            return []
        return [
            (self.ids[position], float(cosine))
            for position, cosine in zip(self._positions[at], self._cosines[at], strict=True)
            if position >= 0
        ]

    def pairs(self, *, at_least: float) -> Iterator[Pair]:
        """All known near pairs, nearest first, each once."""
        rows, columns = np.nonzero((self._cosines >= at_least) & (self._positions >= 0) & self._known[:, None])
        ones, others = rows.astype(np.int64), self._positions[rows, columns].astype(np.int64)
        low, high = np.minimum(ones, others), np.maximum(ones, others)
        _, first = np.unique(low * len(self.ids) + high, return_index=True)
        scores = self._cosines[rows[first], columns[first]]
        for at in np.lexsort((high[first], low[first], -scores)):
            one, other = self.ids[low[first[at]]], self.ids[high[first[at]]]
            yield Pair(min(one, other), max(one, other), float(scores[at]))

    def graph(self, alive: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int32], Floats]:
        """Positions and cosines of neighbours, dead ones taken out."""
        positions = np.where(alive[self._positions] & (self._positions >= 0), self._positions, -1).astype(np.int32)
        positions[~alive] = -1
        return positions, np.where(positions >= 0, self._cosines, -1.0).astype(np.float32)

    def usual(self) -> tuple[float, float]:
        """Mean and spread of the cosine of two memories taken by chance: what near means depends on the model."""
        if len(self.ids) < 2:
            return 0.0, 0.0
        chance = np.random.default_rng(_SEED)
        one = chance.integers(0, len(self.ids), _SAMPLE_PAIRS)
        other = (one + chance.integers(1, len(self.ids), _SAMPLE_PAIRS)) % len(self.ids)
        found = np.einsum("ij,ij->i", self.vectors[one], self.vectors[other])
        return float(found.mean()), float(found.std())


class Meanings:
    """The scopes' meanings."""

    def __init__(self, scopes: dict[Scope, ScopeMeanings]) -> None:
        self.scopes = scopes

    def all_in(self, ids: Container[str]) -> bool:
        return all(each in ids for scope in self.scopes.values() for each in scope.ids)

    @classmethod
    async def load(cls, store: Store, model_id: str | None, memories: Iterable[Memory], *, now: datetime) -> Meanings:
        by_scope: dict[Scope, list[Memory]] = {}
        for memory in memories:
            by_scope.setdefault(memory.scope, []).append(memory)
        if model_id is None:
            return await asyncio.to_thread(_by_words, by_scope)
        ids, vectors = await store.all_vectors(model_id, View(now=now, kinds=("memory",)))
        places = {each: at for at, each in enumerate(ids)}
        scopes = {}
        for scope, members in sorted(by_scope.items()):
            there = [memory.id for memory in members if memory.id in places]
            rows = np.array([places[each] for each in there], dtype=np.intp)
            taken = vectors[rows] if len(rows) else np.zeros((0, 1), np.float32)
            scopes[scope] = ScopeMeanings(scope, there, taken, measured=True)
        return cls(scopes)


def _by_words(by_scope: dict[Scope, list[Memory]]) -> Meanings:
    scopes = {}
    for scope, members in sorted(by_scope.items()):
        vectors = np.zeros((len(members), WORD_DIMENSION), np.float32)
        for at, memory in enumerate(members):
            for term in query_terms(memory.content):
                number = zlib.crc32(term.encode("utf-8", "surrogatepass"))
                vectors[at, number % WORD_DIMENSION] += 1.0 if number & 0x8000_0000 else -1.0
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(lengths > 0, lengths, 1.0)
        scopes[scope] = ScopeMeanings(scope, [memory.id for memory in members], vectors, measured=False)
    return Meanings(scopes)
