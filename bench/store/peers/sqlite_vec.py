"""sqlite-vec and FTS5 in one file through apsw, fused by ranks; WAL and synchronous=FULL, the same promise as ours."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import apsw
import sqlite_vec

from bench.store.measure import Vector, run

_RRF = 60


class SqliteVec:
    def open(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._db = apsw.Connection(str(folder / "memories.db"))
        self._db.enable_load_extension(True)
        self._db.load_extension(sqlite_vec.loadable_path())
        for statement in (
            "PRAGMA journal_mode = WAL",
            "PRAGMA synchronous = FULL",
            "CREATE TABLE IF NOT EXISTS memory (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
            "CREATE VIRTUAL TABLE IF NOT EXISTS meaning "
            "USING vec0 (id INTEGER PRIMARY KEY, v float[384] distance_metric=cosine)",
            "CREATE VIRTUAL TABLE IF NOT EXISTS words "
            "USING fts5 (text, content = 'memory', content_rowid = 'id', tokenize = 'porter')",
        ):
            self._db.execute(statement)

    def add_many(self, first: int, texts: Sequence[str], vectors: Vector) -> None:
        with self._db:
            for number, (text, vector) in enumerate(zip(texts, vectors, strict=True), start=first):
                self._db.execute("INSERT INTO memory VALUES (?, ?)", (number, text))
                self._db.execute("INSERT INTO meaning VALUES (?, ?)", (number, vector.tobytes()))
                self._db.execute("INSERT INTO words (rowid, text) VALUES (?, ?)", (number, text))

    def finish(self) -> None:
        """It scans; there is nothing to build."""

    def add_one(self, number: int, text: str, vector: Vector) -> None:
        self.add_many(number, [text], vector[None, :])

    def search(self, vector: Vector, limit: int) -> list[int]:
        nearest = "SELECT id, distance FROM meaning WHERE v MATCH ? AND k = ?"
        joined = f"SELECT memory.id, text FROM ({nearest}) AS near JOIN memory USING (id) ORDER BY distance, memory.id"
        return [row[0] for row in self._db.execute(joined, (vector.tobytes(), limit))]

    def hybrid(self, text: str, vector: Vector, limit: int) -> list[int]:
        match = " OR ".join(f'"{word}"' for word in text.split())
        by_words = self._db.execute("SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT 50", (match,))
        score: dict[int, float] = {}
        for rows in ([row[0] for row in by_words], self.search(vector, 50)):
            for rank, number in enumerate(rows, start=1):
                score[number] = score.get(number, 0.0) + 1 / (_RRF + rank)
        best = sorted(score, key=lambda number: (-score[number], number))[:limit]
        marks = ",".join("?" * len(best))
        self._db.execute(f"SELECT id, text FROM memory WHERE id IN ({marks})", best).fetchall()
        return best

    def close(self) -> None:
        self._db.close()


run(SqliteVec)
