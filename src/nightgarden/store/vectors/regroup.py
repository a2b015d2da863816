"""Groups all vectors of some lists around new centres. Takes minutes for a million, so it works on a moment of the
lists that nobody changes, and can be asked to stop. Knows nothing of writers: what was written meanwhile is the
index's business."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from nightgarden.store.vectors import clusters, plan
from nightgarden.store.vectors.codes import Codes, Floats, decode
from nightgarden.store.vectors.lists import Lists, no_lists
from nightgarden.store.vectors.rows import Rows, room

ASKING = 128  # stored vectors whose neighbours say how many lists to open: 1,280 ranks place a 98th percentile well
NEIGHBOURS = 10


def regroup(lists: Lists, stopping: Callable[[], bool] = clusters.never) -> Lists:
    """The same items in lists of their own memory; `clusters.Stopped` if asked to stop."""
    sources = [rows.compacted() if rows.removed else rows for rows in lists.lists if rows.live]
    live = sum(rows.count for rows in sources)
    if not live:
        return no_lists(lists.centres.shape[1])
    wanted = plan.lists_wanted(live)
    if not wanted:
        return _ungrouped(sources)
    centres = clusters.train(_sample(sources, clusters.sample_size(wanted)), wanted, stopping)
    labels = [clusters.nearest(decode(_codes(rows)), centres, stopping) for rows in sources]
    grouped = _moved(sources, labels, centres, live)
    ranks = _ranks_of_neighbours(grouped, stopping)
    return replace(grouped, probes=plan.probes_for_ranks(ranks, lists=len(centres), rows=live))


def _ungrouped(sources: list[Rows]) -> Lists:
    dimension = sources[0].high.shape[1]
    merged = Rows.of(
        np.concatenate([rows.numbers[: rows.count] for rows in sources]),
        Codes(
            high=np.concatenate([rows.high[: rows.count] for rows in sources]),
            low=np.concatenate([rows.low[: rows.count] for rows in sources]),
            step=np.concatenate([rows.step[: rows.count] for rows in sources]),
        ),
    )
    cuts = range(0, merged.count, plan.UNGROUPED_ROWS)
    return Lists(
        centres=no_lists(dimension).centres,
        lists=tuple(_slice(merged, cut, min(cut + plan.UNGROUPED_ROWS, merged.count)) for cut in cuts),
    )


def _sample(sources: list[Rows], size: int) -> Floats:
    """Every so-manieth row, from all lists alike: spread evenly and the same each time."""
    live = sum(rows.count for rows in sources)
    chosen = np.unique(np.linspace(0, live - 1, num=min(size, live)).astype(np.intp))
    picked, start = [], 0
    for rows in sources:
        first, last = np.searchsorted(chosen, (start, start + rows.count))
        picked.append(decode(rows.codes(chosen[first:last] - start)))
        start += rows.count
    return np.concatenate(picked)


def _moved(sources: list[Rows], labels: list[clusters.Labels], centres: Floats, live: int) -> Lists:
    every = np.concatenate(labels)
    target = np.empty(live, dtype=np.intp)
    target[np.argsort(every, kind="stable")] = np.arange(live)
    dimension = centres.shape[1]
    whole = Rows.of(
        np.empty(live, dtype=np.int64),
        Codes(
            high=room((live, dimension), np.dtype(np.int8)),
            low=room((live, dimension), np.dtype(np.uint8)),
            step=np.empty(live, dtype=np.float32),
        ),
    )
    start = 0
    for rows in sources:
        there = target[start : start + rows.count]
        whole.high[there] = rows.high[: rows.count]
        whole.low[there] = rows.low[: rows.count]
        whole.step[there] = rows.step[: rows.count]
        whole.numbers[there] = rows.numbers[: rows.count]
        start += rows.count
    ends = np.cumsum(np.bincount(every, minlength=len(centres))).tolist()
    lists = tuple(_slice(whole, begin, end) for begin, end in zip([0, *ends], ends, strict=False))
    return Lists(centres=centres, lists=lists, grouped_rows=live)


def _ranks_of_neighbours(lists: Lists, stopping: Callable[[], bool]) -> npt.NDArray[np.intp]:
    """For some of the vectors: how many lists are nearer than the one that holds a neighbour, for each of their
    nearest."""
    filled = [(owner, rows) for owner, rows in enumerate(lists.lists) if rows.count]
    asking = _sample([rows for _, rows in filled], ASKING)
    best = np.full((len(asking), NEIGHBOURS + 1), -np.inf, dtype=np.float32)
    owners = np.zeros((len(asking), NEIGHBOURS + 1), dtype=np.intp)
    for owner, rows in filled:
        if stopping():
            raise clusters.Stopped
        scores = np.concatenate((best, asking @ decode(_codes(rows)).T), axis=1)
        from_here = np.full((len(asking), rows.count), owner, dtype=np.intp)
        kept = np.argpartition(-scores, NEIGHBOURS, axis=1)[:, : NEIGHBOURS + 1]
        best = np.take_along_axis(scores, kept, axis=1)
        owners = np.take_along_axis(np.concatenate((owners, from_here), axis=1), kept, axis=1)
    # The best of all is the vector itself, in the nearest list: it says nothing.
    neighbours = np.take_along_axis(owners, np.argsort(-best, axis=1)[:, 1:], axis=1)
    order = np.argsort(-(asking @ lists.centres.T), axis=1, kind="stable")
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, np.arange(order.shape[1])[None, :], axis=1)
    return np.take_along_axis(ranks, neighbours, axis=1).ravel()


def _slice(rows: Rows, begin: int, end: int) -> Rows:
    return Rows.of(
        rows.numbers[begin:end],
        Codes(high=rows.high[begin:end], low=rows.low[begin:end], step=rows.step[begin:end]),
    )


def _codes(rows: Rows) -> Codes:
    return Codes(high=rows.high[: rows.count], low=rows.low[: rows.count], step=rows.step[: rows.count])
