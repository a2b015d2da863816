"""Following the journal: what other processes do comes too, in the order of the entries' ids.

At least once, never silently less. Two writers on a server may commit in another order than they took their ids, so a
little of what lies before the last seen entry is looked at again each time, and what was given already is left out.
Whoever goes on from a cursor after a restart gets the changes of those last seconds again. Does not cover history that
an import brings along: its entries keep the ids they were made with.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from nightgarden.domain.ids import earlier_than, is_id
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.ports import Store
from nightgarden.errors import BadInput

OVERLAP_MS = 10_000  # from taking an id to committing it takes milliseconds; a stalled server takes longer
PAGE = 500
LOOK_SECONDS = 0.25  # one indexed read that finds nothing
REST_SECONDS_MAX = 1.0  # between two looks when nothing has happened for a while


async def follow(store: Store, after: str | None) -> AsyncIterator[JournalEntry]:
    """Every entry behind this one, then each new one when it comes; without an end. None: only what is new from now on;
    an empty text: from the beginning. Raises BadInput for what is no id of an entry."""
    if after and not is_id(after):
        raise BadInput(f"{after!r} is not the id of a journal entry; take the id of the last change you have seen")
    if after is None:
        newest = await store.newest_entries(limit=1)
        seen = {entry.id for entry in await _around(store, newest[0].id)} if newest else set()
        after = newest[0].id if newest else ""
    else:
        seen = set()
    rest = LOOK_SECONDS
    while True:
        page = [entry for entry in await _around(store, after) if entry.id not in seen]
        if not page:
            await asyncio.sleep(rest)
            rest = min(REST_SECONDS_MAX, rest * 1.5)
            continue
        rest = LOOK_SECONDS
        for entry in page:
            yield entry
        after = max(after, page[-1].id)
        floor = _floor(after)
        seen = {id for id in seen if id > floor} | {entry.id for entry in page if entry.id > floor}


async def _around(store: Store, after: str) -> list[JournalEntry]:
    """Entries behind this one, and those shortly before it. Pages until there is one that lies behind it."""
    found: list[JournalEntry] = []
    cursor = _floor(after)
    while page := await store.entries_after(cursor, limit=PAGE):
        found += page
        cursor = page[-1].id
        if cursor > after:
            break
    return found


def _floor(after: str) -> str:
    return earlier_than(after, OVERLAP_MS) if after else ""
