"""Backups of a SQLite garden: consistent copies in the data folder, the oldest beyond a number let go.

A PostgreSQL garden is backed up with the server's own tools or by `migrate-store` to a file; this module says so.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from nightgarden.errors import BadInput, CorruptGarden, NotFound
from nightgarden.store.sqlite import erase
from nightgarden.store.sqlite.connection import connect

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


def purge_in_backups(folder: Path, ids: Sequence[str], *, at: datetime) -> list[Path]:
    """Erases items from every backup too, so that a restore does not bring them back. Returns the files changed."""
    changed = []
    for path in list_backups(folder):
        db = connect(path, read_only=False)
        try:
            db.execute("BEGIN IMMEDIATE")
            found = erase.purge(db, ids, at=at)
            db.execute("COMMIT")
            if found:
                erase.scrub(db)
                changed.append(path)
        finally:
            db.close()
    return changed


def check_backup(path: Path) -> None:
    """Raises when the file is missing, damaged, or no garden."""
    if not path.is_file():
        raise NotFound(f"there is no backup {path}; `nightgarden restore-backup --list` shows what there is")
    try:
        with sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True) as db:
            sound = db.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok"
            ours = db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'journal'").fetchone()[0]
        db.close()
    except sqlite3.DatabaseError as error:
        raise CorruptGarden(f"{path} is damaged ({error}); choose another backup") from error
    if not sound:
        raise CorruptGarden(f"{path} is damaged; choose another backup")
    if not ours:
        raise BadInput(f"{path} is a database, but not a garden")


def put_back(backup: Path, garden: Path) -> Path | None:
    """Puts a backup in the garden's place in one step; what was there is kept beside it and returned.

    Nobody may have the garden open: the caller makes sure of that.
    """
    check_backup(backup)
    incoming = garden.with_name(garden.name + ".incoming")
    shutil.copyfile(backup, incoming)
    incoming.chmod(0o600)
    with incoming.open("rb+") as file:
        os.fsync(file.fileno())
    kept = None
    if garden.exists():
        kept = garden.with_name(f"{garden.name}.replaced")
        for suffix in ("-wal", "-shm"):  # what the old file had not yet taken in goes with it
            side = garden.with_name(garden.name + suffix)
            if side.exists():
                side.replace(kept.with_name(kept.name + suffix))
        garden.replace(kept)
    incoming.replace(garden)
    for snapshot in garden.parent.glob(f"{garden.name}.*.vectors*"):
        with suppress(OSError):
            snapshot.unlink()
    return kept
