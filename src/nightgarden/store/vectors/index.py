"""Nearest items by cosine, under one writer and many readers. Blocking: call it from worker threads.

A reader takes the present `Lists` once and works on them alone, so it waits for nobody and sees every write that was
finished before it began. Knows item numbers and vectors; what an item is, who may see it and where it is durable is
the store's business.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors import clusters, plan, snapshot
from nightgarden.store.vectors.codes import Codes, Floats, decode, encode, normalise
from nightgarden.store.vectors.lists import (
    ABSENT,
    Lists,
    ListsDraft,
    Places,
    find,
    no_lists,
    places_of,
)
from nightgarden.store.vectors.products import products
from nightgarden.store.vectors.regroup import regroup
from nightgarden.store.vectors.rows import Numbers, Rows
from nightgarden.store.vectors.scan import SETTLED_MAX, Allowed, merge, scan, settle

CATCH_UP_ITEMS = (
    256  # how many items written during a regrouping are moved over per turn of the writer's lock: milliseconds
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """An index from a file, and the stamp it was saved with. Whether the stamp is still true is the caller's to
    check."""

    index: VectorIndex
    generation: str


class VectorIndex:
    """Vectors by item number. Up to `plan.EXACT_ROWS` items, and whenever few are allowed, answers are exact."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._now = no_lists(dimension)
        self._places: Places = places_of(self._now)
        self._live = 0
        self._writing = threading.Lock()  # one writer at a time
        self._publishing = threading.Lock()  # held for microseconds: lists and places change together
        self._regrouping = threading.Lock()
        self._written_meanwhile: set[int] | None = None  # numbers changed while a regrouping is under way

    def __len__(self) -> int:
        return self._live

    @property
    def dimension(self) -> int:
        return self._dimension

    def put(self, numbers: npt.ArrayLike, vectors: npt.ArrayLike) -> None:
        """Inserts or replaces. Of equal numbers in one call the last counts. The next search finds them."""
        items = _item_numbers(numbers)
        rows = np.asarray(vectors, dtype=np.float32).reshape(-1, self._dimension)
        if len(rows) != len(items):
            raise ValueError(f"{len(items)} item numbers for {len(rows)} vectors: pass one vector for each number")
        if not len(items):
            return
        _, from_end = np.unique(items[::-1], return_index=True)
        kept = np.sort(len(items) - 1 - from_end)
        codes = encode(normalise(rows[kept]))
        with self._writing:
            draft = ListsDraft(self._now, self._places)
            replaced = draft.remove(items[kept])
            draft.add(items[kept], codes)
            self._publish(draft, self._live - replaced + len(kept), items[kept])

    def remove(self, numbers: npt.ArrayLike) -> None:
        """Takes items out; numbers that are not in are passed over."""
        items = np.unique(_item_numbers(numbers))
        with self._writing:
            draft = ListsDraft(self._now, self._places)
            removed = draft.remove(items)
            if removed:
                self._publish(draft, self._live - removed, items)

    def numbers(self) -> Numbers:
        """Every number that is in, ascending."""
        with self._publishing:
            return np.flatnonzero(self._places != ABSENT).astype(np.int64)

    def get(self, numbers: npt.ArrayLike) -> tuple[Numbers, Floats]:
        """The unit vectors of those numbers that are in, in the order asked, each component within 2⁻¹⁶ of the
        largest."""
        items = np.asarray(numbers, dtype=np.int64).reshape(-1)
        now, places = self._at(items)
        present = places != ABSENT
        return items[present], decode(now.codes(places[present]))

    def search(self, vector: npt.ArrayLike, limit: int, allowed: Allowed | None = None) -> tuple[Numbers, Floats]:
        """The `limit` nearest allowed items and their cosines, best first, ties by number. Fewer only if fewer are
        allowed."""
        query = normalise(np.asarray(vector, dtype=np.float32).reshape(1, self._dimension))[0]
        now = self._now
        if allowed is not None and not callable(allowed):
            count = int(np.count_nonzero(allowed))
            if plan.picking_is_cheaper(count, probes=now.probes, lists=len(now.centres), rows=self._live):
                picked = self._picked(np.flatnonzero(allowed))
                return settle(scan([picked], query, None), query, limit, settled_max=None)
        if not len(now.centres):
            return settle(scan(now.lists, query, allowed), query, limit, settled_max=None)
        return self._probe(now, query, limit, allowed)

    def maintain(self, stopping: Callable[[], bool] = clusters.never) -> bool:
        """Regroups if that is due; says whether it did. Seconds at 100,000 items, minutes at a million, in the caller's
        thread; searches and writes go on meanwhile. `stopping` is asked many times a second."""
        if not self._regrouping.acquire(blocking=False):
            return False
        try:
            with self._writing:
                if not plan.regrouping_is_due(self._live, grouped_rows=self._now.grouped_rows):
                    return False
                self._written_meanwhile = set()
                before = self._now
            lists = regroup(before, stopping)
            self._catch_up(lists, places_of(lists))
            return True
        except clusters.Stopped:
            return False
        finally:
            self._written_meanwhile = None
            self._regrouping.release()

    def save(self, path: Path, generation: str) -> None:
        """Writes a snapshot beside `path` and moves it there. It holds what was written before the call."""
        snapshot.write(path, self._now, generation)

    @staticmethod
    def load(path: Path, dimension: int) -> Loaded | None:
        """The index a snapshot holds, its vectors mapped from the file; None if there is none that can be trusted."""
        read = snapshot.read(path, dimension)
        if read is None:
            return None
        lists, generation = read
        index = VectorIndex(dimension)
        index._now, index._places, index._live = lists, places_of(lists), lists.live
        return Loaded(index=index, generation=generation)

    def _probe(self, now: Lists, query: Floats, limit: int, allowed: Allowed | None) -> tuple[Numbers, Floats]:
        """Opens the nearest lists; more of them the fewer of their rows are allowed, all of them before coming back
        short."""
        order = np.argsort(-products(now.centres, query), kind="stable").tolist()
        opened = now.probes
        scanned = scan([now.lists[owner] for owner in order[:opened]], query, allowed)
        wanted = opened
        if allowed is not None:
            share = len(scanned.eligible) / max(1, len(scanned.scores))
            wanted = plan.probes_for_share(opened, share, lists=len(order))
        while opened < len(order) and (opened < wanted or len(scanned.eligible) < limit):
            until = max(wanted, 2 * opened) if len(scanned.eligible) < limit else wanted
            more = [now.lists[owner] for owner in order[opened:until]]
            scanned = merge(scanned, scan(more, query, allowed))
            opened = until
        return settle(scanned, query, limit, settled_max=SETTLED_MAX)

    def _picked(self, items: Numbers) -> Rows:
        """A list of just these items, those of them that are in."""
        now, places = self._at(items)
        present = places != ABSENT
        return Rows.of(items[present], now.codes(places[present]))

    def _at(self, items: Numbers) -> tuple[Lists, Places]:
        """Lists and the places of these items in them, of one moment."""
        with self._publishing:
            return self._now, find(self._places, items)

    def _publish(self, draft: ListsDraft, live: int, changed: Numbers) -> None:
        lists = draft.finished()
        with self._publishing:
            self._places = draft.settle_places()
            self._now = lists
            self._live = live
        if self._written_meanwhile is not None:
            self._written_meanwhile.update(changed.tolist())

    def _catch_up(self, lists: Lists, places: Places) -> None:
        """Brings regrouped lists up to what was written meanwhile, a little at a time, then makes them the present
        ones."""
        while True:
            with self._writing:
                waiting = self._written_meanwhile or set()
                if not waiting:
                    with self._publishing:
                        self._now, self._places = lists, places
                    return
                some = np.array([waiting.pop() for _ in range(min(CATCH_UP_ITEMS, len(waiting)))], dtype=np.int64)
                draft = ListsDraft(lists, places)
                draft.remove(some)
                newest = self._picked(np.sort(some))
                draft.add(newest.numbers, Codes(high=newest.high, low=newest.low, step=newest.step))
                lists, places = draft.finished(), draft.settle_places()


def _item_numbers(numbers: npt.ArrayLike) -> Numbers:
    items = np.asarray(numbers, dtype=np.int64).reshape(-1)
    if len(items) and items.min() < 1:
        raise ValueError(f"item number {items.min()}: item numbers start at 1")
    return items
