"""Connections to one SQLite file: a writer thread with group commit, readers in a small pool, errors in words.

Units of work that wait at the same time are committed together, each behind its own savepoint: one fsync serves them
all, a unit that fails takes nothing else with it, and nobody is told "done" before the commit is on disk.
"""

from __future__ import annotations

import asyncio
import json
import os
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from nightgarden.errors import BadInput, CorruptGarden, GardenBusy, NewerGarden, NightgardenError, StoreUnavailable
from nightgarden.store.sqlite.damage import is_undecodable, text_or_bytes

T = TypeVar("T")
BUSY_MS = 30_000  # another process may hold the write lock for a bulk import; a person would rather wait than fail
READERS = 4
GROUP_MAX = 512  # units in one commit; keeps the first one's wait short
# Pages that a connection keeps. The system's cache holds them too: with 32 MB each, the four readers took 110 to 140 MB
# more after 100 recalls among 100,000 memories, and were no faster beyond what two runs differ by.
_WRITER_CACHE_KB, _READER_CACHE_KB = 32_768, 8_192


# Damaged bytes show as text that is none: in records, and in SQLite's own messages, which quote them.
UNREADABLE = (UnicodeDecodeError, json.JSONDecodeError)


_KNOWN = (sqlite3.Error, UnicodeEncodeError, *UNREADABLE)


def in_words(
    error: sqlite3.Error | UnicodeEncodeError | UnicodeDecodeError | json.JSONDecodeError, path: Path
) -> NightgardenError:
    """What an error of SQLite means to a user, and what to do about it."""
    text = str(error)
    if isinstance(error, UnicodeEncodeError):
        return BadInput(f"{error.object[:40]!r} holds half a character, which no database can; leave it out")
    damaged = ("malformed", "not a database", "Could not decode")
    if isinstance(error, UNREADABLE) or any(words in text for words in damaged):
        return CorruptGarden(
            f"{path} is damaged ({text}). Nothing was changed. Run `nightgarden doctor --repair`, "
            "or go back to a backup with `nightgarden restore-backup`."
        )
    if "disk I/O error" in text:
        return StoreUnavailable(
            f"the disk that holds {path} cannot be used (full, over a limit, or failing: {text}); nothing was stored. "
            "Free some space or check the disk, and try again."
        )
    if "disk is full" in text:
        return StoreUnavailable(
            f"the disk that holds {path} is full; nothing was stored. Free some space and try again."
        )
    if "readonly" in text or "read-only" in text:
        return StoreUnavailable(f"{path} cannot be written (read-only); nothing was stored. Check its permissions.")
    if "locked" in text or "busy" in text:
        return GardenBusy(f"another process is writing to {path} and did not finish in time. Try again in a moment.")
    if "unable to open" in text:
        return StoreUnavailable(f"cannot open {path}: check that the folder exists and that you may write to it.")
    return StoreUnavailable(f"SQLite could not use {path}: {text}. Run `nightgarden doctor` to check it.")


def _is_read_only(error: Exception) -> bool:
    return isinstance(error, sqlite3.OperationalError) and "readonly" in str(error)


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """A connection in autocommit mode, so that transactions are ours alone."""
    target = f"{path.absolute().as_uri()}{_read_only_mode(path) if read_only else ''}"
    db = sqlite3.connect(target, uri=True, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False)
    try:
        db.execute(f"PRAGMA cache_size = -{_READER_CACHE_KB if read_only else _WRITER_CACHE_KB}")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA temp_store = MEMORY")
        if not read_only:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")
    except BaseException:
        db.close()
        raise
    return db


def _read_only_mode(path: Path) -> str:
    """Readers share a small file beside the log. Where they may not make one, and nobody writes (there is no log), the
    file is read as one that does not change."""
    nobody_writes = not path.with_name(path.name + "-wal").exists()
    return "?immutable=1" if nobody_writes and not os.access(path.parent, os.W_OK) else "?mode=ro"


@dataclass(slots=True)
class _Unit:
    work: Callable[[sqlite3.Connection], Any]
    alone: bool  # outside any transaction, for statements that SQLite allows only there
    done: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop

    def settle(self, value: Any, error: BaseException | None) -> None:
        def tell() -> None:
            if not self.done.done():
                if error is None:
                    self.done.set_result(value)
                else:
                    self.done.set_exception(error)

        with suppress(RuntimeError):  # the loop is gone, and nobody waits any more
            self.loop.call_soon_threadsafe(tell)


class Writer:
    """The one thread that writes. Work arrives through a queue and is committed in groups."""

    def __init__(self, db: sqlite3.Connection, path: Path, check: Callable[[sqlite3.Connection], None]) -> None:
        self._db = db
        self._path = path
        self._check = check  # at the beginning of each transaction: raises NewerGarden when it must not be written
        self.outdated = False  # whether it raised that
        self._units: queue.SimpleQueue[_Unit | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="nightgarden-writer", daemon=True)
        self._thread.start()
        self._closed = False

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` inside a transaction; returns when it is durable."""
        return await self._queue(work, alone=False)

    async def run_alone(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` outside a transaction, while nothing else is written."""
        return await self._queue(work, alone=True)

    async def _queue(self, work: Callable[[sqlite3.Connection], T], *, alone: bool) -> T:
        if self._closed:
            raise StoreUnavailable(f"{self._path} is closed")
        loop = asyncio.get_running_loop()
        unit = _Unit(work, alone, loop.create_future(), loop)
        self._units.put(unit)
        # A caller that goes away must not take a half-done unit with it: the work itself always runs to its end.
        result: T = await asyncio.shield(unit.done)
        return result

    def close(self) -> None:
        self._closed = True
        self._units.put(None)
        self._thread.join()

    def _run(self) -> None:
        unit = self._units.get()
        while unit is not None:
            if unit.alone:
                self._run_alone(unit)
                unit = self._units.get()
            else:
                unit = self._commit_with_others(unit)
        with suppress(sqlite3.Error):
            self._db.execute("PRAGMA optimize")
        self._db.close()

    def _commit_with_others(self, first: _Unit) -> _Unit | None:
        """Commits a unit with those that wait at the same time; returns the one that comes after them."""
        group = [first]
        while len(group) < GROUP_MAX:
            try:
                following = self._units.get_nowait()
            except queue.Empty:
                break
            if following is None or following.alone:
                self._commit(group)
                return following
            group.append(following)
        self._commit(group)
        return self._units.get()

    def _run_alone(self, unit: _Unit) -> None:
        try:
            unit.settle(unit.work(self._db), None)
        except Exception as error:  # noqa: BLE001 - whatever it is, it goes to the caller of this unit
            unit.settle(None, self._explained(error))

    def _explained(self, error: Exception) -> Exception:
        return in_words(error, self._path) if isinstance(error, _KNOWN) else error

    def _commit(self, group: list[_Unit], *, first: bool = True) -> None:
        outcomes: list[tuple[Any, BaseException | None]] = []
        try:
            self._db.execute("BEGIN IMMEDIATE")
            self._check(self._db)
            outcomes.extend(self._attempt(unit) for unit in group)
            self._db.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - also a lack of memory: it goes to the callers, the thread lives on
            with suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            if first and _is_read_only(error) and self._reopened():
                self._commit(group, first=False)
                return
            self.outdated = self.outdated or isinstance(error, NewerGarden)
            outcomes = [(None, self._explained(error))] * len(group)
        for unit, (value, error_of_unit) in zip(group, outcomes, strict=True):
            unit.settle(value, error_of_unit)

    def _reopened(self) -> bool:
        """A connection that was opened while the file could not be written stays so for ever, even when it may be
        written by now; hence another one."""
        try:
            fresh = connect(self._path, read_only=False)
        except sqlite3.Error:
            return False
        self._db.close()
        self._db = fresh
        return True

    def _attempt(self, unit: _Unit) -> tuple[Any, BaseException | None]:
        self._db.execute("SAVEPOINT unit")
        try:
            value = unit.work(self._db)
        except Exception as error:  # whatever it is, it goes to the caller of this unit
            # The disk is full or broken, and SQLite has rolled the whole group back; or nothing can be written at all.
            if not self._db.in_transaction or _is_read_only(error):
                raise error if isinstance(error, sqlite3.Error) else sqlite3.OperationalError(str(error)) from error
            self._db.execute("ROLLBACK TO unit")
            self._db.execute("RELEASE unit")
            return None, self._explained(error)
        self._db.execute("RELEASE unit")
        return value, None


class Readers:
    """A few threads, each with a connection of its own, opened when first needed."""

    def __init__(self, path: Path, *, read_only: bool) -> None:
        self._path = path
        self._read_only = read_only
        self._own = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="nightgarden-reader")

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Runs `work` on one consistent snapshot."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, self.run_here, work)

    def run_here(self, work: Callable[[sqlite3.Connection], T], *, around_damage: bool = False) -> T:
        """The same in the calling thread, for work that takes long. `around_damage`: text that is none comes as bytes
        from the start, for work that cannot be begun again."""
        try:
            db = self._connection()
            if around_damage:
                return self._once(db, work, text_or_bytes)
            try:
                return self._once(db, work, str)
            except sqlite3.OperationalError as error:
                if not is_undecodable(error):
                    raise
                return self._once(db, work, text_or_bytes)
        except _KNOWN as error:
            raise in_words(error, self._path) from error

    def _once(
        self, db: sqlite3.Connection, work: Callable[[sqlite3.Connection], T], text: Callable[[bytes], str | bytes]
    ) -> T:
        db.text_factory = text
        db.execute("BEGIN")
        try:
            return work(db)
        finally:
            if db.in_transaction:
                db.execute("COMMIT")

    def _connection(self) -> sqlite3.Connection:
        db: sqlite3.Connection | None = getattr(self._own, "db", None)
        if db is None:
            db = connect(self._path, read_only=True)
            self._own.db = db
            with self._lock:
                self._all.append(db)
        return db

    def close(self) -> None:
        self._pool.shutdown(wait=True)
        for db in self._all:
            db.close()
