"""HTTP/1.1 on a stream: h11 reads and frames, this bounds it. Knows no route and no token.

Everything is bounded: head, body, time. An answer may be a stream of events that lasts until the client goes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import h11

HEAD_BYTES_MAX = 32 * 1024
BODY_BYTES_MAX = 4 * 1024 * 1024
HEAD_SECONDS_MAX = 15.0  # also how long a kept connection may rest
FIRST_HEAD_SECONDS_MAX = 5.0  # whoever connects has something to ask
BODY_SECONDS_MAX = 15.0
QUERY_FIELDS_MAX = 100
READ_BYTES = 64 * 1024


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
    """One answer: a body, or events as they come."""

    status: int = 200
    body: bytes = b""
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    events: AsyncIterator[bytes] | None = None  # instead of a body

    def head(self, *, keep_alive: bool) -> list[tuple[str, str]]:
        """All headers but those that frame the body."""
        headers = {
            "Connection": "keep-alive" if keep_alive else "close",
            # Nothing here is for caches, frames or guesses about types.
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            **({"Content-Type": self.content_type} if self.body or self.events is not None else {}),
            **self.headers,
        }
        return list(headers.items())


def json_answer(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> HttpAnswer:
    body = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return HttpAnswer(status=status, body=body, headers=headers or {})


class HttpConnection:
    """One client: requests in, answers out, one after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._wire = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES_MAX)
        self._head_only = False  # the request was a HEAD: its answer has headers and no body

    async def read(self, *, head_seconds: float = HEAD_SECONDS_MAX) -> HttpRequest | None:
        """The next request; None when the other side is done, or says nothing for too long. Raises BadRequest."""
        self._head_only = False
        try:
            async with asyncio.timeout(head_seconds):
                head = await self._event()
        except TimeoutError:
            return None
        if not isinstance(head, h11.Request):
            return None
        self._head_only = head.method == b"HEAD"
        headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in head.headers]
        if [name for name, _ in headers].count("origin") > 1:
            raise BadRequest(400, "a header is given twice")
        try:
            async with asyncio.timeout(BODY_SECONDS_MAX):
                body = await self._read_body(dict(headers))
        except TimeoutError:
            raise BadRequest(408, "the body did not come in time") from None
        return _request(head, dict(headers), body)

    async def _read_body(self, headers: dict[str, str]) -> bytes:
        if int(headers.get("content-length", "0")) > BODY_BYTES_MAX:
            raise BadRequest(413, f"the body is longer than {BODY_BYTES_MAX:,} bytes")
        if self._wire.they_are_waiting_for_100_continue:
            self._writer.write(self._wire.send(h11.InformationalResponse(status_code=100, headers=[])))
        pieces, size = [], 0
        while isinstance(event := await self._event(), h11.Data):
            pieces.append(bytes(event.data))
            size += len(event.data)
            if size > BODY_BYTES_MAX:
                raise BadRequest(413, f"the body is longer than {BODY_BYTES_MAX:,} bytes")
        if not isinstance(event, h11.EndOfMessage):
            raise BadRequest(400, "the body broke off")
        return b"".join(pieces)

    async def _event(self) -> object:
        try:
            while (event := self._wire.next_event()) is h11.NEED_DATA:
                self._wire.receive_data(await self._reader.read(READ_BYTES))
        except h11.RemoteProtocolError as error:
            hint = error.error_status_hint
            words = "the headers are too long" if hint == 431 else f"this is not HTTP/1.1: {error}"
            raise BadRequest(hint, words) from None
        return event

    async def send(self, answer: HttpAnswer, *, keep_alive: bool) -> bool:
        """Writes an answer; whether another request may follow."""
        sized = [] if answer.events is not None else [("Content-Length", str(len(answer.body)))]
        headers = [*answer.head(keep_alive=keep_alive and answer.events is None), *sized]
        self._write(h11.Response(status_code=answer.status, headers=_latin(headers), reason=_reason(answer.status)))
        if answer.events is not None:
            await self._stream(answer.events)
        elif answer.body and not self._head_only:
            self._write(h11.Data(data=answer.body))
        self._write(h11.EndOfMessage())
        await self._writer.drain()
        if self._wire.our_state is not h11.DONE or self._wire.their_state is not h11.DONE:
            return False
        self._wire.start_next_cycle()
        return True

    async def _stream(self, events: AsyncIterator[bytes]) -> None:
        """Until there are no more, or the client has gone."""
        gone = asyncio.create_task(self._reader.read(1))
        try:
            await self._writer.drain()
            async for piece in events:
                if gone.done():
                    return
                self._write(h11.Data(data=piece))
                await self._writer.drain()
        finally:
            gone.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await gone

    def _write(self, event: h11.Event) -> None:
        if data := self._wire.send(event):
            self._writer.write(data)


def _request(head: h11.Request, headers: dict[str, str], body: bytes) -> HttpRequest:
    try:
        split = urlsplit(head.target.decode("latin-1"))
    except ValueError:
        raise BadRequest(400, "the target of the request cannot be read") from None
    return HttpRequest(
        method=head.method.decode("latin-1").upper(),
        path=unquote(split.path),
        query=_query(split.query),
        headers=headers,
        body=body,
        keep_alive=head.http_version >= b"1.1" and "close" not in headers.get("connection", "").lower(),
    )


def _query(text: str) -> dict[str, str]:
    try:
        return dict(parse_qsl(text, keep_blank_values=True, max_num_fields=QUERY_FIELDS_MAX))
    except ValueError:
        raise BadRequest(400, f"the query has more than {QUERY_FIELDS_MAX} fields") from None


def _latin(headers: list[tuple[str, str]]) -> list[tuple[bytes, bytes]]:
    return [(name.encode("latin-1", "replace"), value.encode("latin-1", "replace")) for name, value in headers]


def _reason(status: int) -> bytes:
    try:
        return HTTPStatus(status).phrase.encode()
    except ValueError:
        return b"Status"
