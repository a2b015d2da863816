"""A garden as plain records in a fixed order, and back: for export, moving to another store, and checksums."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from nightgarden.domain.graph import Cluster, Edge, Tag
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.errors import BadInput, Conflict
from nightgarden.store.sqlite import changes, rows, sessions
from nightgarden.store.sqlite.rows import Q

_READ_ROWS = 500


def dump(db: sqlite3.Connection) -> Iterator[dict[str, Any]]:
    """Every row as a record with its `type`. The order is the order in which `load` can take them."""
    for kind in KINDS:
        yield from dump_kind(db, kind)


def dump_kind(db: sqlite3.Connection, kind: str) -> Iterator[dict[str, Any]]:
    """The records of one type, in the order of their keys."""
    statement, read = _DUMPED[kind]
    cursor = db.execute(statement)
    while found := cursor.fetchmany(_READ_ROWS):
        yield from ({"type": kind} | read(row) for row in found)


def _json(row: Sequence[Any]) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(row[0])
    return record


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


def _model(row: Sequence[Any]) -> dict[str, Any]:
    return {"id": row[0], "name": row[1], "dimension": row[2], "pooling": row[3]}


def _vector(row: Sequence[Any]) -> dict[str, Any]:
    return {"item_id": row[0], "model_id": row[1], "data": base64.b64encode(row[2]).decode("ascii")}


def _tombstone(row: Sequence[Any]) -> dict[str, Any]:
    return {"key": row[0], "kind": row[1], "purged_at": row[2]}


def _state(row: Sequence[Any]) -> dict[str, Any]:
    return {"key": row[0], "value": json.loads(row[1])}


_DUMPED: dict[str, tuple[str, Callable[[Sequence[Any]], dict[str, Any]]]] = {
    "session": ("SELECT record FROM session ORDER BY id", _json),
    "message": (
        "SELECT json_set(record, '$.session_id', session_id, '$.position', position) FROM message"
        " ORDER BY session_id, position",
        _json,
    ),
    "passage": ("SELECT record FROM passage ORDER BY id", _json),
    "tag": ("SELECT id, name, description, created_at, 0 FROM tag ORDER BY id", _tag),
    "memory": ("SELECT record, access_count, last_accessed_at FROM memory ORDER BY id", _memory),
    "edge": (
        "SELECT source, target, kind, weight, created_at, updated_at FROM edge ORDER BY source, kind, target",
        _edge,
    ),
    "cluster": ("SELECT record FROM cluster ORDER BY id", _json),
    "journal": (
        "SELECT id, at, actor, reason, cycle, subject_kind, subject_id, before, after FROM journal ORDER BY id",
        _entry,
    ),
    "model": ("SELECT id, name, dimension, pooling FROM model ORDER BY id", _model),
    "vector": (
        "SELECT i.id, v.model_id, v.data FROM vector v JOIN item i ON i.number = v.number ORDER BY i.id, v.model_id",
        _vector,
    ),
    "tombstone": ("SELECT key, kind, purged_at FROM tombstone ORDER BY key", _tombstone),
    "gap": ("SELECT record FROM gap ORDER BY id", _json),
    "state": ("SELECT key, value FROM state ORDER BY key", _state),
}
KINDS = tuple(_DUMPED)


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


def _load_one(db: sqlite3.Connection, kind: str, record: dict[str, Any]) -> None:
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
            text = rows.write_json({key: value for key, value in record.items() if key != "type"})
            db.execute(Q["put_gap"], {"id": record["id"], "closed_at": record.get("closed_at"), "record": text})
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
