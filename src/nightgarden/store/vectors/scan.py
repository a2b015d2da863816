"""Scores the rows of some lists against a query and settles which are best. Knows codes and lists, not how they were
chosen."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors.codes import Codes, Floats, approximate_scores, exact_scores, largest_error
from nightgarden.store.vectors.products import rows_per_piece
from nightgarden.store.vectors.rows import NOBODY, Numbers, Positions, Rows

# Which item numbers may be returned: a mask indexed by number (beyond its end: none), or a function from numbers to a
# mask.
Allowed = npt.NDArray[np.bool_] | Callable[[Numbers], npt.NDArray[np.bool_]]

SETTLED_FIRST_MIN = 32  # measured: in 278 of 300 searches at 100,000 no other row had to be settled
SETTLED_MAX = 4_096  # an approximate search never settles more than this; an exact one has no bound

_own = threading.local()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scanned:
    """Lists with the approximate scores of their rows in one array; `eligible` are the positions that may be
    returned."""

    lists: Sequence[Rows]
    starts: Positions  # where each list begins
    scores: Floats
    steps: Floats
    numbers: Numbers
    eligible: Positions


def scan(lists: Sequence[Rows], query: Floats, allowed: Allowed | None) -> Scanned:
    lists = [rows for rows in lists if rows.count]
    if not lists:
        return _nothing()
    sizes = np.array([rows.count for rows in lists])
    numbers = np.concatenate([rows.numbers[: rows.count] for rows in lists])
    steps = np.concatenate([rows.step[: rows.count] for rows in lists])
    return Scanned(
        lists=lists,
        starts=np.cumsum(sizes) - sizes,
        scores=approximate_scores(_products(lists, query, len(numbers)), steps, query),
        steps=steps,
        numbers=numbers,
        eligible=_eligible(numbers, allowed),
    )


def _products(lists: Sequence[Rows], query: Floats, total: int) -> Floats:
    """Of each row's high bytes with the query. Rows of several lists are widened side by side and multiplied at
    once."""
    products = np.empty(total, dtype=np.float32)
    block = _block(len(query))
    height = len(block)
    done = filled = 0  # rows multiplied, and rows waiting in the block
    for rows in lists:
        taken = 0
        while taken < rows.count:
            more = min(rows.count - taken, height - filled)
            block[filled : filled + more] = rows.high[taken : taken + more]
            taken, filled = taken + more, filled + more
            if filled == height:
                np.dot(block, query, out=products[done : done + filled])
                done, filled = done + filled, 0
    np.dot(block[:filled], query, out=products[done:])
    return products


def _block(dimension: int) -> Floats:
    """A block of this thread's own, kept from search to search: fresh memory costs more than what is done in it."""
    block: Floats | None = getattr(_own, "block", None)
    if block is None or block.shape[1] != dimension:
        block = _own.block = np.empty((rows_per_piece(dimension), dimension), dtype=np.float32)
    return block


def _nothing() -> Scanned:
    none = np.empty(0, dtype=np.intp)
    floats = np.empty(0, dtype=np.float32)
    return Scanned(lists=(), starts=none, scores=floats, steps=floats, numbers=none.astype(np.int64), eligible=none)


def merge(first: Scanned, second: Scanned) -> Scanned:
    shift = len(first.scores)
    return Scanned(
        lists=[*first.lists, *second.lists],
        starts=np.concatenate((first.starts, second.starts + shift)),
        scores=np.concatenate((first.scores, second.scores)),
        steps=np.concatenate((first.steps, second.steps)),
        numbers=np.concatenate((first.numbers, second.numbers)),
        eligible=np.concatenate((first.eligible, second.eligible + shift)),
    )


def settle(scanned: Scanned, query: Floats, limit: int, *, settled_max: int | None) -> tuple[Numbers, Floats]:
    """The best `limit` by exact score, ties by number.

    The best by approximate score are scored exactly first; then all others that could still beat the last of them,
    given the largest error an approximate score can have (up to `settled_max`). Without that bound the answer is
    exact."""
    eligible = scanned.eligible
    if not len(eligible) or limit <= 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
    scores = scanned.scores[eligible]
    first = _top(scores, max(2 * limit, SETTLED_FIRST_MIN))
    exact = _exact(scanned, eligible[first], query)
    if len(first) < len(eligible):
        last = -np.partition(-exact, limit - 1)[limit - 1]
        contends = scores >= last - largest_error(scanned.steps, query)
        contends[first] = False
        others = np.flatnonzero(contends)
        if settled_max is not None and len(others) > settled_max:
            others = others[_top(scores[others], settled_max)]
        if len(others):
            exact = np.concatenate((exact, _exact(scanned, eligible[others], query)))
            first = np.concatenate((first, others))
    numbers = scanned.numbers[eligible[first]]
    best = np.lexsort((numbers, -exact))[:limit]
    return numbers[best], exact[best]


def _eligible(numbers: Numbers, allowed: Allowed | None) -> Positions:
    mask = numbers != NOBODY
    if callable(allowed):
        mask &= allowed(numbers)
    elif allowed is not None:
        mask &= numbers < len(allowed)
        mask &= np.take(allowed, numbers, mode="clip")
    return np.flatnonzero(mask)


def _top(scores: Floats, count: int) -> Positions:
    if count >= len(scores):
        return np.arange(len(scores))
    return np.argpartition(scores, len(scores) - count)[-count:]


def _exact(scanned: Scanned, positions: Positions, query: Floats) -> Floats:
    high = np.empty((len(positions), len(query)), dtype=np.int8)
    low = np.empty((len(positions), len(query)), dtype=np.uint8)
    owners = np.searchsorted(scanned.starts, positions, side="right") - 1
    within = positions - scanned.starts[owners]
    for owner in np.unique(owners).tolist():
        there = np.flatnonzero(owners == owner)
        rows = scanned.lists[owner]
        high[there] = rows.high[within[there]]
        low[there] = rows.low[within[there]]
    return exact_scores(Codes(high=high, low=low, step=scanned.steps[positions]), query)
