"""A garden as plain records in a fixed order, and back: for export, moving to another store, and checksums."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from nightgarden.domain.documents import Document
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, Tag
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory
from nightgarden.domain.mind_call import MindCall
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.errors import BadInput, Conflict
from nightgarden.store.sqlite import changes, documents, ledger, rows, sessions
from nightgarden.store.sqlite.damage import Skipped
from nightgarden.store.sqlite.rows import Q, need_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Where the records of one type are kept: columns and key as SQL, and how a row of the columns is read."""

    columns: str
    source: str
    key: tuple[str, ...]
    read: Callable[[Sequence[Any]], dict[str, Any]]

    @property
    def in_order(self) -> str:
        return f"SELECT {self.columns} FROM {self.source} ORDER BY {', '.join(self.key)}"


def dump(db: sqlite3.Connection, skipped: Skipped) -> Iterator[dict[str, Any]]:
    """Every row as a record with its `type`. The order is the order in which `load` can take them. Rows that cannot be
    read are left out and counted."""
    for kind, table in TABLES.items():
        for record in skipped.read(kind, db.execute(table.in_order), table.read):
            yield {"type": kind} | record


def _json(row: Sequence[Any]) -> dict[str, Any]:
    record = json.loads(row[0])
    if not isinstance(record, dict):
        raise TypeError("a record expected")
    return record


def _message(row: Sequence[Any]) -> dict[str, Any]:
    return _json(row) | {"session_id": need_text(row[1]), "position": row[2]}


def _tag(row: Sequence[Any]) -> dict[str, Any]:
    record = to_record(rows.read_tag(row))
    del record["memory_count"]
    return record


def _memory(row: Sequence[Any]) -> dict[str, Any]:
    return _json(row) | {"access_count": row[1], "last_accessed_at": row[2]}


def _edge(row: Sequence[Any]) -> dict[str, Any]:
    return to_record(rows.read_edge(row))


def _entry(row: Sequence[Any]) -> dict[str, Any]:
    return to_record(rows.read_entry(row))


def _document(row: Sequence[Any]) -> dict[str, Any]:
    return to_record(documents.read_document(row))


def _model(row: Sequence[Any]) -> dict[str, Any]:
    return {"id": need_text(row[0]), "name": need_text(row[1]), "dimension": row[2], "pooling": need_text(row[3])}


def _vector(row: Sequence[Any]) -> dict[str, Any]:
    return {
        "item_id": need_text(row[0]),
        "model_id": need_text(row[1]),
        "data": base64.b64encode(row[2]).decode("ascii"),
    }


def _tombstone(row: Sequence[Any]) -> dict[str, Any]:
    return {"key": need_text(row[0]), "kind": need_text(row[1]), "purged_at": need_text(row[2])}


def _state(row: Sequence[Any]) -> dict[str, Any]:
    return {"key": need_text(row[0]), "value": json.loads(row[1])}


TABLES: dict[str, Table] = {
    "session": Table(columns="record", source="session", key=("id",), read=_json),
    "message": Table(
        columns="record, session_id, position",
        source="message",
        key=("session_id", "position"),
        read=_message,
    ),
    "passage": Table(columns="record", source="passage", key=("id",), read=_json),
    "tag": Table(columns="id, name, description, created_at, 0", source="tag", key=("id",), read=_tag),
    "memory": Table(columns="record, access_count, last_accessed_at", source="memory", key=("id",), read=_memory),
    "edge": Table(
        columns="source, target, kind, weight, created_at, updated_at",
        source="edge",
        key=("source", "kind", "target"),
        read=_edge,
    ),
    "cluster": Table(columns="record", source="cluster", key=("id",), read=_json),
    "journal": Table(
        columns="id, at, actor, reason, cycle, subject_kind, subject_id, before, after, operation, action, undoes",
        source="journal",
        key=("id",),
        read=_entry,
    ),
    "model": Table(columns="id, name, dimension, pooling", source="model", key=("id",), read=_model),
    "vector": Table(
        columns="i.id, v.model_id, v.data",
        source="vector v JOIN item i ON i.number = v.number",
        key=("i.id", "v.model_id"),
        read=_vector,
    ),
    "tombstone": Table(columns="key, kind, purged_at", source="tombstone", key=("key",), read=_tombstone),
    "gap": Table(columns="record", source="gap", key=("id",), read=_json),
    "document": Table(columns=documents.COLUMNS, source="document", key=("kind", "key"), read=_document),
    "mind_call": Table(columns="record", source="mind_call", key=("id",), read=_json),
    "state": Table(columns="key, value", source="state", key=("key",), read=_state),
}


_KEYS: dict[str, tuple[str, tuple[str, ...]]] = {  # by type: the statement that finds it, and its key
    "session": ("SELECT 1 FROM session WHERE id = ?", ("id",)),
    "message": ("SELECT 1 FROM message WHERE session_id = ? AND id = ?", ("session_id", "id")),
    "passage": ("SELECT 1 FROM passage WHERE id = ?", ("id",)),
    "tag": ("SELECT 1 FROM tag WHERE id = ?", ("id",)),
    "memory": ("SELECT 1 FROM memory WHERE id = ?", ("id",)),
    "edge": ("SELECT 1 FROM edge WHERE source = ? AND kind = ? AND target = ?", ("source", "kind", "target")),
    "cluster": ("SELECT 1 FROM cluster WHERE id = ?", ("id",)),
    "journal": ("SELECT 1 FROM journal WHERE id = ?", ("id",)),
    "model": ("SELECT 1 FROM model WHERE id = ?", ("id",)),
    "vector": (
        "SELECT 1 FROM vector v JOIN item i ON i.number = v.number WHERE i.id = ? AND v.model_id = ?",
        ("item_id", "model_id"),
    ),
    "tombstone": ("SELECT 1 FROM tombstone WHERE key = ?", ("key",)),
    "gap": ("SELECT 1 FROM gap WHERE id = ?", ("id",)),
    "document": ("SELECT 1 FROM document WHERE kind = ? AND key = ?", ("kind", "key")),
    "mind_call": ("SELECT 1 FROM mind_call WHERE id = ?", ("id",)),
    "state": ("SELECT 1 FROM state WHERE key = ?", ("key",)),
}


def exists(db: sqlite3.Connection, record: dict[str, Any]) -> bool:
    """Whether a record with this key is there already."""
    if record["type"] not in _KEYS:
        return False
    statement, key = _KEYS[record["type"]]
    return db.execute(statement, tuple(record.get(name) for name in key)).fetchone() is not None


def load(db: sqlite3.Connection, records: Sequence[dict[str, Any]]) -> None:
    """Takes records of `dump` as they are. What is there already is left alone."""
    for record in records:
        if not exists(db, record):
            _load_one(db, record["type"], record)


_EMPTIED = (
    *("cluster", "edge", "item", "tag", "session", "journal", "model", "tombstone", "gap", "document"),
    "mind_call",
)


def empty(db: sqlite3.Connection) -> None:
    """Takes everything out but the state; what hangs on a row goes with it."""
    for table in _EMPTIED:
        db.execute(f"DELETE FROM {table}")
    db.execute("DELETE FROM term WHERE items <= 0")  # words that stand nowhere any more


def _load_one(db: sqlite3.Connection, kind: str, record: dict[str, Any]) -> None:  # noqa: C901 - one case per table
    match kind:
        case "session":
            sessions.write_session(db, from_record(Session, record))
        case "message":
            columns = {"session_id": record["session_id"], "id": record["id"], "position": record["position"]}
            text = rows.write_json(to_record(from_record(Message, record)))
            db.execute(Q["write_message"], columns | {"record": text})
        case "passage":
            sessions.write_passage(db, from_record(Passage, record))
        case "tag":
            changes.write_tag(db, from_record(Tag, record))
        case "memory":
            _load_memory(db, from_record(Memory, record))
        case "edge":
            changes.write_edge(db, from_record(Edge, record))
        case "cluster":
            changes.write_cluster(db, from_record(Cluster, record))
        case "journal":
            changes.write_entry(db, from_record(JournalEntry, {"before": None, "after": None, "cycle": None} | record))
        case "model":
            db.execute(Q["write_model"], {key: record[key] for key in ("id", "name", "dimension", "pooling")})
        case "vector":
            blob = base64.b64decode(record["data"])
            db.execute(Q["write_vector"], (record["model_id"], blob, record["item_id"]))
        case "tombstone":
            db.execute(Q["write_tombstone"], {key: record[key] for key in ("key", "kind", "purged_at")})
        case "gap":
            changes.write_gap(db, from_record(Gap, record))
        case "document":
            documents.write_document(db, from_record(Document, record))
        case "mind_call":
            ledger.write_call(db, from_record(MindCall, record))
        case "state":
            db.execute(Q["put_state"], {"key": record["key"], "value": rows.write_json(record["value"])})
        case _:
            raise BadInput(f"a record of unknown type {kind!r}; was it written by a newer nightgarden?")


def _load_memory(db: sqlite3.Connection, memory: Memory) -> None:
    try:
        changes.insert_memory(db, memory)
    except sqlite3.IntegrityError as error:
        if "memory.scope, memory.dedupe_key" not in str(error):
            raise
        raise Conflict(f"a live memory in {memory.scope} says the same already") from error
