"""qdrant-client in local mode (a folder, no server)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

from qdrant_client import QdrantClient, models

from bench.store.measure import Vector, run

warnings.simplefilter("ignore")  # it advises a server above 20,000 points


class Qdrant:
    def open(self, folder: Path) -> None:
        self._client = QdrantClient(path=str(folder))
        if not self._client.collection_exists("memories"):
            space = models.VectorParams(size=384, distance=models.Distance.COSINE)
            self._client.create_collection("memories", vectors_config=space)

    def add_many(self, first: int, texts: Sequence[str], vectors: Vector) -> None:
        points = [
            models.PointStruct(id=first + i, vector=vector.tolist(), payload={"text": text})
            for i, (text, vector) in enumerate(zip(texts, vectors, strict=True))
        ]
        self._client.upsert("memories", points)

    def hurry(self) -> None:
        """Bulk writes without syncing each row; single writes are measured in another process, with it."""
        self._client._client.collections["memories"].storage.storage.execute("PRAGMA synchronous = OFF")

    def finish(self) -> None:
        """Local mode scans; there is nothing to build."""

    def add_one(self, number: int, text: str, vector: Vector) -> None:
        self.add_many(number, [text], vector[None, :])

    def search(self, vector: Vector, limit: int) -> list[int]:
        found = self._client.query_points("memories", query=vector.tolist(), limit=limit, with_payload=True)
        return [int(point.id) for point in found.points]

    def close(self) -> None:
        self._client.close()


run(Qdrant)
