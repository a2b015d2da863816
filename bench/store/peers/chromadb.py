"""chromadb, persistent client, cosine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import chromadb
from chromadb.config import Settings

from bench.store.measure import Vector, run


class Chroma:
    def open(self, folder: Path) -> None:
        client = chromadb.PersistentClient(path=str(folder), settings=Settings(anonymized_telemetry=False))
        self._rows = client.get_or_create_collection(
            "memories", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None
        )

    def add_many(self, first: int, texts: Sequence[str], vectors: Vector) -> None:
        ids = [str(first + i) for i in range(len(texts))]
        self._rows.add(ids=ids, embeddings=vectors, documents=list(texts))

    def finish(self) -> None:
        """Its graph grows with each write."""

    def add_one(self, number: int, text: str, vector: Vector) -> None:
        self._rows.add(ids=[str(number)], embeddings=[vector], documents=[text])

    def search(self, vector: Vector, limit: int) -> list[int]:
        found = self._rows.query(query_embeddings=[vector], n_results=limit, include=["documents", "distances"])
        return [int(each) for each in found["ids"][0]]

    def close(self) -> None:
        """It has no close; what was added is on disk."""


run(Chroma)
