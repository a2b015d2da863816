"""A kernel lock on a small file beside the garden: held by one process, and gone with it, however it ends.

Does not cover a garden that two machines share over a network file system: SQLite itself does not work there either.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from nightgarden.errors import GardenBusy, StoreUnavailable

if sys.platform == "win32":
    import msvcrt

    def _take(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(file: int) -> None:
        # flock, not lockf: it also keeps two holders in one process apart.
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@asynccontextmanager
async def hold(garden: Path, name: str) -> AsyncIterator[None]:
    """Holds `name` for the garden in this file. Raises GardenBusy when it is held already."""
    with holding(garden, name):
        yield


@contextmanager
def holding(garden: Path, name: str) -> Iterator[None]:
    """The same for work without a loop."""
    path = garden.with_name(f"{garden.name}.{name}.lock")
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError as error:
        raise StoreUnavailable(f"cannot lock {path}: {error.strerror or error}") from error
    try:
        try:
            _take(file)
        except OSError:
            raise GardenBusy(f"somebody else holds `{name}` of {garden}; wait for them and ask again") from None
        yield
    finally:
        os.close(file)  # lets go; the file stays, since removing it would race with the next holder
