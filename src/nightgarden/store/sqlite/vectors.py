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
from nightgarden.store.sqlite.search import all_visible_numbers, view_columns
from nightgarden.store.vectors.blocks import Numbers
from nightgarden.store.vectors.codes import normalise
from nightgarden.store.vectors.index import VectorIndex

# Guesses ask for this many times the limit: first for a view that hides next to nothing, then for one that hides less
# than three in four. Reading vectors costs more than a second look that few need.
GUESSES = (1.25, 4.0)
SPARE = 8  # so many more, since the index ranks by cosines of three digits: the last of the best may be a few down
Columns = dict[str, object]
_LOAD_ROWS = 4_096  # 6 MB of float32, and three times as much while they are encoded


class MeaningIndex:
    """The index of one model's vectors. Thread-safe: one lock for following the database, none for searching."""

    def __init__(self, garden_path: Path, model_id: str, dimension: int) -> None:
        safe = "".join(c if c.isalnum() else "-" for c in model_id)
        self._snapshot = garden_path.with_name(f"{garden_path.name}.{safe}.vectors")
        self._model_id = model_id
        self._dimension = dimension
        self._lock = threading.Lock()
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
            numbers, _ = index.search(vector, math.ceil(limit * guess) + SPARE)
            hits = self._visible(db, vector, numbers, columns)
            if len(hits) >= limit or len(numbers) == len(index) or len(hits) * GUESSES[-1] < limit * guess:
                break  # enough, or everything, or so few that the next guess would not do either
        if len(hits) < limit and len(numbers) < len(index):
            allowed = all_visible_numbers(db, view)
            if allowed:
                mask = np.zeros(max(allowed) + 1, dtype=np.bool_)
                mask[allowed] = True
                numbers, _ = index.search(vector, limit + SPARE, mask)
                hits = self._visible(db, vector, numbers, columns)
        return sorted(hits, key=lambda hit: (-hit.score, hit.id))[:limit]

    def _visible(self, db: sqlite3.Connection, vector: Vector, numbers: Numbers, columns: Columns) -> list[Hit]:
        """Those of these items that the view shows, with their cosines from the vectors in the database."""
        asked = columns | {"numbers": rows.array(numbers.tolist()), "model_id": self._model_id}
        found = [row for row in db.execute(Q["visible_vectors"], asked) if len(row[2]) == 2 * self._dimension]
        data = np.frombuffer(b"".join(row[2] for row in found), "<f2").reshape(len(found), self._dimension)
        # Each is summed by itself, so equal vectors get equal cosines in whatever company they come.
        cosines = np.einsum("ij,j->i", normalise(data.astype(np.float32)), normalise(vector)[0])
        return [Hit(each, kind, cosine) for (each, kind, _), cosine in zip(found, cosines.tolist(), strict=True)]

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
        """Background work: saves the index for the next start when it has grown."""
        index = self._follow(db)
        with self._lock:
            grown = self._sequence - self._saved_sequence
            sequence = self._sequence
        if grown > max(2_000, len(index) // 10):
            with suppress(OSError):  # a snapshot only saves time at the next start
                index.save(self._snapshot, str(sequence))
                self._saved_sequence = sequence

    def close(self) -> None:
        with self._lock:
            index, worth_it = self._index, self._sequence > self._saved_sequence
        if index is not None and worth_it and len(index) >= 1_000:
            with suppress(OSError):
                index.save(self._snapshot, str(self._sequence))
