"""Which vectors lie nearest to which, for many at once. Pure: unit rows in, positions and cosines out.

Few are compared with all, in blocks. Many are grouped around centres first, and each group is compared with the groups
next to it; that finds nearly all near neighbours in time that grows little faster than their number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors.clusters import nearest as nearest_centre
from nightgarden.store.vectors.clusters import sample_size, train
from nightgarden.store.vectors.codes import Floats

Positions = npt.NDArray[np.int32]

EXACT_PRODUCTS = 2.5e8  # up to so many pairs everything is compared with everything: 15,000 × 15,000 in a few seconds
BLOCK_NUMBERS = 1 << 24  # cosines held at a time: 64 MB
CENTRES_MAX = 1024
GROUPS_LOOKED_AT = 24  # of 1,024; taste: how many neighbours it misses was not measured


@dataclass(frozen=True, slots=True)
class Near:
    """For each row asked about its nearest others, best first. Where there are too few, the position is -1."""

    rows: npt.NDArray[np.intp]
    positions: Positions
    cosines: Floats


def find_nearest(vectors: Floats, rows: npt.NDArray[np.intp], k: int) -> Near:
    """The `k` nearest other vectors of each of the rows."""
    k = max(0, min(k, len(vectors) - 1))
    if k == 0 or not len(rows):
        empty = np.full((len(rows), max(k, 1)), -1, np.int32)
        return Near(rows, empty, np.full(empty.shape, -1.0, np.float32))
    if float(len(rows)) * len(vectors) <= EXACT_PRODUCTS:
        return _against_all(vectors, rows, k)
    return _by_groups(vectors, rows, k)


def _against_all(vectors: Floats, rows: npt.NDArray[np.intp], k: int) -> Near:
    positions = np.empty((len(rows), k), np.int32)
    cosines = np.empty((len(rows), k), np.float32)
    height = max(1, BLOCK_NUMBERS // len(vectors))
    everything = np.arange(len(vectors), dtype=np.int32)
    for start in range(0, len(rows), height):
        block = rows[start : start + height]
        found = vectors[block] @ vectors.T
        found[np.arange(len(block)), block] = -2.0
        _keep_best(found, everything, k, positions[start : start + height], cosines[start : start + height])
    return Near(rows, positions, cosines)


def _by_groups(vectors: Floats, rows: npt.NDArray[np.intp], k: int) -> Near:
    centres_wanted = min(CENTRES_MAX, max(16, len(vectors) // 100))
    step = max(1, len(vectors) // sample_size(centres_wanted))
    centres = train(np.ascontiguousarray(vectors[::step]), centres_wanted)
    labels = nearest_centre(vectors, centres)
    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(len(centres) + 1))
    beside = np.argsort(-(centres @ centres.T), axis=1, kind="stable")[:, :GROUPS_LOOKED_AT]
    positions = np.full((len(rows), k), -1, np.int32)
    cosines = np.full((len(rows), k), -1.0, np.float32)
    place = np.full(len(vectors), -1, np.intp)
    place[rows] = np.arange(len(rows))
    for group in range(len(centres)):
        members = order[bounds[group] : bounds[group + 1]]
        members = members[place[members] >= 0]
        if not len(members):
            continue
        others = np.concatenate([order[bounds[near] : bounds[near + 1]] for near in beside[group]])
        width = min(k, len(others))
        found = vectors[members] @ vectors[others].T
        found[members[:, None] == others[None, :]] = -2.0
        best = np.empty((len(members), width), np.int32)
        scores = np.empty((len(members), width), np.float32)
        _keep_best(found, others.astype(np.int32), width, best, scores)
        positions[place[members], :width] = best
        cosines[place[members], :width] = scores
    positions[cosines < -1.5] = -1
    return Near(rows, positions, cosines)


def _keep_best(found: Floats, others: Positions, k: int, positions: Positions, cosines: Floats) -> None:
    """The k largest of each row, largest first, the earlier of equals."""
    best = np.argpartition(-found, min(k, found.shape[1] - 1), axis=1)[:, :k] if k < found.shape[1] else None
    if best is None:
        best = np.broadcast_to(np.arange(found.shape[1]), found.shape)
    scores = np.take_along_axis(found, best, axis=1)
    ranks = np.lexsort((others[best], -scores), axis=1)
    positions[:] = others[np.take_along_axis(best, ranks, axis=1)]
    cosines[:] = np.take_along_axis(scores, ranks, axis=1)
