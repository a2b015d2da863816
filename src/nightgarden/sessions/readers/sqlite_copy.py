"""A private copy of an SQLite database that another program is using, made without touching its locks.

Opening such a database in place, even read-only, takes locks and may write its shared-memory file; opening it as
immutable leaves out what is still in the write-ahead log. So the database and its log are copied, and the copy is
opened. The log's frames carry checksums: one that was being written is ignored. Only a checkpoint in the middle of the
copying could mix two states; it changes the database file, so then the copy is made again.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from pathlib import Path

from nightgarden.machine.plain_files import open_plain

_TRIES = 5  # a checkpoint happens every few hundred writes; five in a row means something else is wrong
_WAL_HEADER_BYTES = 32


def fingerprint(database: Path) -> str:
    """Changes whenever the database or its log does."""
    return "|".join(_stamp(path) for path in (database, _log_of(database)))


class SqliteCopy:
    """The copy, open for reading, until closed. Raises OSError or sqlite3.Error when none can be made."""

    def __init__(self, database: Path) -> None:
        self.fingerprint = fingerprint(database)
        self._folder = tempfile.TemporaryDirectory(prefix="nightgarden-")  # readable by the user alone
        try:
            copy = Path(self._folder.name) / "copy.db"
            _copy_steady(database, copy)
            self.connection = sqlite3.connect(copy, check_same_thread=False)
            self.connection.row_factory = sqlite3.Row
        except BaseException:
            self._folder.cleanup()
            raise

    def close(self) -> None:
        self.connection.close()
        self._folder.cleanup()


def _copy_steady(database: Path, copy: Path) -> None:
    for _ in range(_TRIES):
        before = (_stamp(database), _log_head(database))
        open_plain(database).close()  # a device would be copied for ever
        shutil.copyfile(database, copy)
        try:
            shutil.copyfile(_log_of(database), _log_of(copy))
        except FileNotFoundError:
            _log_of(copy).unlink(missing_ok=True)
        if (_stamp(database), _log_head(database)) == before:
            return
    raise OSError(f"{database} changed during each of {_TRIES} tries to copy it; scan again when the client is quieter")


def _log_of(database: Path) -> Path:
    return database.with_name(database.name + "-wal")


def _log_head(database: Path) -> bytes:
    """The log's header: its salts change when the log begins anew after a checkpoint."""
    try:
        with open_plain(_log_of(database)) as log:
            return log.read(_WAL_HEADER_BYTES)
    except FileNotFoundError:
        return b""


def _stamp(path: Path) -> str:
    try:
        seen = path.stat()
    except FileNotFoundError:
        return "-"
    return f"{seen.st_ino}-{seen.st_size}-{seen.st_mtime_ns}"
