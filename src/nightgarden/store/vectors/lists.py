"""All lists of an index at one moment, and how the one writer prepares the next moment.

`Lists` is what readers hold: it never changes. `Draft` is the writer's: it takes rows out, puts rows in, and
remembers which lists it touched, so that the map from item number to place can follow. Knows nothing of threads,
files or when to regroup.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors import clusters, plan
from nightgarden.store.vectors.codes import Codes, Floats, decode
from nightgarden.store.vectors.rows import NOBODY, Numbers, Rows

Places = npt.NDArray[
    np.int64
]  # indexed by item number: list in the high 32 bits, row in the low; ABSENT if there is none
ABSENT = -1
ROW_BITS = 32
ROW_MASK = (1 << ROW_BITS) - 1


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lists:
    """One list per centre; or, while there are no centres, lists in the order of writing that every search reads
    through."""

    centres: Floats
    lists: tuple[Rows, ...]
    grouped_rows: int = 0  # how many vectors there were when the centres were found
    probes: int = 0  # how many of the nearest lists a search opens

    @property
    def live(self) -> int:
        return sum(rows.live for rows in self.lists)

    def codes(self, places: Places) -> Codes:
        """The rows at these places, copied one by one: they are mostly in lists of their own."""
        found = Codes(
            high=np.empty((len(places), self.centres.shape[1]), dtype=np.int8),
            low=np.empty((len(places), self.centres.shape[1]), dtype=np.uint8),
            step=np.empty(len(places), dtype=np.float32),
        )
        owners, within = (places >> ROW_BITS).tolist(), (places & ROW_MASK).tolist()
        for position, (owner, row) in enumerate(zip(owners, within, strict=True)):
            rows = self.lists[owner]
            found.high[position] = rows.high[row]
            found.low[position] = rows.low[row]
            found.step[position] = rows.step[row]
        return found


def no_lists(dimension: int) -> Lists:
    return Lists(centres=np.empty((0, dimension), dtype=np.float32), lists=())


def places_of(lists: Lists) -> Places:
    """Where every item is, from the lists alone."""
    sizes = np.fromiter((rows.count for rows in lists.lists), dtype=np.int64, count=len(lists.lists))
    if not sizes.sum():
        return np.full(1, ABSENT, dtype=np.int64)
    numbers = np.concatenate([rows.numbers[: rows.count] for rows in lists.lists])
    row = np.arange(len(numbers)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    places = np.full(int(numbers.max()) + 1, ABSENT, dtype=np.int64)
    places[numbers] = np.repeat(np.arange(len(sizes)), sizes) << ROW_BITS | row
    places[NOBODY] = ABSENT
    return places


def find(places: Places, numbers: Numbers) -> Places:
    """The places of these numbers, ABSENT for those that have none."""
    found = np.take(places, numbers, mode="clip")
    found[(numbers >= len(places)) | (numbers <= NOBODY)] = ABSENT
    return found


class ListsDraft:
    """The next moment of the lists. Reads `places`, and writes them only in `settle_places`."""

    def __init__(self, lists: Lists, places: Places) -> None:
        self._before = lists
        self._centres = lists.centres
        self._lists = list(lists.lists)
        self._places = places
        self._gone: list[Numbers] = []
        self._touched: set[int] = set()

    def remove(self, numbers: Numbers) -> int:
        """Takes these items out; those that are not in are passed over. Says how many were in. Comes before any
        `add`."""
        places = find(self._places, numbers)
        present = places != ABSENT
        gone = np.sort(places[present])
        owners = gone >> ROW_BITS
        for owner in np.unique(owners).tolist():
            rows = self._lists[owner].without((gone[owners == owner] & ROW_MASK).astype(np.intp))
            if rows.removed > rows.count * plan.REMOVED_SHARE:
                rows = rows.compacted()
            self._lists[owner] = rows
            self._touched.add(owner)
        self._gone.append(numbers[present])
        return len(gone)

    def add(self, numbers: Numbers, codes: Codes) -> None:
        """Puts items in that are not in."""
        if len(self._centres):
            labels = clusters.nearest(decode(codes), self._centres)
            order = np.argsort(labels, kind="stable")
            begins = np.flatnonzero(np.diff(labels[order], prepend=-1))
            for members in np.split(order, begins[1:]):
                self._append(int(labels[members[0]]), numbers, codes, members)
            return
        start = 0
        while start < len(numbers):
            if not self._lists or self._lists[-1].count >= plan.UNGROUPED_ROWS:
                self._lists.append(Rows.empty(codes.high.shape[1]))
            taken = min(len(numbers) - start, plan.UNGROUPED_ROWS - self._lists[-1].count)
            self._append(len(self._lists) - 1, numbers, codes, np.arange(start, start + taken))
            start += taken

    def finished(self) -> Lists:
        return replace(self._before, lists=tuple(self._lists))

    def settle_places(self) -> Places:
        """The places as they are in the finished lists: the same array brought up to date, or a longer one."""
        numbers = [self._lists[owner].numbers[: self._lists[owner].count] for owner in self._touched]
        largest = max((int(some.max()) for some in numbers if len(some)), default=0)
        places = self._places
        if largest >= len(places):
            places = np.full(largest + largest // 4 + 64, ABSENT, dtype=np.int64)
            places[: len(self._places)] = self._places
        for gone in self._gone:
            places[gone] = ABSENT
        for owner, some in zip(self._touched, numbers, strict=True):
            places[some] = owner << ROW_BITS | np.arange(len(some))
        places[NOBODY] = ABSENT
        return places

    def _append(self, owner: int, numbers: Numbers, codes: Codes, members: npt.NDArray[np.intp]) -> None:
        chosen = Codes(high=codes.high[members], low=codes.low[members], step=codes.step[members])
        self._lists[owner] = self._lists[owner].append(numbers[members], chosen)
        self._touched.add(owner)
