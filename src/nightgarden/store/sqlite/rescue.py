"""Saving what can be read out of a damaged file into a new one; what cannot be read is rebuilt from the journal, which
holds every change in full. The damaged file is kept beside it."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nightgarden.domain.graph import Cluster, Tag
from nightgarden.domain.memory import Memory
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.session import Extraction, Session
from nightgarden.errors import CorruptGarden, NightgardenError
from nightgarden.store import private
from nightgarden.store.copies import list_backups
from nightgarden.store.sqlite import changes, dump, sessions, swap
from nightgarden.store.sqlite.carve import READ_BY, add_from_pages
from nightgarden.store.sqlite.connection import connect
from nightgarden.store.sqlite.damage import BAD_ROW, text_or_bytes
from nightgarden.store.sqlite.doctor import note_missing
from nightgarden.store.sqlite.migrate import migrate
from nightgarden.store.sqlite.salvage import SalvagedRows, disputed, last_states, salvage

_UNREADABLE = (sqlite3.Error, NightgardenError, *BAD_ROW)
_NAMED = 20  # ids of lost records that are named; more would hide the rest of the message
_REMADE = frozenset({"model", "vector"})  # made again from the texts


@dataclass(slots=True)
class Rescue:
    """What a repair did, by type of record."""

    saved: Counter[str] = field(default_factory=Counter)
    rebuilt: Counter[str] = field(default_factory=Counter)
    lost: dict[str, list[str]] = field(default_factory=dict)
    torn: list[str] = field(default_factory=list)  # types with damaged pages: what stood there is not known by name

    def lose(self, kind: str, key: str) -> None:
        self.lost.setdefault(kind, []).append(key)

    def words(self, kept: Path | None) -> str:
        said = [f"{sum(self.saved.values())} records saved into a new file"]
        if +self.rebuilt:
            said.append(f"rebuilt from what the journal and other records say: {_counts(self.rebuilt)}")
        for kind, keys in self.lost.items():
            more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
            said.append(f"{len(keys)} of type {kind} could not be read: {', '.join(keys[:_NAMED])}{more}")
        if self.torn:
            said.append(f"pages of {', '.join(self.torn)} were damaged, so more may be missing than is named here")
        if not self.lost and not self.torn:
            said.append("nothing was lost")
        if kept is not None:
            said.append(f"the damaged file is kept as {kept}" + (_NEEDED if self.lost or self.torn else ""))
        return "; ".join(said)


_NEEDED = (
    ": keep it until you have looked for what is missing, for it may still be needed. "
    "`nightgarden restore-backup --list` shows older copies"
)


def rescue(path: Path) -> str:
    """Copies every record that can be read into a sound file and puts it in place. Returns what was done, in words."""
    fresh = path.with_name(path.name + ".rescued")
    with swap.alone_with(path, "repair it"):
        swap.remove_database(fresh)
        private.make_file(fresh)
        new = connect(fresh, read_only=False)
        try:
            migrate(new, fresh, now=datetime.now(UTC))
            done = _copy(path, new)
            if not done.saved and (backups := list_backups(path)):
                raise CorruptGarden(
                    f"nothing in {path} can be read, and it was left as it is. The newest of {len(backups)} backups is "
                    f"{backups[0]}: put it back with `nightgarden restore-backup latest`"
                )
            new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            new.execute("PRAGMA journal_mode = DELETE")
        except BaseException:
            new.close()
            swap.remove_database(fresh)
            raise
        new.close()
        return done.words(swap.put(fresh, path, why="damaged"))


def _copy(path: Path, new: sqlite3.Connection) -> Rescue:
    done = Rescue()
    if not path.exists():
        done.lose("file", f"{path.name} is missing")
        return done
    old = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
    old.execute("PRAGMA writable_schema = ON")  # first: a file that was cut off is then read as far as it goes
    old.text_factory = text_or_bytes
    try:
        new.execute("BEGIN")
        found = {kind: salvage(old, kind) for kind in dump.TABLES}
        add_from_pages(found, path, new)
        if not any(each.records or each.whole for each in found.values()):
            done.lose("file", f"{path.name}: its table of contents is damaged")
        found["journal"].records.sort(key=lambda record: str(record["id"]))
        states = last_states(found["journal"].records)
        for each in disputed(old, states):
            _drop(found["memory"], each)
        for kind, each_found in found.items():
            _save(new, kind, each_found, states, done)
        done.rebuilt["journal"] += note_missing(new)
        new.execute("COMMIT")
    finally:
        old.close()
    return done


def _drop(found: SalvagedRows, memory_id: str) -> None:
    """A row that was changed by damage counts as one that cannot be read."""
    found.records = [record for record in found.records if record.get("id") != memory_id]
    found.damaged.append(memory_id)


def _save(
    new: sqlite3.Connection,
    kind: str,
    found: SalvagedRows,
    states: Mapping[tuple[str, str], dict[str, Any] | None],
    done: Rescue,
) -> None:
    for record in found.records:
        if _take(new, record, done):
            done.saved[kind] += 1
        else:
            found.damaged.append(_key_of(record))
    # An edge or a cluster goes with what it hangs on and leaves no trace in the journal, so these are rebuilt only
    # where their own table is damaged. A memory never goes without a word.
    wanted = [] if kind not in ("memory", "edge", "tag", "cluster") else _told(kind, states, found)
    for key, state in wanted:
        record = {"type": kind} | state
        if not dump.exists(new, record) and _take(new, record, done):
            done.rebuilt[kind] += 1
            found.damaged = [each for each in found.damaged if each not in (key, key.replace(">", "/"))]
    if kind not in _REMADE:
        done.torn += [] if found.whole else [kind]
        for key in dict.fromkeys(found.damaged):
            if not _there(new, kind, key):
                done.lose(kind, key)


def _told(
    kind: str, states: Mapping[tuple[str, str], dict[str, Any] | None], found: SalvagedRows
) -> list[tuple[str, dict[str, Any]]]:
    if kind != "memory" and found.whole and not found.damaged:
        return []
    return [(key[1], state) for key, state in states.items() if key[0] == kind and state is not None]


def _there(new: sqlite3.Connection, kind: str, key: str) -> bool:
    """Whether a record whose row was damaged came in after all, from its record or from the journal."""
    if kind not in ("memory", "passage", "session", "cluster", "tag"):
        return False
    return new.execute(f"SELECT 1 FROM {kind} WHERE id = ?", (key,)).fetchone() is not None


def _take(new: sqlite3.Connection, record: dict[str, Any], done: Rescue) -> bool:
    new.execute("SAVEPOINT record")
    try:
        if (cls := READ_BY.get(record["type"])) is not None:
            from_record(cls, record)
        _make_ground(new, record, done)
        dump.load(new, [record])
    except _UNREADABLE:
        new.execute("ROLLBACK TO record")
        return False
    finally:
        new.execute("RELEASE record")
    return True


def _make_ground(new: sqlite3.Connection, record: dict[str, Any], done: Rescue) -> None:
    """What a record stands on and that was lost is made again, as far as the record tells."""
    match record["type"]:
        case "message" | "passage":
            lost = Session(id=record["session_id"], title="recovered", extraction=Extraction.DONE)
            if not dump.exists(new, {"type": "session", "id": lost.id}):
                sessions.write_session(new, lost)
                done.rebuilt["session"] += 1
        case "memory":
            memory = from_record(Memory, record)
            for name in memory.tags:
                done.rebuilt["tag"] += changes.write_tag(
                    new, Tag(id=f"tag:{name}", name=name, created_at=memory.created_at)
                )
        case "cluster":
            cluster = from_record(Cluster, record)
            left = [m for m in cluster.member_ids if dump.exists(new, {"type": "memory", "id": m})]
            record |= to_record(cluster) | {"member_ids": left}


def _key_of(record: Mapping[str, Any]) -> str:
    if record["type"] == "document":
        return f"{record['kind']}/{record['key']}"
    return str(record.get("id") or record.get("key") or "/".join(str(record.get(n)) for n in ("source", "target")))


def _counts(found: Counter[str]) -> str:
    return ", ".join(f"{number} {kind}" for kind, number in sorted(found.items()) if number)
