"""nightgarden itself. `search` is what the others do (nearest vectors, with their texts); `hybrid` is the whole of
recall with the query's vector given; `recall_whole` adds the model that makes it; `remember` is a write with all its
rules."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from bench.store.cases import Given
from bench.store.measure import LIMIT, Vector, run
from nightgarden import Garden, Memory, Scope, ScopeKind
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.ports import EmbeddingModel, View
from nightgarden.models.model_files import find_embedder
from nightgarden.recall.options import Request
from nightgarden.recall.recall import recall
from nightgarden.remember.note import Note
from nightgarden.remember.write import Writing, remember
from nightgarden.settings import RememberSettings

NOW = datetime(2026, 6, 1, tzinfo=UTC)


class KnownVectors:
    """Stands for the embedding model: the vectors are given."""

    def __init__(self, model: EmbeddingModel) -> None:
        self.model = model
        self.now: Vector | None = None

    def embed(self, texts: Sequence[str]) -> Vector:
        assert self.now is not None
        return self.now[None, :]

    def embed_query(self, text: str) -> Vector:
        assert self.now is not None
        return self.now


class Nightgarden:
    def __init__(self) -> None:
        self._loop = asyncio.Runner()
        number = iter(range(10**9))
        self._ids = IdMaker(lambda: next(number))
        models = Path(os.environ["BENCH_MODELS"])
        # The vectors bear the name of the model that is here, so that the real one finds them.
        known = find_embedder((models,)).model
        self._model = EmbeddingModel(id=known.id, name=known.name, dimension=known.dimension, pooling=known.pooling)
        self._known = KnownVectors(self._model)
        self._numbers: dict[str, int] = {}

    def open(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        os.environ["NIGHTGARDEN_HOME"] = str(folder)
        os.environ["NIGHTGARDEN_EMBEDDING_FOLDER"] = os.environ["BENCH_MODELS"]
        self._opened = Garden.open(folder / "garden.db", directory=folder)
        self._garden = self._loop.run(self._opened.__aenter__())
        self._store = self._garden.store
        self._scope = Scope(ScopeKind.PROJECT, "bench")
        self._view = View(now=NOW, scopes=(self._scope,))

    def _change(self, number: int, text: str) -> Change:
        memory = Memory(
            id=f"{number:026d}",
            content=text,
            scope=self._scope,
            created_at=NOW,
            updated_at=NOW,
            confirmed_at=NOW,
        )
        return Change(None, memory)

    def add_many(self, first: int, texts: Sequence[str], vectors: Vector) -> None:
        changes = [self._change(first + i, text) for i, text in enumerate(texts)]
        given = [(self._model, f"{first + i:026d}", vector) for i, vector in enumerate(vectors)]
        self._loop.run(self._store.apply(changes, Origin(actor="bench"), at=NOW, vectors=given))

    def finish(self) -> None:
        """The index takes in what was written when it is first asked; the background then groups and saves it."""
        even = np.full(384, 384**-0.5, dtype=np.float32)
        self._loop.run(self._store.search_vectors(even, self._model.id, self._view, limit=1))
        self._loop.run(self._store.maintain())

    def add_one(self, number: int, text: str, vector: Vector) -> None:
        self.add_many(number, [text], vector[None, :])

    def remember(self, number: int, text: str, vector: Vector) -> None:
        self._known.now = vector
        note = Note(content=text, scope=self._scope, created_at=NOW)
        writing = Writing(
            store=self._store,
            embedder=self._known,
            settings=RememberSettings(),
            ids=self._ids,
            now=NOW,
            actor="bench",
            machine_id="bench",
        )
        self._loop.run(remember(note, writing))

    def search(self, vector: Vector, limit: int) -> list[int]:
        return self._loop.run(self._search(vector, limit))

    async def _search(self, vector: Vector, limit: int) -> list[int]:
        hits = await self._store.search_vectors(vector, self._model.id, self._view, limit=limit)
        found = await self._store.memories([hit.id for hit in hits])
        return [int(memory.id) for memory in found if memory.id.isdigit()]

    def hybrid(self, text: str, vector: Vector, limit: int) -> None:
        self._known.now = vector
        request = Request(query=text, scopes=(self._scope,), limit=limit)
        self._loop.run(recall(request, store=self._store, embedder=self._known, reranker=None, now=NOW))

    def more(self, given: Given) -> dict[str, Callable[[int], Any]]:
        def whole(i: int) -> None:
            self._loop.run(self._garden.recall(given.query_texts[i], scope=self._scope, limit=LIMIT, rerank=False))

        return {"recall_whole": whole}

    def close(self) -> None:
        self._loop.run(self._opened.__aexit__(None, None, None))
        self._loop.close()


run(Nightgarden)
