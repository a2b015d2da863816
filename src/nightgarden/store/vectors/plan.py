"""How much to look at: when to group vectors into lists, into how many, and how many lists a search opens. Pure
arithmetic."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

# Below this a scan of everything takes about a millisecond and is exact; measured in docs/why/vector-index.md.
EXACT_ROWS = 10_000
# Rows that were never grouped lie in lists of this size, so that growing one copies 3 MB at most.
UNGROUPED_ROWS = 4_096
# A list whose removed rows pass this share is rewritten without them.
REMOVED_SHARE = 0.25
# Lists are found anew when the vectors have doubled or halved: the work is then a constant share of the writes that
# caused it.
REGROUP_FACTOR = 2.0
# Lists = 4·√rows. Measured: half as many scan more rows for the same recall, 1.6 times as many train three times
# longer.
LISTS_PER_ROOT = 4.0
# How many lists a search opens is measured on the vectors themselves when they are grouped: as many as hold this
# share of the true nearest ten of some of them. The floor keeps a lucky sample from promising too much for questions,
# which lie farther from what they ask for than stored vectors lie from each other; the ceiling bounds the time on
# vectors that do not cluster at all (about 4 ms of 384 components).
NEIGHBOURS_COVERED = 0.98
PROBES_MIN = 32
PROBED_ROWS_MAX = 32_000
# What opening a list, and picking a single row out of one, cost in rows scanned in a row (0.13 µs each). Estimates
# from profiles.
ROWS_PER_OPENING = 40
ROWS_PER_PICK = 18


def lists_wanted(rows: int) -> int:
    """How many lists to group so many vectors into; none when a scan of everything is fast enough."""
    return 0 if rows < EXACT_ROWS else int(LISTS_PER_ROOT * math.sqrt(rows))


def regrouping_is_due(rows: int, *, grouped_rows: int) -> bool:
    """`grouped_rows` is how many vectors there were when they were last grouped, 0 if they never were."""
    if not grouped_rows:
        return rows >= EXACT_ROWS
    return rows > grouped_rows * REGROUP_FACTOR or rows < grouped_rows / REGROUP_FACTOR


def probes_for_ranks(ranks: npt.NDArray[np.intp], *, lists: int, rows: int) -> int:
    """How many of the nearest lists to open, from how near (0 is nearest) the lists of true neighbours were."""
    covering = int(np.quantile(ranks, NEIGHBOURS_COVERED, method="higher")) + 1 if len(ranks) else 1
    affordable = PROBED_ROWS_MAX * lists // max(1, rows)
    return min(lists, max(PROBES_MIN, min(covering, affordable)))


def probes_for_share(probes: int, share: float, *, lists: int) -> int:
    """How many to open when only `share` of what they hold may be returned: what is wanted then lies farther out, so
    more, with the root of the scarcity (measured: recall stays level from all to one in a hundred)."""
    return lists if share <= 0 else min(lists, math.ceil(probes / math.sqrt(share)))


def picking_is_cheaper(allowed: int, *, probes: int, lists: int, rows: int) -> bool:
    """Whether scoring exactly the allowed rows, one by one, costs less than opening lists and filtering what is in
    them."""
    if not lists:
        return allowed * ROWS_PER_PICK < rows
    opened = probes_for_share(probes, allowed / max(1, rows), lists=lists)
    return allowed * ROWS_PER_PICK <= opened * (ROWS_PER_OPENING + rows / lists)
