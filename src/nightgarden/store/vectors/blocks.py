"""Some thousand encoded vectors with their item numbers. A value: every change gives a new block, and readers keep the
old one.

A block shares memory with its successor: a row is written once, beyond the end of every block that a reader may hold,
so only the newest may be appended to (the index sees to that with one writer). The bits lie word by word, the first
64 of all rows, then the next: numpy counts those of a million in 7 ms, and row by row in 31. Knows nothing of files.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors.codes import Codes, Floats, Levels, Words, words_for

Numbers = npt.NDArray[np.int64]
Positions = npt.NDArray[np.intp]
Distances = npt.NDArray[np.uint16]
# Which item numbers may be returned, indexed by number; beyond its end: none.
Allowed = npt.NDArray[np.bool_]

NOBODY = 0  # the number of a removed row; item numbers start at 1
# Counting the bits of all rows and leaving most out is cheaper than picking this share of them first.
PICKED_SHARE = 0.25


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Block:
    """`count` rows in arrays that may be longer."""

    numbers: Numbers
    words: Words  # a row for each word, a column for each vector
    levels: Levels
    steps: Floats
    count: int = 0
    removed: int = 0

    @staticmethod
    def empty(dimension: int, capacity: int) -> Block:
        return Block(
            numbers=np.empty(capacity, dtype=np.int64),
            words=np.empty((words_for(dimension), capacity), dtype=np.uint64),
            levels=np.empty((capacity, dimension), dtype=np.int8),
            steps=np.empty(capacity, dtype=np.float32),
        )

    @property
    def room(self) -> int:
        return len(self.numbers) - self.count

    def append(self, numbers: Numbers, codes: Codes) -> Block:
        end = self.count + len(numbers)
        self.numbers[self.count : end] = numbers
        self.words[:, self.count : end] = codes.signs.T
        self.levels[self.count : end] = codes.levels
        self.steps[self.count : end] = codes.steps
        return replace(self, count=end)

    def without(self, rows: Positions) -> Block:
        """The same rows, those at `rows` belonging to nobody. A reader's copy of the numbers stays as it was."""
        numbers = self.numbers.copy()
        numbers[rows] = NOBODY
        return replace(self, numbers=numbers, removed=self.removed + len(rows))

    def compacted(self) -> Block:
        """Only the rows that belong to somebody, in memory of their own, without room for more."""
        kept = np.flatnonzero(self.numbers[: self.count] != NOBODY)
        return Block(
            numbers=self.numbers[kept],
            words=self.words[:, kept],
            levels=self.levels[kept],
            steps=self.steps[kept],
            count=len(kept),
        )

    def eligible(self, allowed: Allowed | None) -> Positions | None:
        """The rows that may be returned; None for all of them. `allowed` begins and ends with False."""
        numbers = self.numbers[: self.count]
        if allowed is not None:
            return np.flatnonzero(np.take(allowed, numbers, mode="clip"))
        return np.flatnonzero(numbers != NOBODY) if self.removed else None

    def distances(self, signs: Words, rows: Positions | None) -> Distances:
        """In how many signs these rows differ from a query."""
        if rows is not None and len(rows) < self.count * PICKED_SHARE:
            return _differing(np.take(self.words, rows, axis=1), signs)
        every = _differing(self.words[:, : self.count], signs)
        return every if rows is None else every[rows]


def _differing(words: Words, signs: Words) -> Distances:
    counted: Distances = np.bitwise_count(words ^ signs[:, None]).sum(axis=0, dtype=np.uint16)
    return counted
