"""Domain values as SQLite rows and back. Knows the columns; decides nothing."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from nightgarden.domain.graph import Cluster, Edge, EdgeKind, Tag
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory, Scope
from nightgarden.domain.ports import Counts
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.searchable import indexed_terms
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.domain.text import dedupe_key
from nightgarden.domain.time import read_moment, write_moment
from nightgarden.store.sqlfile import load_queries, take_in

_RAW = load_queries("nightgarden.store.sqlite", "queries.sql")
Q = {name: take_in(sql, _RAW) for name, sql in _RAW.items()}


def array(values: Iterable[Any] | None) -> str | None:
    """A list as the JSON array that the statements take; None leaves a filter open."""
    return None if values is None else json.dumps([str(v) if isinstance(v, Scope) else v for v in values])


_SURROGATE = re.compile("[\ud800-\udfff]")


def write_json(record: Any) -> str:
    """JSON that SQLite can hold: half a character, which has no UTF-8, is escaped."""
    text = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return json.dumps(record, separators=(",", ":")) if _SURROGATE.search(text) else text


def memory_record(memory: Memory) -> dict[str, Any]:
    """What is stored as JSON: everything but the counts of use, which have columns of their own."""
    record = to_record(memory)
    del record["access_count"], record["last_accessed_at"]
    return record


def read_memory(row: Sequence[Any]) -> Memory:
    """From the columns `record, access_count, last_accessed_at`."""
    record = json.loads(row[0])
    record["access_count"] = row[1]
    record["last_accessed_at"] = row[2]
    return from_record(Memory, record)


def memory_columns(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "scope": str(memory.scope),
        "category": memory.category.value,
        "status": memory.status.value,
        "tier": memory.tier.value,
        "provenance": memory.provenance.value,
        "session_id": memory.session_id,
        "created_at": write_moment(memory.created_at),
        "live": int(memory.live),
        "superseded": int(memory.superseded_by is not None),
        "flagged": int(bool(memory.flagged)),
        "triggers": int(bool(memory.trigger_patterns or (memory.procedure and memory.procedure.trigger))),
        "dedupe_key": dedupe_key(memory.content),
        "access_count": memory.access_count,
        "last_accessed_at": write_moment(memory.last_accessed_at) if memory.last_accessed_at else None,
        "record": write_json(memory_record(memory)),
    }


def count_all(db: sqlite3.Connection, path: Path) -> Counts:
    """How much of everything there is."""

    def grouped(name: str) -> dict[str, int]:
        return dict(db.execute(Q[name]).fetchall())

    def count(table: str) -> int:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchone()[0])

    files = [path, path.with_name(path.name + "-wal")]
    return Counts(
        memories=grouped("count_by_status"),
        memories_by_category=grouped("count_by_category"),
        memories_by_scope=grouped("count_by_scope"),
        passages=count("passage"),
        sessions=count("session"),
        tags=count("tag"),
        clusters=count("cluster"),
        edges=count("edge") + count("memory_tag") + count("cluster_member"),
        journal_entries=count("journal"),
        vectors=grouped("count_vectors"),
        tombstones=count("tombstone"),
        bytes_on_disk=sum(file.stat().st_size for file in files if file.exists()),
    )


def item_columns(item: Memory | Passage) -> dict[str, Any]:
    """The searchable side of a memory or passage."""
    created = write_moment(item.created_at)
    terms = indexed_terms(item)
    columns = {
        "id": item.id,
        "kind": "passage",
        "scope": str(item.scope),
        "category": None,
        "created_at": created,
        "visible_from": "",  # from ever: another machine's clock may be ahead of ours
        "gone_at": None,
        "live": 1,
        "terms": terms,
        "length": terms.count(" ") + 1 if terms else 0,
    }
    if isinstance(item, Memory):
        ends = [write_moment(moment) for moment in (item.archived_at, item.valid_until) if moment]
        columns |= {
            "kind": "memory",
            "category": item.category.value,
            "visible_from": write_moment(item.valid_from) if item.valid_from else "",
            "gone_at": min(ends) if ends else None,
            "live": int(item.live),
        }
    return columns


def read_edge(row: Sequence[Any]) -> Edge:
    """From the columns `source, target, kind, weight, created_at, updated_at`."""
    return Edge(
        source=row[0],
        target=row[1],
        kind=EdgeKind(row[2]),
        weight=row[3],
        created_at=read_moment(row[4]),
        updated_at=read_moment(row[5]),
    )


def read_tag(row: Sequence[Any]) -> Tag:
    """From the columns `id, name, description, created_at, memory_count`."""
    return Tag(id=row[0], name=row[1], description=row[2], created_at=read_moment(row[3]), memory_count=row[4])


def read_cluster(row: Sequence[Any]) -> Cluster:
    return from_record(Cluster, json.loads(row[0]))


def read_passage(row: Sequence[Any]) -> Passage:
    return _read_passage(row[0])


@lru_cache(maxsize=4096)  # turns of one talk read the same passages again; by their text, so never stale
def _read_passage(text: str) -> Passage:
    return from_record(Passage, json.loads(text))


def session_record(session: Session) -> dict[str, Any]:
    record = to_record(session)
    del record["messages"]
    return record


def read_session(row: Sequence[Any], messages: tuple[Message, ...] = ()) -> Session:
    return from_record(Session, json.loads(row[0]) | {"messages": [to_record(message) for message in messages]})


def entry_columns(entry: JournalEntry) -> dict[str, Any]:
    columns = to_record(entry)
    for side in ("before", "after"):
        columns[side] = write_json(columns[side]) if columns[side] is not None else None
    return columns


def read_entry(row: Sequence[Any]) -> JournalEntry:
    """From the journal's columns in their order."""
    return JournalEntry(
        id=row[0],
        at=read_moment(row[1]),
        actor=row[2],
        reason=row[3],
        cycle=row[4],
        subject_kind=row[5],
        subject_id=row[6],
        before=json.loads(row[7]) if row[7] is not None else None,
        after=json.loads(row[8]) if row[8] is not None else None,
    )


def insert(db: sqlite3.Connection, table: str, columns: dict[str, Any], *, or_ignore: bool = False) -> int:
    """Inserts one row; returns how many rows came of it."""
    names = ",".join(columns)
    marks = ",".join("?" * len(columns))
    verb = "INSERT OR IGNORE" if or_ignore else "INSERT"
    return db.execute(f"{verb} INTO {table} ({names}) VALUES ({marks})", tuple(columns.values())).rowcount


def update(db: sqlite3.Connection, table: str, columns: dict[str, Any], *, key: str) -> int:
    """Updates the row with this key; returns how many rows there were."""
    names = ",".join(f"{name} = ?" for name in columns if name != key)
    values = [value for name, value in columns.items() if name != key]
    return db.execute(f"UPDATE {table} SET {names} WHERE {key} = ?", (*values, columns[key])).rowcount
