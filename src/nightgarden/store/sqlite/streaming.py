"""Records that a thread reads, handed over a few at a time to who awaits them."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from typing import Any

_QUEUE = 256
Work = Callable[[sqlite3.Connection], None]


async def stream(
    run: Callable[[Work], None], read: Callable[[sqlite3.Connection], Iterator[dict[str, Any]]]
) -> AsyncIterator[dict[str, Any]]:
    """What `read` gives on a connection that `run` brings. Ends early when nobody asks any more."""
    loop = asyncio.get_running_loop()
    records: asyncio.Queue[dict[str, Any] | BaseException | None] = asyncio.Queue(_QUEUE)
    given_up = threading.Event()

    def produce() -> None:
        def put(value: dict[str, Any] | BaseException | None) -> None:
            waiting = asyncio.run_coroutine_threadsafe(records.put(value), loop)
            while not waiting.done() and not given_up.is_set():
                with suppress(TimeoutError):
                    waiting.result(0.1)

        def work(db: sqlite3.Connection) -> None:
            for record in read(db):
                if given_up.is_set():
                    return
                put(record)

        try:
            run(work)
            put(None)
        except BaseException as error:  # noqa: BLE001 - it is raised where the records are read
            put(error)

    producer = asyncio.create_task(asyncio.to_thread(produce))
    try:
        while (record := await records.get()) is not None:
            if isinstance(record, BaseException):
                raise record
            yield record
    finally:
        given_up.set()
        await producer
