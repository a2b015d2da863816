"""Keeps the full-text index in step: an item row, its postings, and in how many items each term stands.

All calls run inside the caller's transaction. `Tally.settle` comes last in it, because it locks the rows of common
terms that other writers need too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from nightgarden.domain.memory import Memory
from nightgarden.domain.session import Passage
from nightgarden.store.postgres.rows import Indexed, index_item, item_row
from nightgarden.store.postgres.statements import load_statements

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("write.sql")
COPY_FROM_ROWS = 1000  # above this COPY is faster than arrays of parameters


def by_column(rows: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    """Rows turned into one list per column, as the statements take them."""
    return {name: [row[name] for row in rows] for name in rows[0]}


class Tally:
    """What one transaction changes in the counts of terms and items."""

    def __init__(self) -> None:
        self._terms: Counter[int] = Counter()
        self._items = 0
        self._length = 0

    def add(self, indexed: Indexed) -> None:
        self._terms.update(indexed.frequencies.keys())
        self._items += 1
        self._length += indexed.length

    def remove(self, terms: dict[int, int], items: int, length: int) -> None:
        self._terms.subtract(terms)
        self._items -= items
        self._length -= length

    async def settle(self, connection: Connection) -> None:
        changed = {term: by for term, by in self._terms.items() if by}
        if changed:
            await Q["count_terms"].run(connection, terms=list(changed), items=list(changed.values()))
        if self._items or self._length:
            await Q["count_corpus"].run(connection, items=self._items, terms=self._length)


async def add_items(connection: Connection, items: Sequence[Memory | Passage], tally: Tally) -> set[str]:
    """Makes items searchable by their words. Ids that are there already are left alone; returns the new ones."""
    if not items:
        return set()
    indexed = {item.id: index_item(item) for item in items}
    rows = [item_row(item, indexed[item.id].length) for item in items]
    numbers = {row["id"]: row["number"] for row in await Q["insert_items"].rows(connection, **by_column(rows))}
    await write_postings(connection, {number: indexed[each] for each, number in numbers.items()}, tally)
    return set(numbers)


async def write_postings(connection: Connection, indexed: dict[int, Indexed], tally: Tally) -> None:
    """Postings of items by their number."""
    postings = [
        (term, number, frequency, item.length)
        for number, item in indexed.items()
        for term, frequency in item.frequencies.items()
    ]
    columns = ("term", "item", "frequency", "item_length")
    if len(postings) >= COPY_FROM_ROWS:
        await connection.copy_records_to_table("posting", records=postings, columns=columns)
    elif postings:
        by_name = dict(zip(columns, map(list, zip(*postings, strict=True)), strict=True))
        await Q["insert_postings"].run(connection, **by_name)
    for item in indexed.values():
        tally.add(item)


async def remove_postings(connection: Connection, numbers: Sequence[int], length: int, tally: Tally) -> None:
    """`length` is the sum of the items' term counts."""
    if numbers:
        gone = await Q["remove_postings"].rows(connection, numbers=list(numbers))
        tally.remove({row["term"]: row["items"] for row in gone}, len(numbers), length)


async def remove_items(connection: Connection, ids: Sequence[str], tally: Tally) -> int:
    """Removes items with everything that hangs on them. Returns how many there were."""
    if not ids:
        return 0
    gone = await Q["remove_items"].rows(connection, ids=list(ids))
    await remove_postings(connection, [row["number"] for row in gone], sum(row["term_count"] for row in gone), tally)
    return len(gone)


async def reindex(connection: Connection, items: Sequence[Memory | Passage], tally: Tally) -> None:
    """Indexes items anew by what they say now."""
    if not items:
        return
    known = {row["id"]: row for row in await Q["item_numbers"].rows(connection, ids=[item.id for item in items])}
    await remove_postings(
        connection,
        [row["number"] for row in known.values()],
        sum(row["term_count"] for row in known.values()),
        tally,
    )
    indexed = {item.id: index_item(item) for item in items}
    await write_postings(connection, {known[each]["number"]: found for each, found in indexed.items()}, tally)
    rows = [item_row(item, indexed[item.id].length) for item in items]
    await Q["update_item"].run_many(connection, rows)
