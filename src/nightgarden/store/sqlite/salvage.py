"""Reading what can be read of a damaged file, row by row, and what the journal still knows of the rest.

SQLite stops at a damaged page. So each table is read from both ends, then by every key that one of its other indexes
still names. Rows are decoded one at a time: bytes that are no text, or no record, cost their own row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from nightgarden.domain.text import dedupe_key
from nightgarden.errors import CorruptGarden
from nightgarden.store.sqlite.damage import BAD_ROW
from nightgarden.store.sqlite.dump import TABLES, Table

Key = tuple[Any, ...]


@dataclass(slots=True)
class SalvagedRows:
    """The rows of one type: those that could be read, and the keys of those that could not."""

    records: list[dict[str, Any]] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    misplaced: list[str] = field(default_factory=list)  # records under a damaged key; they themselves are whole
    whole: bool = True  # no page of the table was damaged


def salvage(db: sqlite3.Connection, kind: str) -> SalvagedRows:
    """Every record of a type that can be read. `db` must give text that is none as bytes."""
    table, found = TABLES[kind], SalvagedRows()
    rows, found.whole = _rows(db, table)
    for key, row in rows.items():
        if row is None:
            found.damaged.append(shown_key(key))
            continue
        try:
            record = {"type": kind} | table.read(row)
        except (CorruptGarden, *BAD_ROW):
            found.damaged.append(shown_key(key))
            continue
        found.records.append(record)
        if table.key == ("id",) and record.get("id") != key[0]:
            found.misplaced.append(shown_key(key))
    return found


def _rows(db: sqlite3.Connection, table: Table) -> tuple[dict[Key, Any], bool]:
    """Rows by key, None for one whose key is known and that cannot be fetched; and whether all went well."""
    rows: dict[Key, Any] = {}
    width = len(table.key)
    for direction in ("ASC", "DESC"):
        order = ", ".join(f"{name} {direction}" for name in table.key)
        statement = f"SELECT {', '.join(table.key)}, {table.columns} FROM {table.source} ORDER BY {order}"
        for row in _until_damage(db, statement):
            if row is None:
                break
            rows[tuple(row[:width])] = row[width:]
        else:
            return rows, True
    for key in _keys_in_indexes(db, table):
        if key not in rows:
            rows[key] = _fetch(db, table, key)
    return rows, False


def _until_damage(db: sqlite3.Connection, statement: str, values: Iterable[Any] = ()) -> Iterator[Any]:
    """Rows up to the first damaged place, then None."""
    try:
        yield from db.execute(statement, tuple(values))
    except (sqlite3.Error, UnicodeDecodeError):
        yield None


def _keys_in_indexes(db: sqlite3.Connection, table: Table) -> Iterator[Key]:
    if " " in table.source:  # a join: what hangs on others is made again
        return
    names = [row[1] for row in _until_damage(db, f"PRAGMA index_list({table.source})") if row is not None]
    key = ", ".join(table.key)
    for name in names:
        for order in ("ASC", "DESC"):
            # Naming the index keeps SQLite from looking into the damaged table.
            statement = f'SELECT {key} FROM {table.source} INDEXED BY "{name}" ORDER BY {key} {order}'
            yield from (tuple(row) for row in _until_damage(db, statement) if row is not None)
    if table.source in ("memory", "passage"):
        for row in _until_damage(db, "SELECT id FROM item WHERE kind = ?", (table.source,)):
            if row is not None:
                yield tuple(row)


def _fetch(db: sqlite3.Connection, table: Table, key: Key) -> Any:
    where = " AND ".join(f"{name} = ?" for name in table.key)
    for row in _until_damage(db, f"SELECT {table.columns} FROM {table.source} WHERE {where}", key):
        return row
    return None


def shown_key(key: Key) -> str:
    """A key as it is told to the user."""
    parts = (part.decode("utf-8", "replace") if isinstance(part, bytes) else str(part) for part in key)
    return "/".join(parts)


def last_states(entries: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], dict[str, Any] | None]:
    """What the journal last knew of each node: all its fields, or None for one that was removed or purged. Entries of
    which the beginning is lost say too little and are left out."""
    states: dict[tuple[str, str], dict[str, Any] | None] = {}
    for entry in entries:
        key = (entry["subject_kind"], entry["subject_id"])
        before, after = entry["before"], entry["after"]
        if after is None:
            states[key] = None
        elif before is None:
            states[key] = dict(after)
        elif (known := states.get(key)) is not None:
            states[key] = known | after
    return states


def disputed(db: sqlite3.Connection, states: Mapping[tuple[str, str], dict[str, Any] | None]) -> dict[str, str]:
    """Memories that say something else than the journal, where the key of their text tells that the journal is right;
    by id, with what they said."""
    found = {}
    for row in _until_damage(db, "SELECT id, dedupe_key, record FROM memory"):
        if row is None or not isinstance(row[0], str):
            continue
        told = states.get(("memory", row[0]))
        if not told or not isinstance(told.get("content"), str):
            continue
        try:
            content = TABLES["memory"].read((row[2], 0, None))["content"]
        except (CorruptGarden, *BAD_ROW):
            continue
        if content != told["content"] and row[1] == dedupe_key(told["content"]) != dedupe_key(str(content)):
            found[row[0]] = str(content)
    return found
