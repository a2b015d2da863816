"""HTTP/1.1 as far as a local program needs it: reads requests, writes answers. Knows no route and no token.

Bodies come with a Content-Length; chunked ones are turned away. Everything is bounded: lines, headers, body, time.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

HEAD_BYTES_MAX = 32 * 1024
BODY_BYTES_MAX = 4 * 1024 * 1024
HEAD_SECONDS_MAX = 15.0  # also how long a kept connection may rest
FIRST_HEAD_SECONDS_MAX = 5.0  # whoever connects has something to ask
BODY_SECONDS_MAX = 15.0
QUERY_FIELDS_MAX = 100
_REASONS = {
    200: "OK",
    202: "Accepted",
    204: "No Content",
    303: "See Other",
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    411: "Length Required",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}


class BadRequest(Exception):
    """The request cannot be read; the connection is closed after the answer."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest:
    """One request, with lower-case header names."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: bytes
    keep_alive: bool

    def json(self) -> Any:
        """The body as JSON. Raises BadRequest."""
        try:
            return json.loads(self.body or b"{}")
        except (ValueError, RecursionError) as error:
            raise BadRequest(400, f"the body is not JSON: {error}") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAnswer:
    """One answer."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)

    def encode(self, *, keep_alive: bool, head_only: bool) -> bytes:
        lines = [f"HTTP/1.1 {self.status} {_REASONS.get(self.status, 'Status')}"]
        headers = {
            "Content-Length": str(len(self.body)),
            "Connection": "keep-alive" if keep_alive else "close",
            # Nothing here is for caches, frames or guesses about types.
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            **({"Content-Type": self.content_type} if self.body else {}),
            **self.headers,
        }
        lines += [f"{name}: {value}" for name, value in headers.items()]
        head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")
        return head if head_only else head + self.body


def json_answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> HttpAnswer:
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return HttpAnswer(status=status, body=body, headers=headers or {})


async def read_request(reader: asyncio.StreamReader, *, head_seconds: float = HEAD_SECONDS_MAX) -> HttpRequest | None:
    """The next request; None when the other side is done. Raises BadRequest."""
    try:
        async with asyncio.timeout(head_seconds):
            head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    except TimeoutError:
        return None
    except asyncio.LimitOverrunError:
        raise BadRequest(431, "the headers are too long") from None
    lines = head.decode("latin-1").split("\r\n")
    try:
        method, target, version = lines[0].split(" ")
        pairs = [line.split(":", 1) for line in lines[1:] if line]
        names = [name.lower() for name, _ in pairs]
        headers = {name.lower(): value.strip() for name, value in pairs}
    except ValueError:
        raise BadRequest(400, "this is not HTTP") from None
    if version not in ("HTTP/1.1", "HTTP/1.0") or any(not name or name != name.strip() for name, _ in pairs):
        raise BadRequest(400, "this is not HTTP/1.1")
    if len(names) != len(set(names)) and any(names.count(once) > 1 for once in ("host", "content-length", "origin")):
        raise BadRequest(400, "a header is given twice")
    body = await _read_body(reader, headers)
    try:
        split = urlsplit(target)
    except ValueError:
        raise BadRequest(400, "the target of the request cannot be read") from None
    connection = headers.get("connection", "").lower()
    return HttpRequest(
        method=method.upper(),
        path=unquote(split.path),
        query=_query(split.query),
        headers=headers,
        body=body,
        keep_alive=version == "HTTP/1.1" and "close" not in connection,
    )


def _query(text: str) -> dict[str, str]:
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=QUERY_FIELDS_MAX))
    except ValueError:
        raise BadRequest(400, f"the query has more than {QUERY_FIELDS_MAX} fields") from None


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if "transfer-encoding" in headers:
        raise BadRequest(411, "send the body with a Content-Length")
    text = headers.get("content-length", "0")
    if not (text.isascii() and text.isdigit()) or len(text) > 12:
        raise BadRequest(400, "the Content-Length is not a number")
    if int(text) > BODY_BYTES_MAX:
        raise BadRequest(413, f"the body is longer than {BODY_BYTES_MAX:,} bytes")
    try:
        async with asyncio.timeout(BODY_SECONDS_MAX):
            return await reader.readexactly(int(text))
    except TimeoutError:
        raise BadRequest(408, "the body did not come in time") from None
    except asyncio.IncompleteReadError:
        raise BadRequest(400, "the body broke off") from None
