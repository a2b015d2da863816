"""mcp-memory-service on its sqlite-vec storage (WAL, synchronous=NORMAL as it sets them); vectors are given."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path

import pysqlite3

sys.modules["sqlite3"] = pysqlite3  # it needs a sqlite3 that loads extensions, which many builds of Python forbid
os.environ |= {"MCP_MEMORY_BASE_DIR": os.environ["BENCH_HOME"], "MCP_SEMANTIC_DEDUP_ENABLED": "false"}

import numpy as np
from mcp_memory_service.models.memory import Memory
from mcp_memory_service.storage.sqlite_vec import SqliteVecMemoryStorage

from bench.store.cases import Given
from bench.store.measure import Vector, run

logging.disable(logging.CRITICAL)


class KnownVectors:
    """Stands for its embedding model: the vectors are given."""

    def __init__(self) -> None:
        self.of: dict[str, Vector] = {}

    def encode(self, texts: Sequence[str], convert_to_numpy: bool = True) -> Vector:
        return np.stack([self.of[text] for text in texts])

    def get_sentence_embedding_dimension(self) -> int:
        return 384


class Storage(SqliteVecMemoryStorage):
    async def _initialize_embedding_model(self) -> None:
        self.embedding_model = KnownVectors()
        self.embedding_dimension = 384


class Service:
    def open(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._loop = asyncio.Runner()
        self._storage = Storage(str(folder / "memories.db"))
        self._storage.enable_cache = False
        self._loop.run(self._storage.initialize())
        self._storage.embedding_model = self._known = KnownVectors()

    def know(self, given: Given) -> None:
        self._known.of |= dict(zip(given.fresh_texts, given.fresh_vectors, strict=False))
        self._known.of |= dict(zip(given.query_texts, given.query_vectors, strict=True))
        self._known.of |= {f"fresh {i}": vector for i, vector in enumerate(given.fresh_vectors)}
        names = list(zip(given.query_vectors, given.query_texts, strict=True))
        names += [(vector, f"fresh {i}") for i, vector in enumerate(given.fresh_vectors)]
        self._names = {vector.tobytes(): name for vector, name in names}

    def _memory(self, number: int, text: str) -> Memory:
        return Memory(content=text, content_hash=hashlib.sha256(f"{number}".encode()).hexdigest(), tags=[f"n{number}"])

    def add_many(self, first: int, texts: Sequence[str], vectors: Vector) -> None:
        self._known.of = dict(zip(texts, vectors, strict=True))
        notes = [self._memory(first + i, text) for i, text in enumerate(texts)]
        done = self._loop.run(self._storage.store_batch(notes))
        assert all(ok for ok, _ in done), next(why for ok, why in done if not ok)

    def finish(self) -> None:
        """It scans; there is nothing to build."""

    def add_one(self, number: int, text: str, vector: Vector) -> None:
        ok, why = self._loop.run(self._storage.store(self._memory(number, text)))
        assert ok, why

    def search(self, vector: Vector, limit: int) -> list[int]:
        found = self._loop.run(self._storage.retrieve(self._names[vector.tobytes()], n_results=limit))
        return [int(each.memory.tags[0][1:]) for each in found]

    def hybrid(self, text: str, vector: Vector, limit: int) -> list[int]:
        found = self._loop.run(self._storage.retrieve_hybrid(text, n_results=limit))
        return [int(each.memory.tags[0][1:]) for each in found]

    def close(self) -> None:
        self._loop.run(self._storage.close())
        self._loop.close()


run(Service)
