"""Opening a garden in a file: finishes what a crash left of a restore or repair, makes or migrates the file, keeps it
from others on the machine."""

from __future__ import annotations

import asyncio
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

from nightgarden.errors import CorruptGarden, NeedsRepair, StoreUnavailable
from nightgarden.store import private
from nightgarden.store.copies import all_files, list_backups, side_copies
from nightgarden.store.sqlite import swap
from nightgarden.store.sqlite.connection import UNREADABLE, connect, in_words
from nightgarden.store.sqlite.migrate import known_version, migrate, schema_version
from nightgarden.store.sqlite.store import SqliteStore


async def open_store(path: Path | str, *, read_only: bool = False) -> SqliteStore:
    """Opens or creates the garden in this file, and brings its schema up to date."""
    return await asyncio.to_thread(_open, Path(path).expanduser(), read_only)


def _open(path: Path, read_only: bool) -> SqliteStore:
    try:
        swap.finish(path)
        if not read_only:
            private.make_folder(path.parent)
            refuse_vanished(path)
            private.make_file(path)
            private.tighten(all_files(path))
        db = connect(path, read_only=read_only)
        try:
            if not read_only:
                migrate(db, path, now=datetime.now(UTC))
            elif 0 < schema_version(db) < known_version():
                raise NeedsRepair(
                    f"{path} was written by an earlier version and cannot be brought up to date without writing it. "
                    "Copy it to where you may write, and run the command with `--garden` and the copy."
                )
        except BaseException:
            db.close()
            raise
    except OSError as error:
        raise StoreUnavailable(
            f"cannot open {path}: {error.strerror or error}. Check the folder and its permissions."
        ) from error
    except (sqlite3.Error, *UNREADABLE) as error:
        raise in_words(error, path) from error
    return SqliteStore(path, db, read_only=read_only)


def refuse_vanished(path: Path) -> None:
    """A garden of which copies are there is not begun anew without a word when its file is gone or empty."""
    log = path.with_name(path.name + "-wal")
    if any(file.exists() and file.stat().st_size for file in (path, log)):
        return
    copies = [*list_backups(path), *side_copies(path)]
    if copies:
        raise CorruptGarden(
            f"{path} is {'empty' if path.exists() else 'missing'}, though {len(copies)} copies of it are there, "
            f"such as {copies[0]}. Put one back with `nightgarden restore-backup latest`, or with a file's name "
            "instead of `latest`. To begin with an empty garden instead, move the copies away."
        )
