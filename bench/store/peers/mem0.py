"""mem0 with `infer=False` on its default store, qdrant in a folder. It has no bulk write; that of its store is used."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

os.environ |= {"MEM0_TELEMETRY": "False", "OPENAI_API_KEY": "unused"}
os.environ.setdefault("MEM0_DIR", os.environ["BENCH_HOME"])

from mem0 import Memory

from bench.store.cases import Given
from bench.store.measure import Vector, run

warnings.simplefilter("ignore")
_USER = {"user_id": "bench"}


class KnownVectors:
    """Stands for its embedding model: the vectors are given."""

    def __init__(self) -> None:
        self.of: dict[str, Vector] = {}
        self.config = type("Config", (), {"embedding_dims": 384})()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self.of[text].tolist()

    def embed_batch(self, texts: Sequence[str], memory_action: str | None = None) -> list[list[float]]:
        return [self.embed(text) for text in texts]


class Mem0:
    def open(self, folder: Path) -> None:
        place = {"path": str(folder / "qdrant"), "on_disk": True, "embedding_model_dims": 384, "collection_name": "m"}
        self._known = KnownVectors()
        self._memory = Memory.from_config(
            {
                "vector_store": {"provider": "qdrant", "config": place},
                "history_db_path": str(folder / "history.db"),
                "embedder": {"provider": "openai", "config": {"embedding_dims": 384}},
            }
        )
        self._memory.embedding_model = self._known

    def know(self, given: Given) -> None:
        self._known.of |= dict(zip(given.fresh_texts, given.fresh_vectors, strict=False))
        self._known.of |= {f"query {i}": vector for i, vector in enumerate(given.query_vectors)}
        self._known.of |= {f"fresh {i}": vector for i, vector in enumerate(given.fresh_vectors)}
        asked = {name: vector for name, vector in self._known.of.items() if name.startswith(("query ", "fresh "))}
        self._names = {vector.tobytes(): name for name, vector in asked.items()}
        self._ids: dict[str, int] = {}

    def add_many(self, first: int, texts: Sequence[str], vectors: Vector) -> None:
        payloads: list[dict[str, Any]] = [{"data": text, "hash": text[:8], **_USER} for text in texts]
        ids = [str(UUID(int=first + i)) for i in range(len(texts))]
        self._memory.vector_store.insert(vectors=vectors.tolist(), payloads=payloads, ids=ids)

    def hurry(self) -> None:
        """Bulk writes without syncing each row; single writes are measured in another process, with it."""
        client = self._memory.vector_store.client
        client._client.collections["m"].storage.storage.execute("PRAGMA synchronous = OFF")

    def finish(self) -> None:
        """Its store scans; there is nothing to build."""

    def add_one(self, number: int, text: str, vector: Vector) -> None:
        made = self._memory.add(text, infer=False, **_USER)
        self._ids[made["results"][0]["id"]] = number

    def search(self, vector: Vector, limit: int) -> list[int]:
        found = self._memory.search(self._names[vector.tobytes()], filters=_USER, top_k=limit)["results"]
        return [self._ids.get(row["id"], UUID(row["id"]).int) for row in found]

    def close(self) -> None:
        self._memory.vector_store.client.close()


run(Mem0)
