"""Vectors to measure with, and the true nearest ones of some queries. Made from a seed in pieces, so that a million
never lie in memory at once. Shaped like sentence embeddings (docs/why/vector-index.md says how near), like nothing, or
taken from real texts (`bench/text_vectors.py` embeds them)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

DIMENSION = 384
PIECE = 10_000
QUERIES = 300
NEAREST = 150  # what recall asks for; the first ten of them are counted by themselves
AREAS = 60
NEIGHBOURS = 20


def unit(rows: npt.NDArray[np.floating]) -> Floats:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


class Cases:
    """`clustered`: areas hold topics hold items, each level spread with a falling spectrum. `random`: a bare sphere.
    `texts`: embedded texts and questions; beyond their number, mixtures of neighbouring ones with a little noise."""

    def __init__(self, kind: str, size: int, texts: Path | None = None) -> None:
        self.kind, self.size = kind, size
        if texts is not None:
            with np.load(texts) as file:
                self._texts, self._asked = unit(file["texts"]), unit(file["questions"])
            self._near = _neighbours(self._texts)
        chance = np.random.default_rng(1)
        turn, _ = np.linalg.qr(chance.standard_normal((DIMENSION, DIMENSION)))
        self._spread = (np.exp(-np.arange(DIMENSION) / 160.0)[:, None] * turn).astype(np.float32)
        self._areas = self._level(chance, AREAS)
        self._topics = self._level(chance, max(20, size // 60))

    def _level(self, chance: np.random.Generator, count: int) -> Floats:
        return unit(chance.standard_normal((count, DIMENSION), dtype=np.float32) @ self._spread)

    def _items(self, seed: int, count: int, looseness: float) -> Floats:
        chance = np.random.default_rng((2, seed))
        if self.kind == "texts":
            return self._mixed(chance, seed, count)
        if self.kind == "random":
            return unit(chance.standard_normal((count, DIMENSION), dtype=np.float32))
        topics = chance.zipf(1.1, count) % len(self._topics)  # some are talked of far more than others
        places = 0.5 * self._areas[topics % AREAS] + 0.6 * self._topics[topics]
        return unit(places + looseness * self._level(chance, count))

    def _mixed(self, chance: np.random.Generator, start: int, count: int) -> Floats:
        real = self._texts[start : start + count]
        left = count - len(real)
        one = chance.integers(0, len(self._texts), left)
        other = self._near[one, chance.integers(0, NEIGHBOURS, left)]
        share = chance.uniform(0.2, 0.8, (left, 1))
        noise = 0.3 / np.sqrt(DIMENSION) * chance.standard_normal((left, DIMENSION))
        return np.concatenate((real, unit(share * self._texts[one] + (1 - share) * self._texts[other] + noise)))

    def pieces(self) -> Iterator[tuple[npt.NDArray[np.int64], Floats]]:
        for start in range(0, self.size, PIECE):
            count = min(PIECE, self.size - start)
            yield np.arange(start + 1, start + count + 1), self._items(start, count, 0.7)

    def queries(self) -> Floats:
        if self.kind == "texts":
            return self._asked[:QUERIES]
        return self._items(-1 % 2**32, QUERIES, 0.9)

    def nearest(self, queries: Floats, masks: list[npt.NDArray[np.bool_] | None]) -> list[npt.NDArray[np.int64]]:
        """For each mask the true nearest numbers of each query, best first, 0 where there are too few."""
        best = [np.full((len(queries), NEAREST), -2.0, dtype=np.float32) for _ in masks]
        found = [np.zeros((len(queries), NEAREST), dtype=np.int64) for _ in masks]
        for numbers, vectors in self.pieces():
            scores = queries @ vectors.T
            for position, mask in enumerate(masks):
                kept = slice(None) if mask is None else mask[numbers]
                every = np.concatenate((best[position], scores[:, kept]), axis=1)
                here = np.broadcast_to(numbers[kept], (len(queries), every.shape[1] - NEAREST))
                top = np.argpartition(-every, NEAREST - 1, axis=1)[:, :NEAREST]
                best[position] = np.take_along_axis(every, top, axis=1)
                names = np.concatenate((found[position], here), axis=1)
                found[position] = np.take_along_axis(names, top, axis=1)
        ranks = [np.argsort(-scores, axis=1, kind="stable") for scores in best]
        return [np.take_along_axis(names, rank, axis=1) for names, rank in zip(found, ranks, strict=True)]


def _neighbours(rows: Floats) -> npt.NDArray[np.intp]:
    found = [
        np.argpartition(-(rows[start : start + 1000] @ rows.T), NEIGHBOURS, axis=1)[:, 1 : NEIGHBOURS + 1]
        for start in range(0, len(rows), 1000)
    ]
    return np.concatenate(found)
