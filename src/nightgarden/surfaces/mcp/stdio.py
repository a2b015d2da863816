"""`nightgarden mcp`: MCP over standard input and output, a thin proxy of the daemon.

Answers the handshake and all lists by itself, at once. The daemon is started in the background when none is there; with
that switched off in the settings, the garden is opened in this process at the first call.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
import time
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, urlsplit

from nightgarden.errors import DaemonAway, DaemonSlow, NightgardenError
from nightgarden.machine.home import data_folder, working_directory
from nightgarden.surfaces import client
from nightgarden.surfaces.hooks import process as carry
from nightgarden.surfaces.mcp.conversation import McpConversation, Refusal

ANSWER_MS = 30_000.0
ALIVE_MS = 1_500.0  # a daemon says within a millisecond that it is there, under load within a few tens
START_SECONDS_MAX = 15.0  # a daemon is up within about one second; a loaded machine takes longer
ROOTS_SECONDS_MAX = 2.0  # a client that says it can tell its folders, and then does not, is not waited for
_LOOK_SECONDS = 0.1
_ROOTS_ID = "nightgarden-roots"
Json = dict[str, Any]


class Stdio:
    """One client at the other end of the pipes."""

    def __init__(self) -> None:
        # Where the client works: what it says, else where it started us.
        self._directory = os.environ.get("CLAUDE_PROJECT_DIR") or working_directory()
        self._said_directory = bool(os.environ.get("CLAUDE_PROJECT_DIR"))
        self._conversation = McpConversation(
            self._ask, session_id=os.environ.get("CLAUDE_CODE_SESSION_ID"), hook=self._hook
        )
        self._home = os.environ["NIGHTGARDEN_HOME"] = os.path.abspath(data_folder(os.environ))  # noqa: PTH100 - a text
        if session_id := os.environ.get("CLAUDE_CODE_SESSION_ID"):  # goes with each question, as who acts
            os.environ.setdefault("NIGHTGARDEN_AGENT_SESSION", session_id)
        self._running: dict[Any, asyncio.Task[None]] = {}
        self._direct: Any = None  # the gardens of this process, when there is to be no daemon
        self._roots = False  # whether the client can tell its folders
        self._placed = asyncio.Event()  # they were told, or will not be
        self._placed.set()

    async def run(self) -> None:
        """Until the client closes its end."""
        lines: asyncio.Queue[bytes] = asyncio.Queue()
        threading.Thread(target=_read_lines, args=(asyncio.get_running_loop(), lines), daemon=True).start()
        warming = asyncio.create_task(asyncio.to_thread(self._warm))
        while line := await lines.get():
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                self._send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "not JSON"}})
                continue
            self._take(message)
        await asyncio.gather(*self._running.values(), warming, return_exceptions=True)
        if self._direct is not None:
            await self._direct.close()

    def _take(self, message: Any) -> None:
        if isinstance(message, dict):
            params = _object(message.get("params"))
            match message.get("method"):
                case "initialize":
                    self._roots = "roots" in _object(params.get("capabilities"))
                case "notifications/initialized" | "notifications/roots/list_changed":
                    if self._roots and not self._said_directory:
                        self._placed.clear()
                        self._send({"jsonrpc": "2.0", "id": _ROOTS_ID, "method": "roots/list"})
                    return
                case "notifications/cancelled":
                    if task := self._running.get(_key(params.get("requestId"))):
                        task.cancel()
                    return
                case None if message.get("id") == _ROOTS_ID:
                    self._take_roots(message.get("result"))
                    return
        key = _key(message.get("id") if isinstance(message, dict) else None)
        task = asyncio.create_task(self._answer(message))
        self._running[key] = task
        task.add_done_callback(lambda _: self._running.pop(key, None))

    def _take_roots(self, result: Any) -> None:
        self._placed.set()
        with suppress(AttributeError, TypeError, KeyError, IndexError, ValueError):
            split = urlsplit(result["roots"][0]["uri"])
            if split.scheme == "file":
                self._directory = unquote(split.path)

    async def _answer(self, message: Any) -> None:
        answer = await self._conversation.handle(message)
        if answer is not None:
            self._send(answer)

    def _send(self, message: Any) -> None:
        with suppress(BrokenPipeError):  # the client is gone; its end of input follows
            sys.stdout.buffer.write(json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
            sys.stdout.buffer.flush()

    async def _ask(self, op: str, arguments: Json, directory: str | None) -> Any:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._placed.wait(), ROOTS_SECONDS_MAX)
        where = directory or self._directory
        if "\0" in where:
            raise Refusal("BadInput", "the directory contains an invalid character")
        try:
            if self._direct is not None:
                return await self._perform_here(op, arguments, where)
            return await asyncio.to_thread(self._ask_daemon, op, arguments, where)
        except DaemonAway:
            try:
                return await self._perform_here(op, arguments, where)
            except NightgardenError as error:
                raise Refusal(type(error).__name__, str(error)) from error
        except DaemonSlow as error:
            words = "the memory gave no answer in time; go on without it, and ask again later"
            raise Refusal("DaemonSlow", words) from error
        except NightgardenError as error:
            raise Refusal(type(error).__name__, str(error)) from error

    async def _hook(self, sent: Json) -> str:
        """An event that the client sends through its pipe to us, and not by starting a process."""
        return await asyncio.to_thread(carry.over_pipe, {"cwd": self._directory, **sent})

    def _ask_daemon(self, op: str, arguments: Json, directory: str) -> Any:
        """Starts the daemon if need be, and waits for it. Raises DaemonAway when there is to be none."""
        until = time.monotonic() + START_SECONDS_MAX
        while True:
            try:
                with client.Connection(self._home, timeout_ms=ALIVE_MS) as connection:
                    self._need_life(connection)
                    return connection.ask(op, arguments, directory=directory, timeout_ms=ANSWER_MS)
            except DaemonAway:
                if not client.on_demand(self._home) or time.monotonic() >= until:
                    raise
                client.start_in_background(self._home)
                client.reap()
                time.sleep(_LOOK_SECONDS)

    def _need_life(self, connection: client.Connection) -> None:
        """Raises DaemonSlow, and has the daemon replaced, when it does not even say that it is there."""
        try:
            connection.ask("ping", timeout_ms=ALIVE_MS)
        except DaemonSlow:
            client.start_in_background(self._home)
            client.reap()
            raise

    def _warm(self) -> None:
        try:
            client.ask("ping", home=self._home, timeout_ms=2000)
        except (DaemonAway, DaemonSlow):
            with suppress(OSError, NightgardenError):
                client.start_in_background(self._home)

    async def _perform_here(self, op: str, arguments: Json, directory: str) -> Any:
        # 300 ms of the whole program, only where no daemon may run
        from nightgarden.surfaces.daemon.gardens import Gardens
        from nightgarden.surfaces.operations.perform import perform

        if self._direct is None:
            self._direct = Gardens({**os.environ, "NIGHTGARDEN_HOME": self._home})
        return await perform(await self._direct.at(directory, {}), op, arguments)


def _object(value: Any) -> Json:
    return value if isinstance(value, dict) else {}


def _key(message_id: Any) -> object:
    """What a running request is known by; one without a proper id cannot be cancelled."""
    return message_id if isinstance(message_id, str | int | float) else object()


def _read_lines(loop: asyncio.AbstractEventLoop, lines: asyncio.Queue[bytes]) -> None:
    """In a thread, for pipes on Windows cannot be waited for. An empty line of bytes means the end."""
    with suppress(RuntimeError):  # the loop is over
        for line in sys.stdin.buffer:
            if line.strip():
                loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, b"")


def main() -> int:
    """Runs the server; 0 when the client ends it."""
    served = Stdio()
    os.chdir(os.sep)  # it was started where a project's files lie, and has noted where that is
    with suppress(KeyboardInterrupt):
        asyncio.run(served.run())
    return 0
