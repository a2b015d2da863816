"""Erasing: purge leaves tombstones without content; retention takes passages away and leaves their sessions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from nightgarden.domain.schedule import STATE_PREFIX, state_key
from nightgarden.store.postgres.statements import load_statements
from nightgarden.store.postgres.terms import Tally, by_column, remove_items
from nightgarden.store.postgres.values import read_json, write_json

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("read.sql")


async def purge(connection: Connection, ids: Sequence[str], *, at: datetime) -> list[str]:
    """Erases memories, passages, tasks and whole sessions. Returns the ids that existed."""
    found = await Q["purgeable"].rows(connection, ids=list(dict.fromkeys(ids)), task_prefix=STATE_PREFIX)
    if not found:
        return []
    memories = [row["id"] for row in found if row["kind"] == "memory"]
    sessions = [row["id"] for row in found if row["kind"] == "session"]
    tombstones: list[dict[str, Any]] = [
        {"key": key, "kind": row["kind"], "purged_at": at}
        for row in found
        for key in (row["id"], row["dedupe_key"])
        if key is not None
    ]
    if memories:
        await Q["blank_entries"].run(connection, ids=memories)
        await _leave_clusters(connection, memories)
    await _leave_messages(connection, [row["id"] for row in found if row["kind"] == "passage"])
    tally = Tally()
    said = [row["id"] for row in await Q["passages_of_sessions"].rows(connection, ids=sessions)] if sessions else []
    await remove_items(connection, [*(row["id"] for row in found), *said], tally)
    if sessions:
        await Q["remove_sessions"].run(connection, ids=sessions)
        await Q["remove_gaps_of"].run(connection, ids=sessions)
        await Q["remove_scheduled_of"].run(connection, task_prefix=STATE_PREFIX, ids=sessions)
    if tasks := [state_key(row["id"]) for row in found if row["kind"] == "scheduled"]:
        await Q["remove_scheduled"].run(connection, keys=tasks)
    await Q["write_tombstones"].run(connection, **by_column(tombstones))
    await tally.settle(connection)
    return [row["id"] for row in found]


async def _leave_clusters(connection: Connection, memory_ids: Sequence[str]) -> None:
    """A cluster's record names its members; a purged one is struck from it."""
    gone = set(memory_ids)
    for row in await Q["clusters_of"].rows(connection, ids=list(memory_ids)):
        record = read_json(row["record"])
        record["member_ids"] = [member for member in record["member_ids"] if member not in gone]
        await Q["rewrite_cluster"].run(connection, id=row["id"], record=write_json(record))


async def _leave_messages(connection: Connection, passage_ids: Sequence[str]) -> None:
    """A passage is a verbatim piece of its message; purged, it is struck from there too. The message keeps its id."""
    for passage_id in passage_ids:
        for row in await Q["messages_of_passage"].rows(connection, id=passage_id):
            record, content = read_json(row["record"]), read_json(row["passage"])["content"]
            record["text"] = record["text"].replace(content, "") if content in record["text"] else ""
            await Q["rewrite_message"].run(
                connection, session_id=row["session_id"], id=row["id"], record=write_json(record)
            )


# Tables that hold words, or what was made of them.
_WORDED = (
    *("item", "memory", "passage", "session", "message", "posting", "item_vector", "cluster", "journal", "gap"),
    "state",
)


async def scrub(connection: Connection) -> None:
    """Rewrites the tables without what was removed. Does not reach the server's own log and backups: these age out by
    the server's settings."""
    for table in _WORDED:
        await connection.execute(f"VACUUM FULL {table}")


async def remove_passages(connection: Connection, *, older_than: datetime | None, keep_at_most: int | None) -> int:
    """Passages said before a moment go, and the oldest beyond a number."""
    rows = await Q["passages_to_retire"].rows(connection, older_than=older_than, keep=keep_at_most)
    tally = Tally()
    removed = await remove_items(connection, [row["id"] for row in rows], tally)
    await tally.settle(connection)
    return removed
