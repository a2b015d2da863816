"""Scores the rows of some lists against a query and settles which are best. Knows codes and lists, not how they were
chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors.codes import Codes, Floats, approximate_scores, exact_scores, largest_error
from nightgarden.store.vectors.rows import NOBODY, Numbers, Positions, Rows

# Which item numbers may be returned: a mask indexed by number (beyond its end: none), or a function from numbers to a
# mask.
Allowed = npt.NDArray[np.bool_] | Callable[[Numbers], npt.NDArray[np.bool_]]

BLOCK_ROWS = 256  # as float32 that is 400 kB of 384 components: it stays in a core's second cache
SETTLED_FIRST_MIN = 32  # measured: the high bytes alone put the true ten among their best 32 almost always
SETTLED_MAX = 4_096  # an approximate search never settles more than this; an exact one has no bound


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Part:
    """Some rows of one list: those at `positions`, or all of them."""

    rows: Rows
    positions: Positions | None = None

    def __len__(self) -> int:
        return self.rows.count if self.positions is None else len(self.positions)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scanned:
    """Parts with the approximate scores of their rows, in one row of arrays; `eligible` are the positions that may be
    returned."""

    parts: Sequence[Part]
    starts: Positions  # where each part begins
    scores: Floats
    steps: Floats
    numbers: Numbers
    eligible: Positions


def scan(parts: Sequence[Part], query: Floats, allowed: Allowed | None) -> Scanned:
    sizes = np.fromiter((len(part) for part in parts), dtype=np.intp, count=len(parts))
    total = int(sizes.sum())
    numbers = np.empty(total, dtype=np.int64)
    steps = np.empty(total, dtype=np.float32)
    products = np.empty(total, dtype=np.float32)
    block = np.empty((min(BLOCK_ROWS, total), len(query)), dtype=np.float32)
    done = filled = 0  # rows scored, and rows waiting in the block

    def score_block() -> None:
        nonlocal done, filled
        np.dot(block[:filled], query, out=products[done : done + filled])
        done, filled = done + filled, 0

    for part in parts:
        rows, picked = part.rows, part.positions
        count = len(part)
        start = done + filled
        numbers[start : start + count] = rows.numbers[:count] if picked is None else rows.numbers[picked]
        steps[start : start + count] = rows.step[:count] if picked is None else rows.step[picked]
        high = rows.high[:count] if picked is None else rows.high[picked]
        taken = 0
        while taken < count:
            if filled == BLOCK_ROWS:
                score_block()
            more = min(count - taken, BLOCK_ROWS - filled)
            block[filled : filled + more] = high[taken : taken + more]
            taken, filled = taken + more, filled + more
    if filled:
        score_block()
    return Scanned(
        parts=parts,
        starts=np.cumsum(sizes) - sizes,
        scores=approximate_scores(products, steps, query),
        steps=steps,
        numbers=numbers,
        eligible=_eligible(numbers, allowed),
    )


def merge(first: Scanned, second: Scanned) -> Scanned:
    shift = len(first.scores)
    return Scanned(
        parts=[*first.parts, *second.parts],
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
    ordered = np.sort(positions)
    width = len(query)
    high = np.empty((len(ordered), width), dtype=np.int8)
    low = np.empty((len(ordered), width), dtype=np.uint8)
    owners = np.searchsorted(scanned.starts, ordered, side="right") - 1
    bounds = [*np.flatnonzero(np.diff(owners, prepend=-1)).tolist(), len(ordered)]
    for begin, end in pairwise(bounds):
        owner = int(owners[begin])
        part = scanned.parts[owner]
        within = ordered[begin:end] - scanned.starts[owner]
        rows = within if part.positions is None else part.positions[within]
        high[begin:end] = part.rows.high[rows]
        low[begin:end] = part.rows.low[rows]
    scores = exact_scores(Codes(high=high, low=low, step=scanned.steps[ordered]), query)
    return scores[np.searchsorted(ordered, positions)]
