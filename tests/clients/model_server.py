"""A scripted model server: speaks Anthropic Messages, OpenAI Chat Completions and Responses, and Gemini on 127.0.0.1.

A script is a list of rules; the first whose conditions hold answers. Everything asked is recorded for assertions.
It knows nothing about the clients that talk to it, and it does not judge what they send.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self

from tests.clients import wire_anthropic, wire_chat, wire_gemini, wire_responses
from tests.clients.wire import Asked, Reply, ToolCall

__all__ = ["Asked", "ModelServer", "Reply", "Rule", "ToolCall"]

_DELAY_SECONDS_MAX = 60.0
Protocol = Literal["anthropic", "chat", "responses"]

_WIRES = {
    "/messages": wire_anthropic,
    "/chat/completions": wire_chat,
    "/responses": wire_responses,
    wire_gemini.STREAMED: wire_gemini,
    wire_gemini.WHOLE: wire_gemini,
}
_OPENAI_LIMITS = {
    "x-ratelimit-limit-requests": "500",
    "x-ratelimit-remaining-requests": "499",
    "x-ratelimit-reset-requests": "120ms",
    "x-ratelimit-limit-tokens": "200000",
    "x-ratelimit-remaining-tokens": "199000",
    "x-ratelimit-reset-tokens": "300ms",
    "x-codex-primary-used-percent": "12.5",
    "x-codex-primary-window-minutes": "300",
    "x-codex-primary-reset-at": "4102444800",
}
_ANTHROPIC_LIMITS = {
    "anthropic-ratelimit-requests-limit": "50",
    "anthropic-ratelimit-requests-remaining": "49",
    "anthropic-ratelimit-requests-reset": "2100-01-01T00:00:00Z",
    "anthropic-ratelimit-tokens-limit": "80000",
    "anthropic-ratelimit-tokens-remaining": "79000",
    "anthropic-ratelimit-tokens-reset": "2100-01-01T00:00:00Z",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Answers when the last user text matches `says` and the fresh tool results match `after_tool`.

    Without `after_tool` it answers only before any tool has run. Clients also ask for titles and summaries, without
    offering tools; those get the server's default unless `offers_tools` is False or None (either).
    """

    reply: Reply | Callable[[Asked], Reply]
    says: str = ""
    after_tool: str | None = None
    offers_tools: bool | None = True

    def answer(self, asked: Asked) -> Reply | None:
        if self.offers_tools is not None and self.offers_tools != bool(asked.tool_names):
            return None
        if not re.search(self.says, asked.user_text, re.DOTALL):
            return None
        if self.after_tool is None:
            if asked.tool_results:
                return None
        elif not asked.tool_results or not re.search(self.after_tool, "\n".join(asked.tool_results), re.DOTALL):
            return None
        return self.reply(asked) if callable(self.reply) else self.reply


@dataclass(slots=True, kw_only=True)
class ModelServer:
    """Runs in threads while the `with` block lasts."""

    rules: Sequence[Rule] = ()
    default: Reply = field(default_factory=lambda: Reply(text="ok"))
    limits: Mapping[str, str] = field(default_factory=dict)  # added to, or overriding, the usual rate-limit headers
    asked: list[Asked] = field(default_factory=list)
    unknown_paths: list[str] = field(default_factory=list)
    _http: ThreadingHTTPServer | None = None
    _thread: threading.Thread | None = None

    @property
    def url(self) -> str:
        assert self._http is not None, "use it as a context manager"
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def answer(self, asked: Asked) -> Reply:
        self.asked.append(asked)
        for rule in self.rules:
            reply = rule.answer(asked)
            if reply is not None:
                return reply
        return self.default

    def __enter__(self) -> Self:
        server = self

        class Handler(_Handler):
            owner = server  # type: ignore[assignment]

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._http is not None
        assert self._thread is not None
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _halved(events: Iterator[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    whole = list(events)
    return iter(whole[: len(whole) // 2])


class _Handler(BaseHTTPRequestHandler):
    owner: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Silent: the tests look at what was recorded."""

    def do_HEAD(self) -> None:
        self._send(200, {})

    def do_GET(self) -> None:
        if self._path().endswith("/models"):
            names = ("scripted-model", "claude-scripted")
            data = [
                {"id": name, "type": "model", "object": "model", "display_name": name, "created": 0} for name in names
            ]
            self._send(200, {"object": "list", "data": data, "models": [], "has_more": False})
        else:
            self.owner.unknown_paths.append(f"GET {self.path}")
            self._send(404, {"error": {"type": "not_found_error", "message": f"no such path {self.path}"}})

    def do_POST(self) -> None:
        body = self._body()
        path = self._path()
        if path.endswith("/messages/count_tokens"):
            self._send(200, {"input_tokens": max(1, len(json.dumps(body)) // 4)})
            return
        for suffix, wire in _WIRES.items():
            if path.endswith(suffix):
                asked = wire.read(path, dict(self.headers.items()), body)
                self._reply(asked, self.owner.answer(asked))
                return
        self.owner.unknown_paths.append(f"POST {self.path}")
        self._send(404, {"error": {"type": "not_found_error", "message": f"no such path {self.path}"}})

    def _reply(self, asked: Asked, reply: Reply) -> None:
        wire = _WIRES[asked.endpoint]
        if reply.delay is not None:
            reply.delay.wait(_DELAY_SECONDS_MAX)
        if reply.raw is not None:
            self._send_bytes(reply.status, reply.raw, reply.headers)
        elif reply.status != 200:
            error = {"type": reply.error_type, "message": reply.text or "scripted failure", "code": reply.error_type}
            self._send(reply.status, {"type": "error", "error": error}, extra=reply.headers)
        elif asked.body.get("stream"):
            self._stream(_halved(wire.events(asked, reply)) if reply.cut else wire.events(asked, reply), reply.headers)
        else:
            whole = json.dumps(wire.whole(asked, reply)).encode()
            self._send_bytes(200, whole, reply.headers, cut=reply.cut)

    def _path(self) -> str:
        return self.path.partition("?")[0].rstrip("/")

    def _body(self) -> dict[str, Any]:
        raw = self.rfile.read(int(self.headers.get("content-length") or 0))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            return {"unreadable": raw.decode("utf-8", "replace")}
        return body if isinstance(body, dict) else {"value": body}

    def _headers(self, extra: Mapping[str, str]) -> None:
        anthropic = "/messages" in self.path
        limits = _ANTHROPIC_LIMITS if anthropic else _OPENAI_LIMITS
        for name, value in {**limits, **self.owner.limits, **extra}.items():
            self.send_header(name, value)

    def _send(self, status: int, value: Any, extra: Mapping[str, str] | None = None) -> None:
        self._send_bytes(status, json.dumps(value).encode(), extra or {})

    def _send_bytes(self, status: int, raw: bytes, extra: Mapping[str, str], *, cut: bool = False) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(raw)))
            self._headers(extra)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(raw[: len(raw) // 2] if cut else raw)
        except (BrokenPipeError, ConnectionResetError):
            return  # the client gave up on this answer, which is its right
        if cut:
            self.close_connection = True

    def _stream(self, events: Iterator[tuple[str, Any]], extra: Mapping[str, str]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("cache-control", "no-cache")
        self.send_header("connection", "close")  # the end of the stream is the end of the connection
        self._headers(extra)
        self.end_headers()
        self.close_connection = True
        try:
            for name, data in events:
                text = data if isinstance(data, str) else json.dumps(data)
                self.wfile.write((f"event: {name}\n" if name else "").encode() + f"data: {text}\n\n".encode())
                self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            return  # the client gave up on this answer, which is its right
