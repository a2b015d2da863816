"""Groups all vectors of some lists around new centres. Takes minutes for a million, so it works on a moment of the
lists that nobody changes, and can be asked to stop. Knows nothing of writers: what was written meanwhile is the
index's business."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nightgarden.store.vectors import clusters, plan
from nightgarden.store.vectors.codes import Codes, Floats, decode
from nightgarden.store.vectors.lists import Lists, no_lists
from nightgarden.store.vectors.rows import Rows


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
    return _moved(sources, labels, centres, live)


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
            high=np.empty((live, dimension), dtype=np.int8),
            low=np.empty((live, dimension), dtype=np.uint8),
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


def _slice(rows: Rows, begin: int, end: int) -> Rows:
    return Rows.of(
        rows.numbers[begin:end],
        Codes(high=rows.high[begin:end], low=rows.low[begin:end], step=rows.step[begin:end]),
    )


def _codes(rows: Rows) -> Codes:
    return Codes(high=rows.high[: rows.count], low=rows.low[: rows.count], step=rows.step[: rows.count])
