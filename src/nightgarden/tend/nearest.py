"""Which vectors lie nearest to which, for many at once. Pure: unit rows in, positions and cosines out.

Few are compared with all, in blocks. Many are grouped around centres first, and each is compared with the members of
the groups it is nearest to; that finds nearly all near neighbours in time that grows little faster than their number.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors.codes import Floats
from nightgarden.tend.centres import find_centres, nearest_centres, sample_size

Positions = npt.NDArray[np.int32]

EXACT_PRODUCTS = 2.5e8  # up to so many pairs everything is compared with everything: 15,000 × 15,000 in a few seconds
BLOCK_NUMBERS = 1 << 24  # cosines held at a time: 64 MB
CENTRES_MAX = 1024
_NOBODY = -2.0  # below any cosine
GROUPS_LOOKED_AT = 16  # measured in docs/bench/tend.md: .98 of the nearest ten, all pairs at 0.95 and above


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
    """Each row is compared with the members of the groups whose centres lie nearest to it."""
    centres_wanted = min(CENTRES_MAX, max(16, len(vectors) // 100))
    step = max(1, len(vectors) // sample_size(centres_wanted))
    centres = find_centres(np.ascontiguousarray(vectors[::step]), centres_wanted)
    labels = nearest_centres(vectors, centres)
    order = np.argsort(labels, kind="stable").astype(np.int32)
    bounds = np.searchsorted(labels[order], np.arange(len(centres) + 1))
    asking, starts = _who_asks(vectors, rows, centres)
    positions = np.full((len(rows), k), -1, np.int32)
    cosines = np.full((len(rows), k), _NOBODY, np.float32)
    for group in range(len(centres)):
        members = order[bounds[group] : bounds[group + 1]]
        height = max(1, BLOCK_NUMBERS // max(1, len(members)))
        for start in range(starts[group], starts[group + 1] if len(members) else 0, height):
            places = asking[start : min(start + height, starts[group + 1])]
            found = vectors[rows[places]] @ vectors[members].T
            found[rows[places][:, None] == members[None, :]] = _NOBODY
            _take_better(found, members, places, positions, cosines)
    ranks = np.lexsort((positions, -cosines), axis=1)
    positions, cosines = np.take_along_axis(positions, ranks, axis=1), np.take_along_axis(cosines, ranks, axis=1)
    positions[cosines == _NOBODY] = -1
    cosines[cosines == _NOBODY] = -1.0
    return Near(rows, positions, cosines)


def _who_asks(
    vectors: Floats, rows: npt.NDArray[np.intp], centres: Floats
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Places in `rows` ordered by the group they look into, and where each group's begin."""
    looks = min(GROUPS_LOOKED_AT, len(centres))
    wanted = np.empty((len(rows), looks), np.intp)
    height = max(1, BLOCK_NUMBERS // len(centres))
    for start in range(0, len(rows), height):
        near = vectors[rows[start : start + height]] @ centres.T
        wanted[start : start + height] = np.argpartition(-near, looks - 1, axis=1)[:, :looks]
    by_group = np.argsort(wanted, axis=None, kind="stable")
    return by_group // looks, np.searchsorted(wanted.ravel()[by_group], np.arange(len(centres) + 1))


def _take_better(
    found: Floats, members: Positions, places: npt.NDArray[np.intp], positions: Positions, cosines: Floats
) -> None:
    """Keeps, of what was known and what was found, the best of each row; in no order."""
    scores = np.concatenate((cosines[places], found), axis=1)
    others = np.concatenate((positions[places], np.broadcast_to(members, found.shape)), axis=1)
    k = cosines.shape[1]
    best = np.argpartition(-scores, k - 1, axis=1)[:, :k]
    positions[places] = np.take_along_axis(others, best, axis=1)
    cosines[places] = np.take_along_axis(scores, best, axis=1)


def _keep_best(found: Floats, others: Positions, k: int, positions: Positions, cosines: Floats) -> None:
    """The k largest of each row, largest first, the earlier of equals."""
    best = np.argpartition(-found, min(k, found.shape[1] - 1), axis=1)[:, :k] if k < found.shape[1] else None
    if best is None:
        best = np.broadcast_to(np.arange(found.shape[1]), found.shape)
    scores = np.take_along_axis(found, best, axis=1)
    ranks = np.lexsort((others[best], -scores), axis=1)
    positions[:] = others[np.take_along_axis(best, ranks, axis=1)]
    cosines[:] = np.take_along_axis(scores, ranks, axis=1)
