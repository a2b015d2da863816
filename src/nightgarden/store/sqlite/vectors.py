"""The in-process index of vectors, kept equal to those in the database.

The database is the truth. Before each search the index asks what is newer than it knows; so it follows writes of this
and of other processes alike, and a process that died half-way leaves nothing to repair.
"""

from __future__ import annotations

import math
import sqlite3
import threading
from contextlib import suppress
from pathlib import Path

import numpy as np

from nightgarden.domain.ports import Hit, Vector, View
from nightgarden.errors import BadInput
from nightgarden.store.sqlite import rows
from nightgarden.store.sqlite.rows import Q
from nightgarden.store.sqlite.search import view_columns
from nightgarden.store.vectors.index import VectorIndex
from nightgarden.store.vectors.rows import Numbers

# Guesses ask for this many times the limit: first for a view that hides next to nothing, then for one that hides less
# than three in four. Settling exact cosines costs more than a second look that few need.
GUESSES = (1.25, 4.0)
_LOAD_ROWS = 20_000


class MeaningIndex:
    """The index of one model's vectors. Thread-safe: one lock for following the database, none for searching."""

    def __init__(self, garden_path: Path, model_id: str, dimension: int) -> None:
        safe = "".join(c if c.isalnum() else "-" for c in model_id)
        self._snapshot = garden_path.with_name(f"{garden_path.name}.{safe}.vectors")
        self._model_id = model_id
        self._dimension = dimension
        self._lock = threading.Lock()
        self._closing = threading.Event()  # ends a reorganisation that is under way
        self._index: VectorIndex | None = None
        self._sequence = 0
        self._saved_sequence = 0

    def search(self, db: sqlite3.Connection, vector: Vector, view: View, *, limit: int) -> list[Hit]:
        if vector.shape != (self._dimension,):
            raise BadInput(f"a vector of {self._dimension} numbers expected, got {vector.shape}")
        index = self._follow(db)
        if not len(index) or not view.kinds:
            return []
        columns = view_columns(view)
        for guess in GUESSES:
            numbers, scores = index.search(vector, math.ceil(limit * guess), None)
            hits = self._visible(db, numbers, scores, columns)
            if len(hits) >= limit or len(numbers) == len(index):
                break
        if len(hits) < limit and len(numbers) < len(index):
            allowed = np.fromiter((row[0] for row in db.execute(Q["all_visible_numbers"], columns)), np.int64)
            if len(allowed):
                mask = np.zeros(int(allowed[-1]) + 1, dtype=np.bool_)
                mask[allowed] = True
                numbers, scores = index.search(vector, limit, mask)
                hits = self._visible(db, numbers, scores, columns)
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]

    def _visible(
        self, db: sqlite3.Connection, numbers: Numbers, scores: Vector, columns: dict[str, object]
    ) -> list[Hit]:
        score_of = dict(zip(numbers.tolist(), scores.tolist(), strict=True))
        found = db.execute(Q["visible_numbers"], columns | {"numbers": rows.array(score_of)})
        return [Hit(each, kind, score_of[number]) for number, each, kind in found]

    def _follow(self, db: sqlite3.Connection) -> VectorIndex:
        """Takes in what the database has and the index has not; lets go of what is gone."""
        with self._lock:
            index = self._index or self._start()
            row = db.execute(Q["model_by_id"], {"id": self._model_id}).fetchone()
            count, last = (row[1], row[2]) if row else (0, 0)
            if last < self._sequence:  # the database was put back to an earlier state: what the index knows is void
                index, self._sequence = VectorIndex(self._dimension), 0
            if last > self._sequence:
                self._take_in(db, index)
                self._sequence = max(self._sequence, last)
            if len(index) > count:
                self._let_go(db, index)
            self._index = index
            return index

    def _start(self) -> VectorIndex:
        loaded = VectorIndex.load(self._snapshot, dimension=self._dimension)
        if loaded is None:
            return VectorIndex(self._dimension)
        self._sequence = self._saved_sequence = int(loaded.generation)
        return loaded.index

    def _take_in(self, db: sqlite3.Connection, index: VectorIndex) -> None:
        cursor = db.execute(Q["vectors_since"], {"sequence": self._sequence, "model_id": self._model_id})
        while fetched := cursor.fetchmany(_LOAD_ROWS):
            found = [row for row in fetched if len(row[2]) == 2 * self._dimension]  # the doctor sees to the others
            numbers = np.fromiter((row[1] for row in found), np.int64, len(found))
            data = np.frombuffer(b"".join(row[2] for row in found), "<f2").reshape(len(found), self._dimension)
            index.put(numbers, data.astype(np.float32))

    def _let_go(self, db: sqlite3.Connection, index: VectorIndex) -> None:
        there = np.fromiter((row[0] for row in db.execute(Q["vector_numbers"], {"model_id": self._model_id})), np.int64)
        index.remove(np.setdiff1d(index.numbers(), there))

    def maintain(self, db: sqlite3.Connection) -> None:
        """Background work: reorganises the index when it has grown, and saves it for the next start."""
        index = self._follow(db)
        index.maintain(self._closing.is_set)
        with self._lock:
            grown = self._sequence - self._saved_sequence
            sequence = self._sequence
        if grown > max(2_000, len(index) // 10):
            with suppress(OSError):  # a snapshot only saves time at the next start
                index.save(self._snapshot, str(sequence))
                self._saved_sequence = sequence

    def close(self) -> None:
        self._closing.set()
        with self._lock:
            index, worth_it = self._index, self._sequence > self._saved_sequence
        if index is not None and worth_it and len(index) >= 1_000:
            with suppress(OSError):
                index.save(self._snapshot, str(self._sequence))
