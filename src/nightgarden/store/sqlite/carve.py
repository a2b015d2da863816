"""Records of a damaged garden, read from its pages where SQLite cannot follow its tables any more."""

from __future__ import annotations

import mmap
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightgarden.domain.documents import Document
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, Tag
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory
from nightgarden.domain.mind_call import MindCall
from nightgarden.domain.record import from_record
from nightgarden.domain.session import Message, Passage, Session
from nightgarden.domain.time import read_moment
from nightgarden.errors import CorruptGarden
from nightgarden.store.sqlite.damage import BAD_ROW
from nightgarden.store.sqlite.dump import TABLES, Table
from nightgarden.store.sqlite.pages import Row, rows_of_pages
from nightgarden.store.sqlite.salvage import SalvagedRows, shown_key

READ_BY: dict[str, type] = {
    "session": Session,
    "message": Message,
    "passage": Passage,
    "tag": Tag,
    "memory": Memory,
    "edge": Edge,
    "cluster": Cluster,
    "journal": JournalEntry,
    "gap": Gap,
    "document": Document,
    "mind_call": MindCall,
}
_AFFINITY: dict[str, tuple[type, ...]] = {"TEXT": (str,), "INTEGER": (int,), "REAL": (float, int), "BLOB": (bytes,)}


@dataclass(frozen=True, slots=True)
class _Column:
    name: str
    kind: str
    needed: bool
    key: int  # its place in the key, or 0

    def takes(self, value: Any) -> bool:
        return not self.needed if value is None else isinstance(value, _AFFINITY.get(self.kind, (object,)))


def add_from_pages(found: Mapping[str, SalvagedRows], path: Path, layout: sqlite3.Connection) -> None:
    """Adds what stands in the file's pages to the tables of which SQLite could not read all. `layout` is a sound garden
    of this version; the damaged one was opened by this version, or is older by columns that were added since."""
    torn = {kind: each for kind, each in found.items() if not each.whole and " " not in TABLES[kind].source}
    if not torn or not path.stat().st_size:
        return
    columns = {kind: _stored_columns(layout, TABLES[kind]) for kind in torn}
    known = {kind: {_key(kind, record) for record in each.records} for kind, each in torn.items()}
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for row in rows_of_pages(data):
            for kind, record in _readings(row, columns):
                key = _key(kind, record)
                if key not in known[kind]:
                    known[kind].add(key)
                    torn[kind].records.append(record)
    for kind, each in torn.items():
        there = {shown_key(key) for key in known[kind]}
        each.damaged = [key for key in each.damaged if key not in there]


def _stored_columns(layout: sqlite3.Connection, table: Table) -> list[_Column]:
    """In the order in which a row holds them: the key comes first."""
    rows = layout.execute(f"PRAGMA table_info({table.source})").fetchall()
    columns = [_Column(name=row[1], kind=row[2], needed=bool(row[3]), key=row[5]) for row in rows]
    return sorted((each for each in columns if each.key), key=lambda each: each.key) + [
        each for each in columns if not each.key
    ]


def _readings(row: Row, columns: Mapping[str, list[_Column]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What a row can be: a record of each type whose columns it has, and that reads as one."""
    for kind, expected in columns.items():
        if len(row) != len(expected) or not all(each.takes(v) for each, v in zip(expected, row, strict=True)):
            continue
        named = dict(zip((each.name for each in expected), row, strict=True))
        try:
            yield kind, _record(kind, named)
        except (CorruptGarden, *BAD_ROW):
            continue


def _record(kind: str, named: Mapping[str, Any]) -> dict[str, Any]:
    table = TABLES[kind]
    record = {"type": kind} | table.read([int(c) if c.isdigit() else named[c] for c in table.columns.split(", ")])
    if "id" in named and record.get("id") != named["id"]:
        raise ValueError("another record")
    if (cls := READ_BY.get(kind)) is not None:
        from_record(cls, record)
    if kind == "tombstone":
        read_moment(named["purged_at"])
    return record


def _key(kind: str, record: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(record.get(name) for name in TABLES[kind].key)
