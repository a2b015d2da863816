"""The HTTP server: guards, then routes. REST asks the desk, /mcp speaks MCP, / is the dashboard."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from importlib.resources import files
from typing import Any

from nightgarden.domain.ids import SHORT_CHARS, is_id
from nightgarden.errors import Unreachable
from nightgarden.surfaces.daemon.desk import Desk
from nightgarden.surfaces.daemon.listener import Listener
from nightgarden.surfaces.http.access import (
    cookie_name,
    cookie_value,
    has_session,
    has_token,
    refuse_stranger,
    refuse_unknown,
    same,
)
from nightgarden.surfaces.http.openapi import DIRECTORY_HEADER, PREFIX, describe_api
from nightgarden.surfaces.http.wire import (
    FIRST_HEAD_SECONDS_MAX,
    HEAD_BYTES_MAX,
    HEAD_SECONDS_MAX,
    BadRequest,
    HttpAnswer,
    HttpConnection,
    HttpRequest,
    json_answer,
)
from nightgarden.surfaces.mcp.conversation import McpConversation, Refusal
from nightgarden.surfaces.operations.registry import OPERATIONS
from nightgarden.surfaces.operations.who_speaks import Speaker

CONNECTIONS_MAX = 256
DEADLINE_MS = 30_000  # of what only reads; a hook's client stops waiting by itself
HOOKS = "/hooks/"
_STATUS_OF = {"NotFound": 404, "NotAllowed": 403, "DaemonSlow": 504, "Internal": 500, "Conflict": 409}
_STATUS_OF |= dict.fromkeys(("BadInput", "BadSetting", "BadImport"), 400)
_STATUS_OF |= dict.fromkeys(("UndoConflict", "GardenBusy"), 409)
# The dashboard brings its own script and style and talks to nobody else.
_PAGE_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
_PAGES = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
}


class HttpServer(Listener):
    """Listens on 127.0.0.1 until it is closed."""

    def __init__(self, desk: Desk, token: str) -> None:
        super().__init__()
        self._desk = desk
        self._token = token
        self._strangers: dict[asyncio.Task[None], None] = {}  # those that have not shown the token; the oldest first
        self.port = 0

    async def listen(self, port: int, *, kept: int) -> str:
        """At the port of the settings, else at that of last time, else at a free one."""
        for wanted in dict.fromkeys((port or kept, port)):
            try:
                self._server = await asyncio.start_server(self._serve, "127.0.0.1", wanted, limit=HEAD_BYTES_MAX)
                break
            except OSError as error:
                if wanted == port:
                    words = f"port {port} of 127.0.0.1 cannot be used ({error.strerror}); choose another as daemon.port"
                    raise Unreachable(words) from error
        assert self._server is not None
        self.port = self._server.sockets[0].getsockname()[1]
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(self._open) >= CONNECTIONS_MAX and not self._make_room():
            writer.close()
            return
        self._open.add(task)
        self._strangers[task] = None
        try:
            connection = HttpConnection(reader, writer)
            with suppress(OSError):  # the other side is gone
                while await self._exchange(task, connection):
                    pass
        except asyncio.CancelledError:
            pass  # the daemon stops, or another visitor needs the room
        finally:
            self._open.discard(task)
            self._strangers.pop(task, None)
            with suppress(OSError):
                writer.close()
                await writer.wait_closed()

    def _make_room(self) -> bool:
        """Ends the connection that has waited longest without showing the token; False when all have shown it."""
        oldest = next(iter(self._strangers), None)
        if oldest is None:
            return False
        del self._strangers[oldest]
        self._open.discard(oldest)
        oldest.cancel()
        return True

    async def _exchange(self, task: asyncio.Task[None], connection: HttpConnection) -> bool:
        """One request and its answer; whether another may follow."""
        seconds = FIRST_HEAD_SECONDS_MAX if task in self._strangers else HEAD_SECONDS_MAX
        try:
            request = await connection.read(head_seconds=seconds)
        except BadRequest as error:
            self._desk.note_malformed()
            return await connection.send(_wrong(error), keep_alive=False)
        if request is None:
            return False
        if has_token(request, self._token, self.port):
            self._strangers.pop(task, None)
        try:
            answer = await self._answer(request)
        except BadRequest as error:
            self._desk.note_malformed()
            answer = _wrong(error)
        return await connection.send(answer, keep_alive=request.keep_alive)

    async def _answer(self, request: HttpRequest) -> HttpAnswer:
        if refusal := refuse_stranger(request, self.port):
            return refusal
        if request.path in _PAGES and request.method in ("GET", "HEAD"):
            return _page(request.path)  # without data, so that a person can log in
        if request.path == "/login" and request.method == "POST":
            return self._log_in(request)
        if refusal := refuse_unknown(request, self._token, self.port):
            return refusal
        return await self._route(request)

    async def _route(self, request: HttpRequest) -> HttpAnswer:
        if request.path == "/openapi.json":
            return json_answer(describe_api(f"http://127.0.0.1:{self.port}"))
        if request.path == "/changes":
            return self._changes(request)
        if request.path == "/mcp":
            return await self._mcp(request)
        if request.path == "/purge":
            return await self._purge(request)
        if request.path.startswith(HOOKS):
            return await self._hook(request, request.path.removeprefix(HOOKS))
        if request.path.startswith(PREFIX):
            return await self._rest(request, request.path.removeprefix(PREFIX))
        return json_answer({"error": {"kind": "NotFound", "message": "see /openapi.json for what there is"}}, 404)

    def _changes(self, request: HttpRequest) -> HttpAnswer:
        """What changes, as server-sent events; a browser goes on by itself from the last one that it saw."""
        if request.method != "GET":
            return json_answer({"error": {"kind": "BadInput", "message": "/changes takes GET"}}, 405, {"Allow": "GET"})
        after = request.headers.get("last-event-id") or request.query.get("after")
        speaker: Speaker = "user" if has_session(request, self._token, self.port) else "agent"
        where = request.headers.get(DIRECTORY_HEADER.lower())
        return HttpAnswer(content_type="text/event-stream", events=self._desk.changes(where, after, speaker))

    async def _hook(self, request: HttpRequest, name: str) -> HttpAnswer:
        """A client that sends its events over HTTP itself: the body is the event, the answer is what a hook prints."""
        client, _, event = name.partition("/")
        if request.method != "POST":
            return json_answer({"error": {"kind": "BadInput", "message": "hooks take POST"}}, 405, {"Allow": "POST"})
        _need_json(request)
        arguments = {"client": client, "event": event, "data": request.json()}
        answer = await self._ask("hook", arguments, None)
        # Whatever went wrong is counted in status; the client hears nothing, as from any hook of ours.
        return HttpAnswer(body=answer["result"]["stdout"].encode("utf-8", "replace") if answer["ok"] else b"")

    async def _rest(self, request: HttpRequest, name: str) -> HttpAnswer:
        operation = OPERATIONS.get(name)
        if (operation is None and name != "status") or (operation is not None and operation.own_process_only):
            return json_answer({"error": {"kind": "NotFound", "message": f"there is no operation {name!r}"}}, 404)
        reads = operation is None or operation.reads
        if request.method not in (("GET", "POST") if reads else ("POST",)):
            words = f"{name} takes {'GET or POST' if reads else 'POST'}"
            return json_answer({"error": {"kind": "BadInput", "message": words}}, 405)
        if request.method == "POST":
            _need_json(request)
        arguments = request.json() if request.method == "POST" else dict(request.query)
        speaker: Speaker = "user" if has_session(request, self._token, self.port) else "agent"
        answer = await self._ask(name, arguments, request.headers.get(DIRECTORY_HEADER.lower()), speaker)
        return _told(answer)

    async def _purge(self, request: HttpRequest) -> HttpAnswer:
        """Erases one memory for good, for a person who logged in and typed the end of its id; never for the token.
        Does not cover a program that logs in with the token in a person's place."""
        if request.method != "POST":
            return json_answer({"error": {"kind": "BadInput", "message": "/purge takes POST"}}, 405, {"Allow": "POST"})
        if "authorization" in request.headers or not has_session(request, self._token, self.port):
            words = "erasing for good is the user's decision: in the dashboard, or with `nightgarden purge`"
            return json_answer({"error": {"kind": "NotAllowed", "message": words}}, 403)
        _need_json(request)
        given = request.json()
        id, typed = (given.get("id"), given.get("typed")) if isinstance(given, dict) else (None, None)
        if not isinstance(id, str) or not is_id(id) or typed != id[-SHORT_CHARS:]:
            words = f"nothing was erased: it needs the whole id, and its last {SHORT_CHARS} characters as typed"
            return json_answer({"error": {"kind": "BadInput", "message": words}}, 400)
        where = request.headers.get(DIRECTORY_HEADER.lower())
        return _told(await self._ask("purge", {"id": [id]}, where, "user"))

    async def _mcp(self, request: HttpRequest) -> HttpAnswer:
        if request.method != "POST":  # no stream of our own to listen to, no session to end
            return json_answer({"error": {"kind": "BadInput", "message": "/mcp takes POST"}}, 405, {"Allow": "POST"})
        _need_json(request)
        where = request.headers.get(DIRECTORY_HEADER.lower())

        async def ask(op: str, arguments: dict[str, Any], directory: str | None) -> Any:
            answer = await self._ask(op, arguments, directory or where)
            if not answer["ok"]:
                raise Refusal(answer["error"]["kind"], answer["error"]["message"])
            return answer["result"]

        reply = await McpConversation(ask).handle(request.json())
        if reply is None:
            return HttpAnswer(status=202)
        failed = isinstance(reply, dict) and "error" in reply and reply["error"].get("code") == -32600
        return json_answer(reply, 400 if failed else 200)

    async def _ask(self, op: str, arguments: Any, directory: str | None, speaker: Speaker = "agent") -> dict[str, Any]:
        request = {"op": op, "arguments": arguments, "directory": directory, "deadline_ms": DEADLINE_MS}
        return await self._desk.answer(request, speaker)

    def _log_in(self, request: HttpRequest) -> HttpAnswer:
        _need_json(request)
        given = request.json()
        if not isinstance(given, dict) or not same(str(given.get("token", "")), self._token):
            return json_answer({"error": {"kind": "NotAllowed", "message": "this is not the token"}}, 403)
        value = cookie_value(self._token, self.port)
        cookie = f"{cookie_name(self.port)}={value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000"
        return json_answer({"ok": True}, headers={"Set-Cookie": cookie})


def _told(answer: dict[str, Any]) -> HttpAnswer:
    """What the desk answered."""
    if answer["ok"]:
        return json_answer(answer["result"])
    return json_answer({"error": answer["error"]}, _STATUS_OF.get(answer["error"]["kind"], 503))


def _need_json(request: HttpRequest) -> None:
    """A form on another site cannot send this type without asking first, and we never say yes."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise BadRequest(415, "send Content-Type: application/json")


def _page(path: str) -> HttpAnswer:
    name, kind = _PAGES[path]
    body = files("nightgarden.surfaces.web").joinpath(name).read_bytes()
    return HttpAnswer(body=body, content_type=kind, headers={"Content-Security-Policy": _PAGE_POLICY})


def _wrong(error: BadRequest) -> HttpAnswer:
    return json_answer({"error": {"kind": "BadInput", "message": str(error)}}, error.status)
