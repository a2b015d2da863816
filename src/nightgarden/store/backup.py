"""Backups of a SQLite garden: consistent copies in the data folder, the oldest beyond a number let go.

A PostgreSQL garden is backed up with the server's own tools or by `migrate-store` to a file; this module says so.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from nightgarden.domain.purging import UNFINISHED
from nightgarden.errors import BadInput, CorruptGarden, NewerGarden, NotFound
from nightgarden.store import private
from nightgarden.store.copies import list_backups
from nightgarden.store.sqlite import erase, swap
from nightgarden.store.sqlite.connection import connect
from nightgarden.store.sqlite.migrate import schema_version, steps


def prune_backups(garden: Path, *, keep: int) -> list[Path]:
    """Removes the oldest backups beyond `keep`; returns what was removed."""
    surplus = list_backups(garden)[keep:]
    for path in surplus:
        path.unlink(missing_ok=True)
    return surplus


def purge_in_backups(copies: Iterable[Path], ids: Sequence[str], *, at: datetime) -> list[Path]:
    """Erases items from every copy too, so that no restore brings them back. Returns the copies it could not read."""
    unreadable = []
    for path in copies:
        try:
            _purge_in(path, ids, at=at)
        except (sqlite3.Error, UnicodeDecodeError, ValueError, KeyError, TypeError, CorruptGarden):
            unreadable.append(path)
    return unreadable


def _purge_in(path: Path, ids: Sequence[str], *, at: datetime) -> None:
    db = connect(path, read_only=False)
    try:
        db.execute("BEGIN IMMEDIATE")
        erase.purge(db, ids, at=at)
        pending = erase.unfinished(db)
        db.execute("COMMIT")
        if pending:
            erase.scrub(db)
            db.execute("DELETE FROM state WHERE key = ?", (UNFINISHED,))
            db.execute("PRAGMA journal_mode = DELETE")
    finally:
        db.close()


def check_backup(path: Path) -> None:
    """Raises when the file is missing, damaged, no garden, or a garden of a newer program."""
    if not path.is_file():
        raise NotFound(f"there is no backup {path}; `nightgarden restore-backup --list` shows what there is")
    try:
        # Immutable: a backup is one whole file, and looking at it must leave no log beside it.
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as db:
            sound = db.execute("PRAGMA integrity_check(1)").fetchone()[0] == "ok"
            ours = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'journal'").fetchone()[0]
            version = schema_version(db)
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        raise CorruptGarden(f"{path} is damaged ({error}); choose another backup") from error
    if not sound:
        raise CorruptGarden(f"{path} is damaged; choose another backup")
    if not ours:
        raise BadInput(f"{path} is a database, but not a garden")
    if version > steps()[-1][0]:
        raise NewerGarden(f"{path} was written by a newer nightgarden; upgrade it with: pip install -U nightgarden")


def put_back(backup: Path, garden: Path) -> Path | None:
    """Puts a backup in the garden's place; what was there is kept beside it and returned. Broken off, either nothing
    has changed, or whoever opens the garden next goes on with it."""
    check_backup(backup)
    private.make_folder(garden.parent)
    incoming = garden.with_name(garden.name + ".incoming")
    with swap.alone_with(garden, "restore the backup"):
        with backup.open("rb") as source, private.open_new(incoming) as target:
            shutil.copyfileobj(source, target, 1 << 20)
            target.flush()
            os.fsync(target.fileno())
        return swap.put(incoming, garden, why="replaced")
