"""Putting another file in a garden's place. A marker beside the garden decides it: before the marker is there, nothing
has changed; from then on whoever opens the garden goes on where a crash stopped it.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from nightgarden.errors import CorruptGarden, GardenBusy, StoreUnavailable
from nightgarden.store import private
from nightgarden.store.sqlite.lock import holding
from nightgarden.store.sqlite.vector_rows import drop_snapshots

SIDES = ("", "-wal", "-shm")
UNFINISHED = (".incoming", ".rescued")  # files that are being made to take the garden's place
_LOCK = "swap"


def marker_of(garden: Path) -> Path:
    return garden.with_name(garden.name + ".swap")


@contextmanager
def alone_with(garden: Path, then: str) -> Iterator[None]:
    """For work that ends in `put`: nobody else does it meanwhile, and what a crash left of it is finished first."""
    with holding(garden, _LOCK):
        _finish(garden)
        if garden.exists():
            must_be_closed(garden, then)
        yield


def must_be_closed(path: Path, then: str) -> None:
    """Leaving write-ahead mode takes the file for itself alone, so it fails while anybody has it open. A file too
    damaged to tell passes."""
    try:
        with closing(sqlite3.connect(path, timeout=0.5, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode = DELETE")
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if "locked" in str(error):
            raise GardenBusy(f"{path} is in use by another process; stop it, then {then}") from error


def put(incoming: Path, garden: Path, *, why: str) -> Path | None:
    """Puts a whole and closed file in the garden's place; what was there is kept beside it and returned."""
    kept = _free_name(garden, why) if garden.exists() else None
    marker = marker_of(garden)
    half = marker.with_name(marker.name + ".part")
    with private.open_new(half) as file:
        file.write(json.dumps({"incoming": incoming.name, "kept": kept.name if kept else None}).encode())
        file.flush()
        os.fsync(file.fileno())
    half.replace(marker)
    sync_folder(garden.parent)
    _finish(garden)
    return kept


def finish(garden: Path) -> None:
    """Goes on with a swap that was broken off, and takes away what one left that never came to it."""
    left = [garden.with_name(garden.name + suffix) for suffix in UNFINISHED]
    if not marker_of(garden).exists() and not any(path.exists() for path in left):
        return
    try:
        with holding(garden, _LOCK):
            _finish(garden)
            for path in left:
                remove_database(path)
    except GardenBusy as error:
        raise GardenBusy(f"{garden} is being restored or repaired by another process; wait for it") from error


def remove_database(path: Path) -> None:
    for suffix in SIDES:
        path.with_name(path.name + suffix).unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Makes renames in a folder last, where the system lets a folder be opened."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _finish(garden: Path) -> None:
    marker = marker_of(garden)
    try:
        told = json.loads(marker.read_bytes())
        incoming, kept = garden.with_name(told["incoming"]), told["kept"]
    except FileNotFoundError:
        return
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptGarden(f"{marker} cannot be read: move it away, and look which file beside it is whole") from error
    except OSError as error:
        raise StoreUnavailable(f"cannot read {marker}: {error.strerror or error}") from error
    if incoming.exists():
        if kept is not None:
            for suffix in reversed(SIDES):  # the log first: with another's file it would be damage
                with suppress(FileNotFoundError):
                    garden.with_name(garden.name + suffix).replace(garden.with_name(kept + suffix))
        incoming.replace(garden)
    drop_snapshots(garden)
    sync_folder(garden.parent)
    marker.unlink(missing_ok=True)


def _free_name(garden: Path, why: str) -> Path:
    names = (f"{garden.name}.{why}", *(f"{garden.name}.{why}-{number}" for number in range(2, 10_000)))
    return next(place for name in names if not (place := garden.with_name(name)).exists())
