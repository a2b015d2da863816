"""Passages that a forgotten memory hides: search does not find them as long as it is forgotten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nightgarden.domain.memory import Memory
from nightgarden.domain.record import from_record
from nightgarden.domain.session import Passage
from nightgarden.store.postgres.rows import item_row, read_json
from nightgarden.store.postgres.statements import load_statements

if TYPE_CHECKING:
    from asyncpg import Connection

READ = load_statements("read.sql")
WRITE = load_statements("write.sql")


async def follow_hidden(connection: Connection, before: Memory | None, after: Memory | None) -> None:
    """Hides what the memory hides now; what it no longer hides is found again, unless another memory hides it."""
    hidden = set(after.hides) if after is not None else set()
    if after is not None and hidden:
        at = after.archived_at or after.updated_at
        await READ["hide_passages"].run(connection, ids=sorted(hidden), at=at)
    if before is not None and set(before.hides) - hidden:
        await show_passages(connection, sorted(set(before.hides) - hidden))


async def show_passages(connection: Connection, ids: Sequence[str]) -> None:
    """Passages as their own records say, unless a forgotten memory hides them."""
    if not ids:
        return
    rows = await READ["passages_by_ids"].rows(connection, ids=list(ids))
    passages = [from_record(Passage, read_json(row["record"])) for row in rows]
    lengths = {row["id"]: row["term_count"] for row in await WRITE["item_numbers"].rows(connection, ids=list(ids))}
    await WRITE["update_item"].run_many(connection, [item_row(p, lengths[p.id]) for p in passages])
    await hide_again(connection, ids)


async def hide_again(connection: Connection, ids: Sequence[str]) -> None:
    for row in await READ["hidden_passages"].rows(connection, ids=list(ids)):
        await READ["hide_passages"].run(connection, ids=[row["id"]], at=row["at"])
