"""Saving what can be read out of a damaged file into a new one. The damaged file is kept beside it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nightgarden.errors import GardenBusy, NightgardenError
from nightgarden.store.sqlite import dump
from nightgarden.store.sqlite.connection import connect
from nightgarden.store.sqlite.meaning import drop_snapshots
from nightgarden.store.sqlite.migrate import migrate

_SIDES = ("", "-wal", "-shm")
# What damaged bytes turn into on their way through SQLite, JSON and our values.
_UNREADABLE = (sqlite3.Error, NightgardenError, ValueError, KeyError, TypeError, AttributeError)


def rescue(path: Path) -> str:
    """Copies every record that can be read into a sound file and puts it in place. Returns what was done, in words."""
    must_be_closed(path, "repair it")
    fresh = path.with_name(path.name + ".rescued")
    for suffix in _SIDES:
        fresh.with_name(fresh.name + suffix).unlink(missing_ok=True)
    new = connect(fresh, read_only=False)
    try:
        migrate(new, fresh, now=datetime.now(UTC))
        saved, lost = _copy(path, new)
        new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        new.close()
    fresh.chmod(0o600)
    kept = set_aside(path, "damaged")
    fresh.replace(path)
    drop_snapshots(path)
    lost_words = f", {lost} could not be read" if lost else ""
    return f"{saved} records saved into a new file{lost_words}; the damaged one is kept as {kept}"


def must_be_closed(path: Path, then: str) -> None:
    """Leaving write-ahead mode takes the file for itself alone, so it fails while anybody has it open. A file too
    damaged to tell passes."""
    try:
        with closing(sqlite3.connect(path, timeout=0.5, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if "locked" in str(error):
            raise GardenBusy(f"{path} is in use by another process; stop it, then {then}") from error


def set_aside(path: Path, why: str) -> Path | None:
    """Renames a database with its log to a name that nothing has yet; None when there is none."""
    if not path.exists():
        return None
    names = (f"{path.name}.{why}", *(f"{path.name}.{why}-{number}" for number in range(2, 10_000)))
    kept = next(place for name in names if not (place := path.with_name(name)).exists())
    for suffix in reversed(_SIDES):  # the log first: without its file it is nothing, with another's it is damage
        side = path.with_name(path.name + suffix)
        if side.exists():
            side.replace(kept.with_name(kept.name + suffix))
    return kept


def _copy(path: Path, new: sqlite3.Connection) -> tuple[int, int]:
    saved = lost = 0
    try:
        old = connect(path, read_only=True)
    except (sqlite3.DatabaseError, UnicodeDecodeError):
        return 0, 0
    try:
        new.execute("BEGIN")
        for kind in dump.KINDS:
            records = _readable(old, kind)
            for record in records:
                saved_one = record is not None and _take(new, record)
                saved, lost = saved + saved_one, lost + (not saved_one)
        new.execute("COMMIT")
    finally:
        old.close()
    return saved, lost


def _readable(old: sqlite3.Connection, kind: str) -> Iterator[dict[str, Any] | None]:
    """The records of a type up to the first damaged place, and None for what lies behind it."""
    records = dump.dump_kind(old, kind)
    while True:
        try:
            yield next(records)
        except StopIteration:
            return
        except _UNREADABLE:
            yield None
            return


def _take(new: sqlite3.Connection, record: dict[str, Any]) -> bool:
    new.execute("SAVEPOINT record")
    try:
        dump.load(new, [record])
    except _UNREADABLE:
        new.execute("ROLLBACK TO record")
        return False
    finally:
        new.execute("RELEASE record")
    return True
