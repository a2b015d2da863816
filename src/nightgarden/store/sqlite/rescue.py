"""Saving what can be read out of a damaged file into a new one. The damaged file is kept beside it."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from nightgarden.errors import NightgardenError
from nightgarden.store.sqlite import dump
from nightgarden.store.sqlite.connection import connect
from nightgarden.store.sqlite.migrate import migrate


def rescue(path: Path) -> str:
    """Copies every record that can be read into a sound file and puts it in place. Returns what was done, in words."""
    fresh = path.with_name(path.name + ".rescued")
    for leftover in (fresh, fresh.with_name(fresh.name + "-wal"), fresh.with_name(fresh.name + "-shm")):
        leftover.unlink(missing_ok=True)
    new = connect(fresh, read_only=False)
    migrate(new, fresh, now=datetime.now(UTC))
    saved = lost = 0
    try:
        old = connect(path, read_only=True)
    except sqlite3.DatabaseError:
        old = None
    if old is not None:
        saved, lost = _copy(old, new)
        old.close()
    new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    new.close()
    kept = path.with_name(path.name + ".damaged")
    for suffix in ("", "-wal", "-shm"):
        side = path.with_name(path.name + suffix)
        if side.exists():
            side.replace(kept.with_name(kept.name + suffix))
    fresh.replace(path)
    lost_words = f", {lost} could not be read" if lost else ""
    return f"{saved} records saved into a new file{lost_words}; the damaged one is kept as {kept}"


def _copy(old: sqlite3.Connection, new: sqlite3.Connection) -> tuple[int, int]:
    saved = lost = 0
    for kind in dump.KINDS:
        records = dump.dump_kind(old, kind)
        while True:
            try:
                record = next(records)
            except StopIteration:
                break
            except (sqlite3.DatabaseError, ValueError, KeyError):
                lost += 1
                break  # the rest of this table is behind a damaged page
            with suppress(sqlite3.DatabaseError, NightgardenError, ValueError, KeyError):
                new.execute("BEGIN")
                try:
                    dump.load(new, [record])
                    saved += 1
                finally:
                    new.execute("COMMIT")
                continue
            lost += 1
    return saved, lost
