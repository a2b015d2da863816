"""Erasing: purge leaves tombstones without content, and in the same transaction a note of what is still to be scrubbed;
retention hides passages and removes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from nightgarden.domain.erasing import Erasing, erasing, texts_of
from nightgarden.domain.memory import Memory
from nightgarden.domain.purging import UNFINISHED
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.said import Saying, saying, struck_message, struck_record
from nightgarden.domain.session import Passage
from nightgarden.store.postgres import documents
from nightgarden.store.postgres import sessions as sessions_of
from nightgarden.store.postgres.hidden import hide_again, show_passages
from nightgarden.store.postgres.rows import item_row, memory_record, read_json, read_memory, write_json
from nightgarden.store.postgres.statements import load_statements
from nightgarden.store.postgres.terms import Q as WRITE
from nightgarden.store.postgres.terms import Tally, by_column, reindex, remove_items

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("read.sql")


async def purge(connection: Connection, ids: Sequence[str], *, at: datetime) -> list[str]:
    """Erases memories, passages, tasks and whole sessions. Returns the ids that existed."""
    found = await Q["purgeable"].rows(connection, ids=list(dict.fromkeys(ids)))
    if not found:
        return []
    quoted = await _quoted(connection, found)
    await documents.erase(connection, quoted, at=at)
    await _strike_titles(connection, quoted)
    memories = [row["id"] for row in found if row["kind"] == "memory"]
    sessions = [row["id"] for row in found if row["kind"] == "session"]
    tombstones: list[dict[str, Any]] = [
        {"key": key, "kind": row["kind"], "purged_at": at}
        for row in found
        for key in (row["id"], row["dedupe_key"])
        if key is not None
    ]
    tags: set[str] = set()
    for row in await Q["memories_by_ids"].rows(connection, ids=memories) if memories else ():
        memory = read_memory(row)
        tags |= {f"tag:{name}" for name in memory.tags} | await _tags_in_entries(connection, memory.id)
        await _strike(connection, saying(memory), gone={*memories})
    if memories:
        await Q["blank_entries"].run(connection, ids=memories)
        await _leave_clusters(connection, memories)
    await _leave_messages(connection, [row["id"] for row in found if row["kind"] == "passage"])
    tally = Tally()
    said = [row["id"] for row in await Q["passages_of_sessions"].rows(connection, ids=sessions)] if sessions else []
    hidden = [row["id"] for row in await Q["hidden_passages"].rows(connection, ids=None)] if memories else []
    await remove_items(connection, [*(row["id"] for row in found), *said], tally)
    await show_passages(connection, hidden)
    if unused := [row["id"] for row in await Q["unused_tags"].rows(connection, ids=sorted(tags))] if tags else []:
        await Q["remove_tags"].run(connection, ids=unused)
        await Q["remove_entries_of"].run(connection, ids=unused)
    if sessions:
        await Q["remove_sessions"].run(connection, ids=sessions)
        await _remove_gaps(connection, [row["id"] for row in await Q["gaps_of"].rows(connection, ids=sessions)])
    await Q["write_tombstones"].run(connection, **by_column(tombstones))
    await tally.settle(connection)
    gone = [row["id"] for row in found]
    noted = await Q["get_state"].row(connection, key=UNFINISHED)
    left = list(dict.fromkeys((*(read_json(noted["value"]) if noted else ()), *gone)))
    await Q["put_state"].run(connection, key=UNFINISHED, value=write_json(left))
    return gone


async def _quoted(connection: Connection, found: Sequence[Mapping[str, Any]]) -> Erasing:
    """What documents may quote of these."""
    memory_ids, passage_ids, session_ids = (
        [row["id"] for row in found if row["kind"] == kind] for kind in ("memory", "passage", "session")
    )
    memories = [read_memory(row) for row in await Q["memories_by_ids"].rows(connection, ids=memory_ids)]
    passages = await Q["passages_by_ids"].rows(connection, ids=passage_ids)
    texts = [read_json(row["record"])["content"] for row in passages]
    for each in session_ids:
        session = await sessions_of.load_session(connection, each, messages=True)
        texts += texts_of(session) if session is not None else []
    return erasing([row["id"] for row in found], memories, texts)


async def _tags_in_entries(connection: Connection, memory_id: str) -> set[str]:
    rows = await Q["history"].rows(connection, subject_id=memory_id, cycle=None, limit=None)
    sides = [side for row in rows for side in (read_json(row["before"]), read_json(row["after"])) if side]
    return {f"tag:{name}" for side in sides for name in side.get("tags") or ()}


async def _strike(connection: Connection, sought: Saying, *, gone: set[str]) -> None:
    """Takes the sentences that say it out of messages, passages, gaps, and the contexts of other memories."""
    where = {"word": sought.word or "\u2400", "sessions": sorted(sought.sessions)}
    for row in await Q["messages_with"].rows(connection, **where):
        if record := struck_message(sought, read_json(row["record"]), row["session_id"], row["id"]):
            key = {"session_id": row["session_id"], "id": row["id"]}
            await Q["rewrite_message"].run(connection, **key, record=write_json(record))
    changed: list[Passage] = []
    for row in await Q["passages_with"].rows(connection, **where):
        passage = from_record(Passage, read_json(row["record"]))
        struck = sought.struck(passage.content, passage.session_id, passage.message_ids[0])
        if struck != passage.content:
            changed.append(replace(passage, content=struck))
    await _write_passages_again(connection, changed, reworded=True)
    for row in await Q["gaps"].rows(connection, include_closed=True):
        gap = read_json(row["record"])
        if sought.spans(gap["snippet"], gap["session_id"] or "", ""):
            await _remove_gaps(connection, [gap["id"]])
    for row in await Q["memories_of_sessions"].rows(connection, sessions=where["sessions"]):
        other = read_memory(row)
        if other.id not in gone and struck_record(sought, to_record(other), other.session_id or ""):
            await _strike_context(connection, other, sought)


async def _strike_titles(connection: Connection, quoted: Erasing) -> None:
    for row in await Q["all_sessions"].rows(connection):
        if record := quoted.struck_session(row["id"], read_json(row["record"])):
            await Q["rewrite_session"].run(connection, id=row["id"], record=write_json(record))


async def _remove_gaps(connection: Connection, ids: Sequence[str]) -> None:
    """A gap quotes what was said, and so does its history."""
    await Q["remove_gaps"].run(connection, ids=list(ids))
    await Q["remove_entries_of"].run(connection, ids=list(ids))


async def _strike_context(connection: Connection, other: Memory, sought: Saying) -> None:
    session_id = other.session_id or ""
    record = struck_record(sought, memory_record(other), session_id)
    await Q["rewrite_memory"].run(connection, id=other.id, record=write_json(record))
    for row in await Q["history"].rows(connection, subject_id=other.id, cycle=None, limit=None):
        sides: dict[str, Any] = {}
        for name in ("before", "after"):
            side = read_json(row[name])
            sides[name] = None if side is None else write_json(struck_record(sought, side, session_id) or side)
        await Q["rewrite_entry"].run(connection, id=row["id"], **sides)


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
    *("item", "tag", "memory", "passage", "session", "message", "posting", "item_vector", "cluster", "journal", "gap"),
    *("document", "state"),
)


async def scrub(connection: Connection) -> None:
    """Rewrites the tables without what was removed. Does not reach the server's own log and backups: these age out by
    the server's settings."""
    for table in _WORDED:
        await connection.execute(f"VACUUM FULL {table}")


async def archive_passages(
    connection: Connection, *, older_than: datetime | None, keep_at_most: int | None, at: datetime, cycle: str
) -> int:
    """Passages said before a moment are no longer found, nor the oldest beyond a number. They stay where they are."""
    rows = await Q["passages_to_archive"].rows(connection, older_than=older_than, keep=keep_at_most)
    old = [from_record(Passage, read_json(row["record"])) for row in rows]
    await _write_passages_again(connection, [replace(p, archived_at=at, archived_in=cycle) for p in old])
    return len(old)


async def restore_passages(connection: Connection, cycle: str) -> int:
    """Brings back what a cycle archived."""
    rows = await Q["passages_archived_in"].rows(connection, cycle=cycle)
    gone = [from_record(Passage, read_json(row["record"])) for row in rows]
    await _write_passages_again(connection, [replace(p, archived_at=None, archived_in=None) for p in gone])
    return len(gone)


async def _write_passages_again(connection: Connection, passages: Sequence[Passage], *, reworded: bool = False) -> None:
    """Passages that changed, with what search knows of them. Those that a memory hides stay hidden."""
    if not passages:
        return
    ids = [passage.id for passage in passages]
    await Q["rewrite_passage"].run_many(
        connection, [{"id": p.id, "record": write_json(to_record(p))} for p in passages]
    )
    numbers = {row["id"]: row for row in await WRITE["item_numbers"].rows(connection, ids=ids)}
    if reworded:
        tally = Tally()
        await reindex(connection, passages, tally)
        await WRITE["remove_vectors"].run(connection, numbers=[row["number"] for row in numbers.values()])
        await tally.settle(connection)
    else:
        rows = [item_row(passage, numbers[passage.id]["term_count"]) for passage in passages]
        await WRITE["update_item"].run_many(connection, rows)
    await hide_again(connection, ids)


async def empty(connection: Connection) -> None:
    """Takes everything out but the state."""
    await connection.execute(
        "TRUNCATE item, memory, passage, session, message, posting, term, vector_model, item_vector, tag, memory_tag,"
        " cluster, cluster_member, edge, journal, tombstone, gap, document,"
        " mind_call"
    )
    await connection.execute("UPDATE corpus SET items = 0, terms = 0")
