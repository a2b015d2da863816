"""A process that takes in what was spooled and looks for sessions, as a daemon does at its start, and is killed at its
N-th write: `python -m tests.runtime.taking N`.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path
from typing import Any

from nightgarden import Garden
from nightgarden.machine.home import data_folder
from nightgarden.store.sqlite.store import SqliteStore
from nightgarden.surfaces.daemon.folder import DaemonFolder
from nightgarden.surfaces.daemon.spool import ingest
from nightgarden.surfaces.daemon.watch import SessionWatch
from nightgarden.surfaces.operations.perform import perform
from tests.conftest import BY_WORDS


async def take_all(home: Path, killed_at: int = 0) -> int:
    """How many writes it took."""
    writes = 0
    write = SqliteStore._write

    async def counted(store: SqliteStore, work: Any) -> Any:
        nonlocal writes
        writes += 1
        if writes == killed_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return await write(store, work)

    async with Garden.open(home / "garden.db", directory=home, settings=BY_WORDS) as garden:
        SqliteStore._write = counted  # type: ignore[assignment, method-assign]
        try:
            await ingest(
                DaemonFolder(home).spool,
                garden,
                lambda event: perform(garden, event["op"], event["arguments"]),
            )
            await SessionWatch().run(garden, again_seconds=0)
        finally:
            SqliteStore._write = write  # type: ignore[method-assign]
    return writes


if __name__ == "__main__":
    asyncio.run(take_all(Path(data_folder(os.environ)), int(sys.argv[1])))
