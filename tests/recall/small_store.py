"""The part of the store that recall reads, held in memory, for tests that are about recall and not about storage."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime

import numpy as np

from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import EmbeddingModel, Hit, Vector, View
from nightgarden.domain.searchable import indexed_terms, meaning_text
from nightgarden.domain.session import Passage
from nightgarden.domain.text import query_terms

K1, B = 1.2, 0.75


class SmallStore:
    """Everything added is searchable at once; vectors are given, or made by `embed`."""

    def __init__(self, items: Iterable[Memory | Passage] = (), edges: Iterable[Edge] = ()) -> None:
        self.items: dict[str, Memory | Passage] = {}
        self.graph = list(edges)
        self.by_model: dict[str, dict[str, Vector]] = defaultdict(dict)
        self._postings: dict[str, dict[str, int]] = defaultdict(dict)
        self._lengths: dict[str, int] = {}
        self._matrix: dict[str, tuple[list[str], Vector]] = {}
        self._places: dict[tuple[str, int], list[Passage]] = defaultdict(list)
        for item in items:
            self.add(item)

    def add(self, item: Memory | Passage) -> None:
        self.items[item.id] = item
        found = indexed_terms(item).split()
        self._lengths[item.id] = len(found)
        for term, count in Counter(found).items():
            self._postings[term][item.id] = count
        if isinstance(item, Passage):
            self._places[item.session_id, item.position].append(item)
        else:
            self.graph += [
                Edge(source=item.id, target=f"tag:{tag}", kind=EdgeKind.HAS_TAG, created_at=item.created_at,
                     updated_at=item.created_at)
                for tag in item.tags
            ]  # fmt: skip

    def embed(self, embedder: HashEmbedder) -> None:
        vectors = embedder.embed([meaning_text(item) for item in self.items.values()])
        self.by_model[embedder.model.id] = dict(zip(self.items, vectors, strict=True))

    def _sees(self, id: str, view: View) -> bool:
        item = self.items.get(id)
        if item is None or (view.scopes is not None and item.scope not in view.scopes):
            return False
        if isinstance(item, Passage):
            return "passage" in view.kinds and item.created_at <= (view.as_of or view.now)
        if "memory" not in view.kinds or (view.categories is not None and item.category not in view.categories):
            return False
        return item.live and not (item.valid_until and item.valid_until <= view.now)

    def _hit(self, id: str, score: float) -> Hit:
        return Hit(id, "memory" if isinstance(self.items[id], Memory) else "passage", score)

    async def search_text(self, terms: Sequence[str], view: View, *, limit: int) -> list[Hit]:
        count, mean = len(self.items), sum(self._lengths.values()) / max(1, len(self.items))
        scores: dict[str, float] = defaultdict(float)
        for term in dict.fromkeys(terms):
            holders = self._postings.get(term, {})
            idf = max(1e-6, math.log((count - len(holders) + 0.5) / (len(holders) + 0.5))) if holders else 0.0
            for id, often in holders.items():
                scores[id] += idf * often * (K1 + 1) / (often + K1 * (1 - B + B * self._lengths[id] / mean))
        best = sorted(scores, key=lambda id: (-scores[id], id))
        return [self._hit(id, scores[id]) for id in best if self._sees(id, view)][:limit]

    async def search_vectors(self, vector: Vector, model_id: str, view: View, *, limit: int) -> list[Hit]:
        if model_id not in self._matrix:
            known = self.by_model[model_id]
            self._matrix[model_id] = (
                list(known),
                np.stack(list(known.values())) if known else np.zeros((0, 1), np.float32),
            )
        ids, matrix = self._matrix[model_id]
        if not ids:
            return []
        scores = matrix @ vector
        order = np.argsort(-scores, kind="stable")
        return [self._hit(ids[i], float(scores[i])) for i in order if self._sees(ids[i], view)][:limit]

    async def said_between(self, spans: Sequence[tuple[datetime, datetime]], view: View, *, limit: int) -> list[Hit]:
        found = [
            item
            for item in self.items.values()
            if any(start <= item.created_at < end for start, end in spans) and self._sees(item.id, view)
        ]
        found.sort(key=lambda item: (-item.created_at.timestamp(), item.id))
        return [self._hit(item.id, 1.0) for item in found[:limit]]

    async def vectors(self, model_id: str, ids: Sequence[str]) -> dict[str, Vector]:
        known = self.by_model[model_id]
        return {id: known[id] for id in ids if id in known}

    async def visible(self, ids: Sequence[str], view: View) -> set[str]:
        return {id for id in ids if self._sees(id, view)}

    async def triggered(self, view: View) -> list[Memory]:
        memories = (item for item in self.items.values() if isinstance(item, Memory))
        return [m for m in memories if (m.trigger_patterns or m.procedure) and self._sees(m.id, view)]

    async def memories(self, ids: Sequence[str]) -> list[Memory]:
        return [item for id in ids if isinstance(item := self.items.get(id), Memory)]

    async def passages(self, ids: Sequence[str]) -> list[Passage]:
        return [item for id in ids if isinstance(item := self.items.get(id), Passage)]

    async def neighbours(self, passage_ids: Sequence[str], *, reach: int) -> dict[str, list[Passage]]:
        near: dict[str, list[Passage]] = {}
        for passage in await self.passages(passage_ids):
            around = range(passage.position - reach, passage.position + reach + 1)
            near[passage.id] = [
                other for place in around for other in self._places[passage.session_id, place] if other.id != passage.id
            ]
        return near

    async def edges(
        self, node_ids: Sequence[str], *, kinds: Sequence[EdgeKind] | None = None, incoming: bool = True
    ) -> list[Edge]:
        nodes = set(node_ids)
        return [
            edge
            for edge in self.graph
            if (edge.source in nodes or (incoming and edge.target in nodes)) and (kinds is None or edge.kind in kinds)
        ]

    async def degrees(self, node_ids: Sequence[str]) -> dict[str, int]:
        counts = Counter(end for edge in self.graph for end in (edge.source, edge.target))
        return {node: counts[node] for node in node_ids if counts[node]}


class HashEmbedder:
    """Unit vectors of hashed terms: alike for texts that share words. Deterministic and instant."""

    model = EmbeddingModel(id="hash:1", name="hash", dimension=256, pooling="mean")

    def embed(self, texts: Sequence[str]) -> Vector:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> Vector:
        vector = np.zeros(self.model.dimension, np.float32)
        for term in query_terms(text):
            vector[sum(ord(letter) * 31**place for place, letter in enumerate(term)) % self.model.dimension] += 1.0
        norm = float(np.linalg.norm(vector))
        return vector / norm if norm else vector
