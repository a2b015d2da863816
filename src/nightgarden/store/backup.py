"""Backups of a SQLite garden: consistent copies in the data folder, the oldest beyond a number let go.

A PostgreSQL garden is backed up with the server's own tools or by `migrate-store` to a file; this module says so.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from datetime import datetime
from pathlib import Path

from nightgarden.errors import BadInput, CorruptGarden, NewerGarden, NotFound
from nightgarden.store.sqlite import erase
from nightgarden.store.sqlite.connection import connect
from nightgarden.store.sqlite.meaning import drop_snapshots
from nightgarden.store.sqlite.migrate import schema_version, steps
from nightgarden.store.sqlite.rescue import must_be_closed, set_aside

_NAME = re.compile(r"garden-(\d{8}T\d{12})\.db")


def backup_name(at: datetime) -> str:
    return f"garden-{at:%Y%m%dT%H%M%S%f}.db"


def list_backups(folder: Path) -> list[Path]:
    """Newest first."""
    if not folder.is_dir():
        return []
    return sorted((path for path in folder.iterdir() if _NAME.fullmatch(path.name)), reverse=True)


def prune_backups(folder: Path, *, keep: int) -> list[Path]:
    """Removes the oldest backups beyond `keep`; returns what was removed."""
    surplus = list_backups(folder)[keep:]
    for path in surplus:
        path.unlink()
    return surplus


def side_copies(garden: Path) -> list[Path]:
    """Copies of the garden that the program put beside it: before a migration, a repair or a restore."""
    name = re.compile(re.escape(garden.name) + r"\.(before-\d{4}|damaged|replaced)(-\d+)?")
    return sorted(path for path in garden.parent.iterdir() if name.fullmatch(path.name))


def purge_in_backups(copies: Iterable[Path], ids: Sequence[str], *, at: datetime) -> list[Path]:
    """Erases items from every copy too, so that no restore brings them back. Returns the copies it could not read."""
    unreadable = []
    for path in copies:
        try:
            _purge_in(path, ids, at=at)
        except (sqlite3.Error, UnicodeDecodeError):
            unreadable.append(path)
    return unreadable


def _purge_in(path: Path, ids: Sequence[str], *, at: datetime) -> None:
    db = connect(path, read_only=False)
    try:
        db.execute("BEGIN IMMEDIATE")
        found = erase.purge(db, ids, at=at)
        db.execute("COMMIT")
        if found:
            erase.scrub(db)
    finally:
        db.close()


def check_backup(path: Path) -> None:
    """Raises when the file is missing, damaged, no garden, or a garden of a newer program."""
    if not path.is_file():
        raise NotFound(f"there is no backup {path}; `nightgarden restore-backup --list` shows what there is")
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
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
    """Puts a backup in the garden's place in one step; what was there is kept beside it and returned."""
    check_backup(backup)
    if garden.exists():
        must_be_closed(garden, "restore the backup")
    incoming = garden.with_name(garden.name + ".incoming")
    garden.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(backup, incoming)
    incoming.chmod(0o600)
    with incoming.open("rb+") as file:
        os.fsync(file.fileno())
    kept = set_aside(garden, "replaced")
    incoming.replace(garden)
    drop_snapshots(garden)
    return kept
