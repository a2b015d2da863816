"""A garden as plain records in a fixed order, and back: for export, moving to another store, and checksums."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any

import numpy as np

from nightgarden.domain.documents import Document
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, Tag
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory
from nightgarden.domain.mind_call import MindCall
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.domain.time import read_moment, write_moment
from nightgarden.errors import BadInput
from nightgarden.store.postgres import documents, ledger, nodes, sessions, vectors
from nightgarden.store.postgres.changes import write_entries
from nightgarden.store.postgres.rows import (
    edge_row,
    encode_vector,
    gap_row,
    read_edge,
    read_entry,
    read_json,
    read_tag,
    tag_row,
    write_json,
)
from nightgarden.store.postgres.statements import load_statements
from nightgarden.store.postgres.terms import Tally, by_column

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("whole.sql")
READ = load_statements("read.sql")
WRITE = load_statements("write.sql")
SEARCH = load_statements("search.sql")

Row = Mapping[str, Any]
Records = Sequence[dict[str, Any]]
_READ_ROWS = 500


def _json(row: Row) -> dict[str, Any]:
    record: dict[str, Any] = read_json(row["record"])
    return record


def _message(row: Row) -> dict[str, Any]:
    return _json(row) | {"session_id": row["session_id"], "position": row["position"]}


def _tag(row: Row) -> dict[str, Any]:
    record = to_record(read_tag(row))
    del record["memory_count"]
    return record


def _memory(row: Row) -> dict[str, Any]:
    used = row["last_accessed_at"]
    return _json(row) | {
        "access_count": row["access_count"],
        "last_accessed_at": None if used is None else write_moment(used),
    }


def _vector(row: Row) -> dict[str, Any]:
    data = np.asarray(row["embedding"], dtype="<f2").tobytes()
    return {"item_id": row["id"], "model_id": row["model_id"], "data": base64.b64encode(data).decode("ascii")}


def _tombstone(row: Row) -> dict[str, Any]:
    return {"key": row["key"], "kind": row["kind"], "purged_at": write_moment(row["purged_at"])}


def _state(row: Row) -> dict[str, Any]:
    return {"key": row["key"], "value": read_json(row["value"])}


# The order is the order in which `load` can take them.
_DUMPED: tuple[tuple[str, Callable[[Row], dict[str, Any]]], ...] = (
    ("session", _json),
    ("message", _message),
    ("passage", _json),
    ("tag", _tag),
    ("memory", _memory),
    ("edge", lambda row: to_record(read_edge(row))),
    ("cluster", _json),
    ("journal", lambda row: to_record(read_entry(row))),
    ("model", dict),
    ("vector", _vector),
    ("tombstone", _tombstone),
    ("gap", _json),
    ("document", lambda row: to_record(documents.read_document(row))),
    ("mind_call", _json),
    ("state", _state),
)


async def dump(connection: Connection) -> AsyncIterator[dict[str, Any]]:
    """Every row as a record with its `type`, on one snapshot."""
    async with connection.transaction(isolation="repeatable_read", readonly=True):
        for kind, read in _DUMPED:
            async for row in connection.cursor(Q[f"dump_{kind}"].sql, prefetch=_READ_ROWS):
                yield {"type": kind} | read(row)


async def load(connection: Connection, records: Records) -> None:
    """Takes records of `dump` as they are. What is there already is left alone."""
    tally = Tally()
    for kind, group in groupby(records, key=lambda record: str(record["type"])):
        if kind not in _LOADERS:
            raise BadInput(f"a record of unknown type {kind!r}; was it written by a newer nightgarden?")
        await _LOADERS[kind](connection, list(group), tally)
    await tally.settle(connection)


# By type: the table, and what names a row of it.
_KEYS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "session": ("session", ("id",)),
    "message": ("message", ("session_id", "id")),
    "passage": ("passage", ("id",)),
    "tag": ("tag", ("id",)),
    "memory": ("memory", ("id",)),
    "edge": ("edge", ("source", "kind", "target")),
    "cluster": ("cluster", ("id",)),
    "journal": ("journal", ("id",)),
    "model": ("vector_model", ("id",)),
    "vector": (Q["vector_keys"].sql, ("item_id", "model_id")),
    "tombstone": ("tombstone", ("key",)),
    "gap": ("gap", ("id",)),
    "document": ("document", ("kind", "key")),
    "mind_call": ("mind_call", ("id",)),
    "state": ("state", ("key",)),
}
_SLOTS = ("first", "second", "third")


async def existing(connection: Connection, records: Records) -> list[bool]:
    """For each record, whether one with its key is there already."""
    there = [False] * len(records)
    for kind in dict.fromkeys(str(record["type"]) for record in records):
        if kind not in _KEYS:
            raise BadInput(f"a record of unknown type {kind!r}; was it written by a newer nightgarden?")
        table, columns = _KEYS[kind]
        match = " AND ".join(f"t.{column} = k.{slot}" for column, slot in zip(columns, _SLOTS, strict=False))
        sql = Q["existing"].sql.replace("TABLE", table).replace("MATCH", match)
        places = [at for at, record in enumerate(records) if record["type"] == kind]
        keys = [[records[at][column] for at in places] for column in columns]
        keys += [[None] * len(places)] * (len(_SLOTS) - len(columns))
        for row in await connection.fetch(sql, *keys):
            there[places[row["place"] - 1]] = True
    return there


async def _load_sessions(connection: Connection, records: Records, _: Tally) -> None:
    rows = [sessions.session_row(from_record(Session, record)) for record in records]
    await READ["load_session"].run_many(connection, rows)


async def _load_messages(connection: Connection, records: Records, _: Tally) -> None:
    rows = [sessions.message_row(r["session_id"], r["position"], from_record(Message, r)) for r in records]
    await READ["insert_messages"].run(connection, **by_column(rows))


async def _load_passages(connection: Connection, records: Records, tally: Tally) -> None:
    await sessions.add_passages(connection, [from_record(Passage, record) for record in records], tally)


async def _load_tags(connection: Connection, records: Records, _: Tally) -> None:
    rows = [tag_row(from_record(Tag, record)) for record in records]
    await WRITE["create_tags"].rows(connection, **by_column(rows))


async def _load_memories(connection: Connection, records: Records, tally: Tally) -> None:
    ids = [record["id"] for record in records]
    known = {row["id"] for row in await Q["known_items"].rows(connection, ids=ids)}
    fresh = {record["id"]: from_record(Memory, record) for record in records if record["id"] not in known}
    await nodes.insert_memories(connection, list(fresh.values()), tally)


async def _load_edges(connection: Connection, records: Records, _: Tally) -> None:
    rows = [edge_row(from_record(Edge, record)) for record in records]
    await WRITE["load_edges"].run(connection, **by_column(rows))


async def _load_clusters(connection: Connection, records: Records, _: Tally) -> None:
    known = {row["id"] for row in await Q["known_clusters"].rows(connection, ids=[r["id"] for r in records])}
    for record in records:
        if record["id"] not in known:
            cluster = from_record(Cluster, record)
            await WRITE["load_cluster"].run(connection, **nodes.cluster_row(cluster))
            # a member may be gone by now
            await Q["link_existing_members"].run(connection, id=cluster.id, members=list(cluster.member_ids))


async def _load_journal(connection: Connection, records: Records, _: Tally) -> None:
    await write_entries(connection, [from_record(JournalEntry, record) for record in records])


async def _load_models(connection: Connection, records: Records, _: Tally) -> None:
    await SEARCH["write_model"].run_many(connection, records)


async def _load_vectors(connection: Connection, records: Records, _: Tally) -> None:
    unique = {(record["item_id"], record["model_id"]): record["data"] for record in records}
    await SEARCH["load_vectors"].run(
        connection,
        ids=[item for item, _ in unique],
        model_ids=[model for _, model in unique],
        embeddings=[encode_vector(np.frombuffer(base64.b64decode(data), dtype="<f2")) for data in unique.values()],
    )
    for model_id in sorted({record["model_id"] for record in records}):
        await vectors.index_when_many(connection, model_id)


async def _load_tombstones(connection: Connection, records: Records, _: Tally) -> None:
    rows = [{"key": r["key"], "kind": r["kind"], "purged_at": read_moment(r["purged_at"])} for r in records]
    await READ["write_tombstones"].run(connection, **by_column(rows))


async def _load_gaps(connection: Connection, records: Records, _: Tally) -> None:
    for record in records:
        await READ["load_gap"].run(connection, **gap_row(from_record(Gap, record)))


async def _load_documents(connection: Connection, records: Records, _: Tally) -> None:
    rows = [documents.document_row(from_record(Document, record)) for record in records]
    await documents.Q["create_document"].run_many(connection, rows)


async def _load_calls(connection: Connection, records: Records, _: Tally) -> None:
    there = await existing(connection, records)
    for record, known in zip(records, there, strict=True):
        if not known:
            await ledger.write_call(connection, from_record(MindCall, record))


async def _load_state(connection: Connection, records: Records, _: Tally) -> None:
    for record in records:
        await READ["load_state"].run(connection, key=record["key"], value=write_json(record["value"]))


_LOADERS: Mapping[str, Callable[[Connection, Records, Tally], Awaitable[None]]] = {
    "session": _load_sessions,
    "message": _load_messages,
    "passage": _load_passages,
    "tag": _load_tags,
    "memory": _load_memories,
    "edge": _load_edges,
    "cluster": _load_clusters,
    "journal": _load_journal,
    "model": _load_models,
    "vector": _load_vectors,
    "tombstone": _load_tombstones,
    "gap": _load_gaps,
    "document": _load_documents,
    "mind_call": _load_calls,
    "state": _load_state,
}
