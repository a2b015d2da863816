"""The tools of one conversation as an MCP server on this machine, for the program that has the conversation.

It listens on the loopback address at a port of its own, answers only who brings the conversation's token, offers the
toolbox's tools and nothing else, and is gone when the conversation is. Every call is answered in the caller's event
loop, one after the other: tools need not know that a program of somebody else calls them.

Not covered: another program of the same user that reads this one's memory finds the token there.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from nightgarden._version import __version__
from nightgarden.domain.conversation import ToolAnswer, ToolCall, ToolSpec

NAME = "garden"  # of the server, as the program shows it before each tool
_HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
_STATELESS = "2026-07-28"
_VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
_SERVER = {"name": NAME, "version": __version__}
_CAPABILITIES: dict[str, Any] = {"tools": {}}
_BODY_BYTES_MAX = 4 << 20
_POLL_SECONDS = 0.05

Json = dict[str, Any]
Answer = Callable[[ToolCall], Awaitable[ToolAnswer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """Where the tools are, and the token without which nobody gets at them."""

    url: str
    token: str


@asynccontextmanager
async def served(specs: Sequence[ToolSpec], answer: Answer) -> AsyncIterator[Serving]:
    """Serves the tools while the block lasts. `answer` is awaited in the loop of whoever serves."""
    token = secrets.token_urlsafe(32)
    desk = _Desk(specs=tuple(specs), answer=answer, loop=asyncio.get_running_loop(), one_by_one=asyncio.Lock())

    class Handler(_Handler):
        serves, expected = desk, token

    http = _Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": _POLL_SECONDS}, daemon=True)
    thread.start()
    try:
        yield Serving(url=f"http://127.0.0.1:{http.server_address[1]}/mcp", token=token)
    finally:
        for call in list(desk.under_way):
            call.cancel()
        await asyncio.to_thread(http.shutdown)
        http.server_close()
        thread.join()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Desk:
    """Answers one message after the other. Called from the server's threads."""

    specs: tuple[ToolSpec, ...]
    answer: Answer
    loop: asyncio.AbstractEventLoop
    one_by_one: asyncio.Lock
    under_way: set[Future[ToolAnswer]] = field(default_factory=set)

    def handle(self, message: Any) -> Json | None:
        """The answer, or None for what needs none."""
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            return _error(None, -32600, "not a JSON-RPC 2.0 message")
        if "method" not in message or not isinstance(message.get("id"), str | int):
            return None
        params = message.get("params")
        params = params if isinstance(params, dict) else {}
        result = self._dispatch(str(message["method"]), params)
        if result is None:
            return _error(message["id"], -32601, f"there is no method {str(message['method'])[:80]}")
        about = params.get("_meta")
        if isinstance(about, dict) and about.get(_VERSION_KEY) == _STATELESS:
            result = {**result, "resultType": "complete"}
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _dispatch(self, method: str, params: Json) -> Json | None:
        match method:
            case "initialize":
                wanted = params.get("protocolVersion")
                version = wanted if wanted in _HANDSHAKE else _HANDSHAKE[-1]
                return {"protocolVersion": version, "serverInfo": _SERVER, "capabilities": _CAPABILITIES}
            case "server/discover":
                return {"supportedVersions": [_STATELESS, *reversed(_HANDSHAKE)], "capabilities": _CAPABILITIES}
            case "ping":
                return {}
            case "tools/list":
                return {"tools": [_listed(spec) for spec in self.specs]}
            case "tools/call":
                return self._call(params)
            case _:
                return None

    def _call(self, params: Json) -> Json:
        given = params.get("arguments")
        name = str(params.get("name"))
        malformed = "" if given is None or isinstance(given, dict) else "its arguments are not one JSON object"
        arguments = given if isinstance(given, dict) else {}
        call = ToolCall(id=secrets.token_hex(8), name=name, arguments=arguments, malformed=malformed)
        asked = asyncio.run_coroutine_threadsafe(self._answered(call), self.loop)
        self.under_way.add(asked)
        try:
            told = asked.result()
        except CancelledError:  # the conversation is over
            told = ToolAnswer(text="The conversation is over.", failed=True)
        finally:
            self.under_way.discard(asked)
        return {"content": [{"type": "text", "text": told.text}], "isError": told.failed}

    async def _answered(self, call: ToolCall) -> ToolAnswer:
        async with self.one_by_one:
            return await self.answer(call)


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A program that was ended, or never read its answer: known where it is run."""


class _Handler(BaseHTTPRequestHandler):
    serves: _Desk
    expected: str
    protocol_version = "HTTP/1.1"
    timeout = 600.0

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: what was called is in the conversation."""

    def do_GET(self) -> None:
        self._send(405, None)  # nothing is sent without being asked for

    def do_DELETE(self) -> None:
        self._send(405, None)

    def do_POST(self) -> None:
        told = self.headers.get("authorization", "")
        if not hmac.compare_digest(told.encode("utf-8", "replace"), f"Bearer {self.expected}".encode()):
            self.close_connection = True
            return self._send(401, None)
        length = self.headers.get("content-length", "")
        if self.path != "/mcp" or not length.isdecimal() or int(length) > _BODY_BYTES_MAX:
            self.close_connection = True
            return self._send(404 if self.path != "/mcp" else 413, None)
        try:
            message = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return self._send(400, _error(None, -32700, "not JSON"))
        answer = self.serves.handle(message)
        return self._send(202 if answer is None else 200, answer)

    def _send(self, status: int, value: Json | None) -> None:
        raw = b"" if value is None else json.dumps(value).encode()
        try:
            self.send_response(status)
            if raw:
                self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)
        except OSError:
            self.close_connection = True  # the program went away before its answer came


def _listed(spec: ToolSpec) -> Json:
    return {"name": spec.name, "description": spec.description, "inputSchema": dict(spec.parameters)}


def _error(message_id: Any, code: int, words: str) -> Json:
    return {"jsonrpc": "2.0", "id": message_id, "error": {"code": code, "message": words}}
