"""Domain values as SQLite rows and back. Knows the columns; decides nothing."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from nightgarden.domain import earlier
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, EdgeKind, Tag
from nightgarden.domain.journal import JournalEntry, Operation
from nightgarden.domain.memory import Memory, Scope
from nightgarden.domain.ports import Counts
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.searchable import indexed_terms, meaning_text
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.domain.text import dedupe_key
from nightgarden.domain.time import read_moment, write_moment
from nightgarden.store.sqlfile import load_queries, take_in
from nightgarden.store.sqlite.damage import BAD_ROW, corrupt

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
    try:
        record = json.loads(row[0])
        record["access_count"] = row[1]
        record["last_accessed_at"] = row[2]
        return from_record(Memory, record)
    except BAD_ROW as error:
        raise corrupt("memory", _key_in(row[0]), error) from error


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
        documents=grouped("count_documents"),
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
    if isinstance(item, Passage):
        gone = item.archived_at
        return columns | {"gone_at": write_moment(gone) if gone else None, "live": int(gone is None)}
    ends = [write_moment(moment) for moment in (item.archived_at, item.valid_until) if moment]
    return columns | {
        "kind": "memory",
        "category": item.category.value,
        "visible_from": write_moment(item.valid_from) if item.valid_from else "",
        "gone_at": min(ends) if ends else None,
        "live": int(item.live),
    }


def meaning_of(kind: str, text: str) -> str:
    """What is embedded of the record of a memory or passage."""
    record = json.loads(text)
    return meaning_text(from_record(Memory, record) if kind == "memory" else from_record(Passage, record))


def read_edge(row: Sequence[Any]) -> Edge:
    """From the columns `source, target, kind, weight, created_at, updated_at`."""
    try:
        return Edge(
            source=need_text(row[0]),
            target=need_text(row[1]),
            kind=EdgeKind(row[2]),
            weight=float(row[3]),
            created_at=read_moment(row[4]),
            updated_at=read_moment(row[5]),
        )
    except BAD_ROW as error:
        raise corrupt("edge", f"{row[0]}>{row[1]}", error) from error


def need_text(value: Any) -> str:
    """Text of a column that damage may have made something else."""
    if not isinstance(value, str):
        raise TypeError("not text")
    return value


def read_tag(row: Sequence[Any]) -> Tag:
    """From the columns `id, name, description, created_at, memory_count`."""
    try:
        return Tag(
            id=need_text(row[0]),
            name=need_text(row[1]),
            description=need_text(row[2]),
            created_at=read_moment(row[3]),
            memory_count=row[4],
        )
    except BAD_ROW as error:
        raise corrupt("tag", row[0], error) from error


def read_cluster(row: Sequence[Any]) -> Cluster:
    try:
        return from_record(Cluster, json.loads(row[0]))
    except BAD_ROW as error:
        raise corrupt("cluster", _key_in(row[0]), error) from error


def read_passage(row: Sequence[Any]) -> Passage:
    return _read_passage(row[0])


@lru_cache(maxsize=4096)  # turns of one talk read the same passages again; by their text, so never stale
def _read_passage(text: str) -> Passage:
    try:
        return from_record(Passage, json.loads(text))
    except BAD_ROW as error:
        raise corrupt("passage", _key_in(text), error) from error


_KEY = re.compile(r'"id":\s*"([^"\\]{1,64})"')


def _key_in(text: object) -> str:
    """The id in a record that cannot be read, as far as it can be made out."""
    plain = text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)
    found = _KEY.search(plain)
    return found[1] if found else "of unknown id"


def session_record(session: Session) -> dict[str, Any]:
    record = to_record(session)
    del record["messages"]
    return record


def read_session(row: Sequence[Any], messages: tuple[Message, ...] = ()) -> Session:
    try:
        session = from_record(Session, json.loads(row[0]) | {"messages": []})
    except BAD_ROW as error:
        raise corrupt("session", _key_in(row[0]), error) from error
    return replace(session, messages=messages)


def entry_columns(entry: JournalEntry) -> dict[str, Any]:
    columns = to_record(entry)
    for side in ("before", "after"):
        columns[side] = write_json(columns[side]) if columns[side] is not None else None
    return columns


def read_entry(row: Sequence[Any]) -> JournalEntry:
    """From the journal's columns in their order."""
    try:
        return JournalEntry(
            id=need_text(row[0]),
            at=read_moment(row[1]),
            actor=need_text(row[2]),
            reason=need_text(row[3]),
            cycle=row[4],
            subject_kind=need_text(row[5]),
            subject_id=need_text(row[6]),
            before=_side(row[7], row[5]),
            after=_side(row[8], row[5]),
            operation=Operation(row[9]) if row[9] is not None else None,
            action=need_text(row[10]),
            undoes=row[11],
        )
    except BAD_ROW as error:
        raise corrupt("journal entry", row[0], error) from error


def read_gap(row: Sequence[Any]) -> Gap:
    try:
        return from_record(Gap, json.loads(row[0]))
    except BAD_ROW as error:
        raise corrupt("gap", _key_in(row[0]), error) from error


def _side(text: Any, kind: Any) -> Mapping[str, Any] | None:
    if text is None:
        return None
    record = json.loads(text)
    if not isinstance(record, dict):
        raise TypeError("a record expected")
    return earlier.memory_record(record) if kind == "memory" else record


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
