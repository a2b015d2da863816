"""How a process kills itself at an exact point: before the n-th thing it does that changes something on disk.

Counted are statements of SQLite and PostgreSQL that write, and files that are made, renamed or removed. With N = 0
nothing is killed, and the number of points is returned. The product knows nothing of this: SQLite's connections are
subclassed, the methods of the PostgreSQL driver are wrapped, and Python's audit events are listened to.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import asyncpg

_WATCHED = frozenset({"os.rename", "os.remove", "os.link", "os.truncate", "os.mkdir", "shutil.copyfile"})
_SENDS = ("execute", "executemany", "fetch", "fetchrow", "fetchval", "copy_records_to_table")
_READS = ("select", "pragma table", "pragma index_list", "pragma foreign", "pragma cache", "pragma temp", "explain")


class Points:
    """Counts, and ends this process at the one that was chosen."""

    def __init__(self, chosen: int) -> None:
        self.chosen = chosen
        self.count = 0
        self._lock = threading.Lock()

    def pass_one(self) -> None:
        with self._lock:
            self.count += 1
            if self.count == self.chosen:
                os.kill(os.getpid(), signal.SIGKILL)


def _counted(send: Callable[..., Any], points: Points) -> Callable[..., Any]:
    async def counted(connection: asyncpg.Connection, statement: str, *more: Any, **named: Any) -> Any:
        if not statement.lstrip().lower().startswith((*_READS, "set ", "show ", "with recursive")):
            points.pass_one()
        return await send(connection, statement, *more, **named)

    return counted


def watch(points: Points, home: Path) -> None:
    class Watched(sqlite3.Connection):
        def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
            if not sql.lstrip().lower().startswith(_READS):
                points.pass_one()
            return super().execute(sql, *more)

        def executemany(self, sql: str, *more: Any) -> sqlite3.Cursor:
            points.pass_one()
            return super().executemany(sql, *more)

    inner = sqlite3.connect

    def connect(*given: Any, **named: Any) -> sqlite3.Connection:
        return inner(*given, **({"factory": Watched} | named))

    def listen(event: str, given: tuple[Any, ...]) -> None:
        made = event == "open" and isinstance(given[2], int) and given[2] & os.O_CREAT
        if (event in _WATCHED or made) and str(given[0]).startswith(str(home)):
            points.pass_one()

    sqlite3.connect = connect  # type: ignore[assignment]
    for name in _SENDS:
        setattr(asyncpg.Connection, name, _counted(getattr(asyncpg.Connection, name), points))
    sys.addaudithook(listen)
