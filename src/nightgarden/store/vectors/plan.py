"""How much to look at: when to group vectors into lists, into how many, and how many lists a search opens. Pure
arithmetic."""

from __future__ import annotations

import math

# Below this a scan of everything takes about a millisecond and is exact; measured in docs/why/vector-index.md.
EXACT_ROWS = 10_000
# Rows that were never grouped lie in lists of this size, so that growing one copies 3 MB at most.
UNGROUPED_ROWS = 4_096
# A list whose removed rows pass this share is rewritten without them.
REMOVED_SHARE = 0.25
# Lists are found anew when the vectors have doubled or halved: the work is then a constant share of the writes that
# caused it.
REGROUP_FACTOR = 2.0
LISTS_PER_ROOT = 4.0  # lists = 4·√rows: as many centres to compare as rows to scan, within a factor that measured flat
PROBES_PER_ROOT = 1.0
PROBES_MIN = 24
# Opening a list for a few of its rows costs about as much as scanning this many rows in a row.
ROWS_PER_OPENING = 16


def lists_wanted(rows: int) -> int:
    """How many lists to group so many vectors into; none when a scan of everything is fast enough."""
    return 0 if rows < EXACT_ROWS else int(LISTS_PER_ROOT * math.sqrt(rows))


def regrouping_is_due(rows: int, *, grouped_rows: int) -> bool:
    """`grouped_rows` is how many vectors there were when they were last grouped, 0 if they never were."""
    if not grouped_rows:
        return rows >= EXACT_ROWS
    return rows > grouped_rows * REGROUP_FACTOR or rows < grouped_rows / REGROUP_FACTOR


def probes(lists: int) -> int:
    """How many of the nearest lists an unfiltered search opens."""
    return min(lists, max(PROBES_MIN, round(PROBES_PER_ROOT * math.sqrt(lists))))


def probes_for_share(lists: int, share: float) -> int:
    """The same when only `share` of what the lists hold may be returned: what is wanted then lies farther out, so
    more are opened, with the root of the scarcity (measured: recall stays level from all to one in a hundred)."""
    return lists if share <= 0 else min(lists, math.ceil(probes(lists) / math.sqrt(share)))


def picking_is_cheaper(allowed: int, *, lists: int, rows: int) -> bool:
    """Whether scoring exactly the allowed rows, one by one, costs less than opening lists and filtering what is in
    them."""
    if not lists:
        return allowed * 2 < rows
    share = allowed / rows if rows else 0.0
    opened = probes_for_share(lists, share)
    return min(allowed, lists) * ROWS_PER_OPENING + allowed <= opened * (ROWS_PER_OPENING + rows / lists)
