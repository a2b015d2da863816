"""lancedb: exact below 50,000 rows, IVF_PQ above, and its full text index for hybrid search."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import lancedb
import pyarrow as pa

from bench.store.measure import Vector, run

APPROXIMATE_FROM = 50_000
SCHEMA = pa.schema([("id", pa.int64()), ("text", pa.string()), ("vector", pa.list_(pa.float32(), 384))])


class Lance:
    def open(self, folder: Path) -> None:
        self._db = lancedb.connect(str(folder))
        self._rows = self._db.create_table("memories", schema=SCHEMA, exist_ok=True)

    def add_many(self, first: int, texts: Sequence[str], vectors: Vector) -> None:
        column = pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), 384)
        ids = pa.array(range(first, first + len(texts)))
        self._rows.add(pa.table({"id": ids, "text": pa.array(list(texts)), "vector": column}, schema=SCHEMA))

    def finish(self) -> None:
        self._rows.optimize()
        self._rows.create_fts_index("text")
        if self._rows.count_rows() >= APPROXIMATE_FROM:
            self._rows.create_index(metric="cosine", vector_column_name="vector")

    def add_one(self, number: int, text: str, vector: Vector) -> None:
        self.add_many(number, [text], vector[None, :])

    def search(self, vector: Vector, limit: int) -> list[int]:
        found = self._rows.search(vector).metric("cosine").limit(limit).select(["id", "text"]).to_list()
        return [row["id"] for row in found]

    def hybrid(self, text: str, vector: Vector, limit: int) -> list[int]:
        query = self._rows.search(query_type="hybrid").vector(vector).text(text).limit(limit)
        return [row["id"] for row in query.to_list()]

    def close(self) -> None:
        """Nothing is held open."""


run(Lance)
