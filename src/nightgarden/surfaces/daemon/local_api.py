"""The Unix socket (or, on Windows, loopback TCP): lines in, lines out. Knows nothing of what is asked."""

from __future__ import annotations

import asyncio
import hmac
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from nightgarden.errors import NotAllowed
from nightgarden.surfaces.daemon import protocol
from nightgarden.surfaces.daemon.desk import Desk
from nightgarden.surfaces.daemon.listener import Listener
from nightgarden.surfaces.operations.who_speaks import Speaker

CONNECTIONS_MAX = 1024
AT_ONCE_MAX = 64  # requests of one connection that run side by side


class LocalApi(Listener):
    """Listens until it is closed."""

    def __init__(self, desk: Desk, token: str) -> None:
        super().__init__()
        self._desk = desk
        self._token = token
        self._over_tcp = False

    async def listen(self, socket: Path) -> dict[str, Any]:
        """Where it can be found, for the address file."""
        if os.name == "nt":
            self._over_tcp = True
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, limit=protocol.LINE_BYTES_MAX)
            return {"tcp": list(self._server.sockets[0].getsockname()[:2])}
        socket.unlink(missing_ok=True)  # of one that was killed: the lock says that nobody else listens here
        before = os.umask(0o177)
        try:
            self._server = await asyncio.start_unix_server(
                self._serve, socket, limit=protocol.LINE_BYTES_MAX, backlog=256
            )
        finally:
            os.umask(before)
        return {"socket": str(socket)}

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._open) >= CONNECTIONS_MAX:
            writer.close()
            return
        self._open.add(task)
        connection = _Connection(self._desk, writer, self._token if self._over_tcp else None)
        try:
            await connection.run(reader)
            await connection.finish()
        except asyncio.CancelledError:
            pass  # the daemon stops
        finally:
            self._open.discard(task)
            await connection.close()


class _Connection:
    def __init__(self, desk: Desk, writer: asyncio.StreamWriter, token: str | None) -> None:
        self._desk = desk
        self._writer = writer
        self._token = token
        self._running: set[asyncio.Task[None]] = set()
        self._slots = asyncio.Semaphore(AT_ONCE_MAX)

    async def run(self, reader: asyncio.StreamReader) -> None:
        with suppress(OSError, ValueError):  # gone, or a line beyond the limit: nothing sensible can follow
            while line := await reader.readline():
                await self._slots.acquire()
                task = asyncio.create_task(self._answer(line))
                self._running.add(task)
                task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        self._slots.release()

    async def _answer(self, line: bytes) -> None:
        try:
            request = protocol.decode(line)
            if request.get("plain") is True:
                protocol.read_raw(request)
        except ValueError as error:
            self._desk.note_malformed()
            await self._send({"id": None, "ok": False, "error": {"kind": "BadInput", "message": f"not JSON: {error}"}})
            return
        if self._token is not None and not hmac.compare_digest(
            str(request.get("token")).encode("utf-8", "replace"), self._token.encode()
        ):
            refusal = NotAllowed("wrong token; it is in the file daemon/token in the data folder")
            error_shape = {"kind": "NotAllowed", "message": str(refusal)}
            await self._send({"id": request.get("id"), "ok": False, "error": error_shape})
            return

        plain = request.get("plain") is True and request.get("op") == "hook"
        speaker: Speaker = "user" if request.get("for_user") is True else "agent"
        await self._send(await self._desk.answer(request, speaker), plain=plain)

    async def _send(self, answer: dict[str, Any], *, plain: bool = False) -> None:
        with suppress(OSError):  # the caller did not wait
            self._writer.write(protocol.encode_plain(answer) if plain else protocol.encode(answer))
            await self._writer.drain()

    async def finish(self) -> None:
        """A caller that asked and left, as hooks do, still has it done."""
        await asyncio.gather(*self._running)

    async def close(self) -> None:
        """What the store has begun to write it writes to its end."""
        for task in list(self._running):
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)
        with suppress(OSError):
            self._writer.close()
            await self._writer.wait_closed()
