"""Nearest items by cosine, under one writer and many readers. Blocking: call it from worker threads.

A search counts in how many signs every allowed vector differs from the query, and ranks the nearest few thousand by
their bytes. There is nothing to build and nothing to keep in shape. A reader takes the present blocks once and works
on them alone, so it waits for nobody and sees every write that was finished before it began. Knows item numbers and
vectors; what an item is, who may see it, where it is durable and its cosine to the last digit is the store's business.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors import snapshot
from nightgarden.store.vectors.blocks import NOBODY, Allowed, Block, Numbers, Positions
from nightgarden.store.vectors.codes import Floats, Words, encode, normalise, signs_of

# 800 kB of bits: they and what is counted of them stay in a core's second cache.
BLOCK_ROWS = 16_384
# A block whose removed rows pass this share is rewritten without them.
REMOVED_SHARE = 0.25
# How many are ranked by their bytes: measured in docs/why/vector-index.md.
RANKED_MIN = 2_000
RANKED_PER_WANTED = 24
RANKED_SHARE = 0.01
ABSENT = -1


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """An index from a file, and the stamp it was saved with. Whether the stamp is still true is the caller's to
    check."""

    index: VectorIndex
    generation: str


class VectorIndex:
    """Vectors by item number."""

    def __init__(self, dimension: int, blocks: tuple[Block, ...] = ()) -> None:
        self._dimension = dimension
        self._writing = threading.Lock()  # one writer at a time
        self._blocks: tuple[Block, ...] = ()
        self._places = np.full(1, ABSENT, dtype=np.int64)  # the writer's; by item number: block · BLOCK_ROWS + row
        self._publish(blocks)

    def __len__(self) -> int:
        return sum(block.count - block.removed for block in self._blocks)

    def put(self, numbers: npt.ArrayLike, vectors: npt.ArrayLike) -> None:
        """Inserts or replaces. Of equal numbers in one call the last counts. The next search finds them."""
        items = _item_numbers(numbers)
        rows = np.asarray(vectors, dtype=np.float32).reshape(-1, self._dimension)
        if len(rows) != len(items):
            raise ValueError(f"{len(items)} item numbers for {len(rows)} vectors: pass one vector for each number")
        _, from_end = np.unique(items[::-1], return_index=True)
        kept = np.sort(len(items) - 1 - from_end)
        items, rows = items[kept], rows[kept]
        with self._writing:
            blocks = self._without(items)
            start = 0
            while start < len(items):
                if not blocks or not blocks[-1].room:
                    blocks.append(Block.empty(self._dimension, BLOCK_ROWS))
                some = slice(start, start + blocks[-1].room)
                blocks[-1] = blocks[-1].append(items[some], encode(normalise(rows[some])))
                start = some.stop
            self._publish(blocks)

    def remove(self, numbers: npt.ArrayLike) -> None:
        """Takes items out; numbers that are not in are passed over."""
        items = np.unique(_item_numbers(numbers))
        with self._writing:
            self._publish(self._without(items), gone=items)

    def numbers(self) -> Numbers:
        """Every number that is in, ascending."""
        found = [np.empty(0, dtype=np.int64), *(block.numbers[: block.count] for block in self._blocks)]
        numbers = np.sort(np.concatenate(found))
        return numbers[np.searchsorted(numbers, NOBODY, side="right") :]

    def search(self, vector: npt.ArrayLike, limit: int, allowed: Allowed | None = None) -> tuple[Numbers, Floats]:
        """The `limit` nearest allowed items and their cosines to three digits, best first, ties by number. Fewer only
        if fewer are allowed."""
        query = normalise(np.asarray(vector, dtype=np.float32).reshape(1, self._dimension))[0]
        mask = None if allowed is None else _framed(allowed)
        blocks = [block for block in self._blocks if block.count]
        eligible = [block.eligible(mask) for block in blocks]
        sizes = [block.count if rows is None else len(rows) for block, rows in zip(blocks, eligible, strict=True)]
        ranked = max(RANKED_MIN, RANKED_PER_WANTED * limit, int(RANKED_SHARE * sum(sizes)))
        if limit > 0 and sum(sizes) > ranked:
            eligible = _nearest(blocks, eligible, sizes, signs_of(query[None, :])[0], ranked)
        return _ranked(blocks, eligible, query, limit)

    def save(self, path: Path, generation: str) -> None:
        """Writes a snapshot beside `path` and moves it there. It holds what was written before the call."""
        snapshot.write(path, self._blocks, self._dimension, generation)

    @staticmethod
    def load(path: Path, dimension: int) -> Loaded | None:
        """The index a snapshot holds, its bytes mapped from the file; None if there is none that can be trusted."""
        read = snapshot.read(path, dimension, rows_max=BLOCK_ROWS)
        return None if read is None else Loaded(index=VectorIndex(dimension, read[0]), generation=read[1])

    def _without(self, items: Numbers) -> list[Block]:
        """The blocks with these items taken out of them."""
        blocks = list(self._blocks)
        places = np.sort(self._places[items[items < len(self._places)]])
        places = places[np.searchsorted(places, ABSENT, side="right") :]
        owners = places // BLOCK_ROWS
        for owner in np.unique(owners).tolist():
            block = blocks[owner].without(places[owners == owner] % BLOCK_ROWS)
            # A block with room keeps it, so that writing and removing by turns makes no trail of empty blocks.
            rewritten = not block.room and block.removed > block.count * REMOVED_SHARE
            blocks[owner] = block.compacted() if rewritten else block
        return blocks

    def _publish(self, blocks: Sequence[Block], gone: Numbers | None = None) -> None:
        """Makes these the present blocks, and notes where their items lie."""
        known = self._blocks
        changed = [(owner, block) for owner, block in enumerate(blocks) if block not in known[owner : owner + 1]]
        largest = max((int(block.numbers[: block.count].max(initial=0)) for _, block in changed), default=0)
        places = self._places
        if largest >= len(places):
            places = np.full(largest + largest // 4 + 64, ABSENT, dtype=np.int64)
            places[: len(self._places)] = self._places
        if gone is not None:
            places[gone[gone < len(places)]] = ABSENT
        for owner, block in changed:
            places[block.numbers[: block.count]] = np.arange(owner * BLOCK_ROWS, owner * BLOCK_ROWS + block.count)
        places[NOBODY] = ABSENT
        self._places, self._blocks = places, tuple(blocks)


def _nearest(
    blocks: list[Block], eligible: list[Positions | None], sizes: list[int], signs: Words, count: int
) -> list[Positions | None]:
    """Of the eligible rows of each block those among the `count` that differ in the fewest signs; of equals the
    earlier."""
    distances = np.concatenate(
        [block.distances(signs, rows) for block, rows in zip(blocks, eligible, strict=True)], dtype=np.uint16
    )
    within = np.cumsum(np.bincount(distances))
    near = np.flatnonzero(distances <= np.searchsorted(within, count))
    near = np.sort(near[np.argsort(distances[near], kind="stable")[:count]])
    starts = np.cumsum([0, *sizes])
    parts = np.split(near, np.searchsorted(near, starts[1:-1]))
    found = (part - start for part, start in zip(parts, starts, strict=False))
    return [part if rows is None else rows[part] for part, rows in zip(found, eligible, strict=True)]


def _ranked(blocks: list[Block], rows: list[Positions | None], query: Floats, limit: int) -> tuple[Numbers, Floats]:
    """The best `limit` of these rows. Each is summed by itself, so equal vectors get equal scores wherever they lie."""
    numbers, scores = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.float32)]
    for block, some in zip(blocks, rows, strict=True):
        chosen = slice(0, block.count) if some is None else some
        numbers.append(block.numbers[chosen])
        scores.append(np.einsum("ij,j->i", block.levels[chosen].astype(np.float32), query) * block.steps[chosen])
    every, cosines = np.concatenate(numbers), np.concatenate(scores)
    best = np.lexsort((every, -cosines))[: max(0, limit)]
    return every[best], cosines[best]


def _framed(allowed: Allowed) -> Allowed:
    """The mask with False for nobody, and behind its end for whatever is numbered beyond."""
    framed = np.append(allowed, False) if len(allowed) else np.zeros(1, dtype=np.bool_)
    framed[NOBODY] = False
    return framed


def _item_numbers(numbers: npt.ArrayLike) -> Numbers:
    items = np.asarray(numbers, dtype=np.int64).reshape(-1)
    if len(items) and items.min() < 1:
        raise ValueError(f"item number {items.min()}: item numbers start at 1")
    return items
