"""Counts, and the doctor of a PostgreSQL garden: compares what follows from the records with them, and rebuilds it.

Looks at what the program maintains. Damage below that, in the server's files, is for the server's own tools.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from nightgarden.domain.graph import Cluster, Tag
from nightgarden.domain.ids import IdMaker
from nightgarden.domain.journal import Change, Operation, Origin, Recorder
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Check, Counts
from nightgarden.domain.record import diff_nodes, from_record
from nightgarden.domain.session import Passage
from nightgarden.store.postgres import documents
from nightgarden.store.postgres.changes import write_entries
from nightgarden.store.postgres.nodes import link_tags
from nightgarden.store.postgres.rows import index_item, read_json, read_memory, tag_row
from nightgarden.store.postgres.statements import load_statements
from nightgarden.store.postgres.terms import Tally, by_column, reindex, remove_items

if TYPE_CHECKING:
    from asyncpg import Connection, Record

Q = load_statements("whole.sql")
WRITE = load_statements("write.sql")
_READ_ROWS = 500


async def count_all(connection: Connection) -> Counts:
    """How much of everything there is."""

    async def grouped(statement: str) -> dict[str, int]:
        return {row["name"]: row["count"] for row in await Q[statement].rows(connection)}

    plain = await Q["counts"].row(connection)
    assert plain is not None
    return Counts(
        memories=await grouped("count_by_status"),
        memories_by_category=await grouped("count_by_category"),
        memories_by_scope=await grouped("count_by_scope"),
        vectors=await grouped("count_vectors"),
        passages=plain["passages"],
        sessions=plain["sessions"],
        tags=plain["tags"],
        clusters=plain["clusters"],
        edges=plain["edges"],
        journal_entries=plain["journal_entries"],
        tombstones=plain["tombstones"],
        documents={row["name"]: row["count"] for row in await documents.Q["count_documents"].rows(connection)},
        bytes_on_disk=plain["bytes_on_disk"],
    )


async def check(connection: Connection, *, repair: bool) -> list[Check]:
    """One line per thing looked at; runs inside the caller's transaction. Terms come before the counts of terms."""
    if repair:
        await Q["lock_index"].run(connection)
    return [
        await _items(connection, repair),
        await _terms(connection, repair),
        await _counted_terms(connection, repair),
        await _journal(connection, repair),
        await _tags(connection, repair),
        await _clusters(connection, repair),
        await _documents(connection),
        await _counted(connection, repair, "graph", "edges to missing memories", "orphan_edges"),
        await _counted(connection, repair, "vectors", "vectors without an item", "orphan_vectors"),
        await _vector_sizes(connection, repair),
    ]


def _line(name: str, found: int, what: str, *, repaired: bool) -> Check:
    if not found:
        return Check(name=name, ok=True, detail=f"no {what}")
    if repaired:
        return Check(name=name, ok=True, detail=f"{found} {what}: repaired", repaired=True)
    return Check(name=name, ok=False, detail=f"{found} {what}")


async def _counted(connection: Connection, repair: bool, name: str, what: str, statement: str) -> Check:
    found = await Q[statement].value(connection)
    if found and repair:
        await Q[f"remove_{statement}"].run(connection)
    return _line(name, found, what, repaired=repair)


async def _items(connection: Connection, repair: bool) -> Check:
    orphans = [row["id"] for row in await Q["orphan_items"].rows(connection)]
    if orphans and repair:
        tally = Tally()
        await remove_items(connection, orphans, tally)
        await tally.settle(connection)
    return _line("items", len(orphans), "items that nothing stands behind", repaired=repair)


async def _terms(connection: Connection, repair: bool) -> Check:
    """Terms are made by the program; an older program made others."""
    stray = await Q["orphan_postings"].value(connection)
    if stray and repair:
        await Q["remove_orphan_postings"].run(connection)
    stale = []
    async for row in connection.cursor(Q["postings_in_order"].sql, prefetch=_READ_ROWS):
        if row["record"] is not None and not _agrees(row):
            stale.append(_item(row))
    if stale and repair:
        await reindex(connection, stale, Tally())  # the counts are made anew right after
    return _line("terms", len(stale) + bool(stray), "items indexed by other words than they hold", repaired=repair)


def _item(row: Record) -> Memory | Passage:
    record = read_json(row["record"])
    return from_record(Memory, record) if row["is_memory"] else from_record(Passage, record)


def _agrees(row: Record) -> bool:
    indexed = index_item(_item(row))
    kept = dict(zip(row["terms"] or (), row["frequencies"] or (), strict=True))
    lengths = [indexed.length] if indexed.frequencies else None
    return kept == indexed.frequencies and row["term_count"] == indexed.length and row["lengths"] == lengths


async def _counted_terms(connection: Connection, repair: bool) -> Check:
    wrong = await Q["miscounted_terms"].value(connection) + int(await Q["miscounted_corpus"].value(connection))
    if wrong and repair:
        await Q["clear_terms"].run(connection)
        await Q["recount_terms"].run(connection)
        await Q["recount_corpus"].run(connection)
    return _line("term counts", wrong, "terms whose count is wrong", repaired=repair)


async def _journal(connection: Connection, repair: bool) -> Check:
    """An import that was broken off can leave memories that no entry speaks of."""
    rows = await Q["memories_without_entry"].rows(connection)
    if rows and repair:
        maker, now = IdMaker(lambda: secrets.randbits(64)), datetime.now(UTC)
        origin = Origin(actor="doctor", operation=Operation.REPAIR, reason="found without a history")
        recorder = Recorder(origin, at=now, ids=maker)
        memories = [read_memory(row) for row in rows]
        entries = [recorder.record(Change(None, each), each, diff_nodes(None, each)) for each in memories]
        await write_entries(connection, entries)
    return _line("journal", len(rows), "memories without a history", repaired=repair)


async def _tags(connection: Connection, repair: bool) -> Check:
    wrong = []
    async for row in connection.cursor(Q["tags_in_graph"].sql, prefetch=_READ_ROWS):
        memory = from_record(Memory, read_json(row["record"]))
        if row["tag_ids"] != sorted(f"tag:{name}" for name in memory.tags):
            wrong.append(memory)
    if wrong and repair:
        named = {name: memory for memory in reversed(wrong) for name in memory.tags}
        tags = [Tag(id=f"tag:{name}", name=name, created_at=memory.created_at) for name, memory in named.items()]
        if tags:
            await WRITE["create_tags"].rows(connection, **by_column([tag_row(tag) for tag in tags]))
        await WRITE["unlink_tags"].run(connection, ids=[memory.id for memory in wrong])
        await link_tags(connection, wrong)
    return _line("tags", len(wrong), "memories whose tags and graph disagree", repaired=repair)


async def _clusters(connection: Connection, repair: bool) -> Check:
    wrong = []
    for row in await Q["members_in_graph"].rows(connection):
        cluster = from_record(Cluster, read_json(row["record"]))
        there = await WRITE["existing_memories"].rows(connection, ids=list(cluster.member_ids))
        if row["member_ids"] != sorted(each["id"] for each in there):
            wrong.append(cluster)
    if repair:
        for cluster in wrong:
            await WRITE["unlink_members"].run(connection, id=cluster.id)
            await Q["link_existing_members"].run(connection, id=cluster.id, members=list(cluster.member_ids))
    return _line("clusters", len(wrong), "clusters whose members and graph disagree", repaired=repair)


async def _documents(connection: Connection) -> Check:
    """One that cannot be read is left as it is: what it said is known to nobody else."""
    bad = []
    async for row in connection.cursor(documents.Q["all_documents"].sql, prefetch=_READ_ROWS):
        try:
            if documents.read_document(row).value is None:
                bad.append(f"{row['kind']}/{row['key']}")
        except (ValueError, RecursionError):
            bad.append(f"{row['kind']}/{row['key']}")
    detail = f"{len(bad)} documents cannot be read: {', '.join(bad[:5])}" if bad else "every document can be read"
    return Check(name="documents", ok=not bad, detail=detail)


async def _vector_sizes(connection: Connection, repair: bool) -> Check:
    wrong = len(await Q["missized_vectors"].rows(connection))
    if wrong and repair:
        await Q["remove_missized_vectors"].run(connection)
    return _line("vector sizes", wrong, "vectors of the wrong size", repaired=repair)
