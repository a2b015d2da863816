"""Fetching one address of a stranger: bounded in time, size and redirects, never inside the network. Blocks.

Each redirect is checked like the first address. The connection goes to the address that was checked; the certificate is
that of the name. The time limit is for the whole answer, so that one which drips a byte a second is cut off as well.
Proxies of the environment are not used: behind one, the check of addresses would look at the wrong machine.
"""

from __future__ import annotations

import http.client
import socket
import ssl
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

from nightgarden.errors import NightgardenError
from nightgarden.initiative.feeds.addresses import FetchTarget, HostUnknown, RefusedAddress, resolve
from nightgarden.models.deadline import Deadline, within

SECONDS_MAX = 9.0
REDIRECTS_MAX = 5
BYTES_MAX = 2 << 20  # feeds and pages are far smaller
_CHUNK = 16_384
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_AGENT = "nightgarden (+feed reader)"


class FetchFailed(NightgardenError):
    """It could not be fetched. `kind` is a word to count by."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """An answer. `body` is empty when nothing changed since the validators that were sent."""

    url: str  # after redirects
    status: int
    body: bytes
    content_type: str
    etag: str
    last_modified: str

    @property
    def unchanged(self) -> bool:
        return self.status == 304


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a fetch keeps to."""

    allow_loopback: bool = False
    seconds_max: float = SECONDS_MAX
    bytes_max: int = BYTES_MAX


def fetch(
    url: str,
    rules: Rules,
    *,
    etag: str = "",
    last_modified: str = "",
    accept: str = "*/*",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> Fetched:
    """Raises FetchFailed. With a `body` it is a POST, and then no redirect is followed."""
    sent = {"User-Agent": _AGENT, "Accept": accept, "Accept-Encoding": "gzip", **(headers or {})}
    if etag:
        sent["If-None-Match"] = etag
    if last_modified:
        sent["If-Modified-Since"] = last_modified
    try:
        with within(rules.seconds_max) as deadline:
            return _follow(url, rules, sent, body, deadline)
    except TimeoutError:
        raise FetchFailed("timeout", f"no whole answer within {rules.seconds_max:g} s") from None


def _follow(url: str, rules: Rules, sent: dict[str, str], body: bytes | None, deadline: Deadline) -> Fetched:
    for _ in range(REDIRECTS_MAX + 1):
        try:
            target = resolve(url, allow_loopback=rules.allow_loopback)
        except HostUnknown as error:
            raise FetchFailed("unreachable", str(error)) from None
        except RefusedAddress as error:
            raise FetchFailed("refused", str(error)) from None
        fetched, onward = _once(url, target, sent, body, rules, deadline)
        if onward is None:
            return fetched
        if body is not None:
            raise FetchFailed("redirect", "a redirect of a request with a body is not followed")
        url = urljoin(url, onward)
        sent = {name: value for name, value in sent.items() if name != "Authorization"}
    raise FetchFailed("redirect", f"more than {REDIRECTS_MAX} redirects")


class _Plain(http.client.HTTPConnection):
    """Connects to the address that was checked."""

    def __init__(self, target: FetchTarget, timeout: float, deadline: Deadline) -> None:
        super().__init__(target.host, target.port, timeout=timeout)
        self.target = target
        self.deadline = deadline
        self.held: socket.socket | None = None  # `sock` is let go of before the answer is read

    def connect(self) -> None:
        self.sock = self.held = socket.create_connection((self.target.ip, self.target.port), self.timeout)
        self.deadline.watch(self.sock)


class _Secure(_Plain):
    """The same with the certificate of the name."""

    default_port = 443

    def connect(self) -> None:
        super().connect()
        secure = ssl.create_default_context().wrap_socket(
            self.sock, server_hostname=self.target.host, do_handshake_on_connect=False
        )
        self.sock = self.held = secure
        self.deadline.watch(secure)
        secure.do_handshake()


def _once(
    url: str,
    target: FetchTarget,
    headers: Mapping[str, str],
    body: bytes | None,
    rules: Rules,
    deadline: Deadline,
) -> tuple[Fetched, str | None]:
    """One request, and where it leads on to."""
    connection = (_Secure if target.scheme == "https" else _Plain)(target, rules.seconds_max, deadline)
    response: http.client.HTTPResponse | None = None
    try:
        connection.request("GET" if body is None else "POST", target.path, body=body, headers=dict(headers))
        response = connection.getresponse()
        onward = response.getheader("Location") if response.status in _REDIRECTS else None
        wanted = onward is None and response.status != 304
        content = _read(response, rules) if wanted else b""
    except TimeoutError:
        raise
    except ssl.SSLError as error:
        raise FetchFailed("unreachable", f"the connection is not secure: {error.reason}") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise FetchFailed("unreachable", f"cannot be reached: {type(error).__name__}") from None
    finally:
        if response is not None:
            response.close()
        connection.close()
        if connection.held is not None:
            connection.held.close()
    if onward is None and response.status not in (200, 201, 202, 203, 304):
        raise FetchFailed("status", f"answered with status {response.status}")
    fetched = Fetched(
        url=url,
        status=response.status,
        body=content,
        content_type=(response.getheader("Content-Type") or "")[:200],
        etag=(response.getheader("ETag") or "")[:500],
        last_modified=(response.getheader("Last-Modified") or "")[:100],
    )
    return fetched, onward


def _read(response: http.client.HTTPResponse, rules: Rules) -> bytes:
    """The body, unpacked; never more than the limit is held, packed or not."""
    packed = (response.getheader("Content-Encoding") or "").strip().lower()
    if packed not in ("", "identity", "gzip", "x-gzip"):
        raise FetchFailed("encoding", f"the answer is packed as {packed[:20]!r}")
    unpack = zlib.decompressobj(wbits=31) if "gzip" in packed else None
    whole = bytearray()
    while True:
        chunk = response.read1(_CHUNK)
        if not chunk:
            return bytes(whole)
        try:
            whole += unpack.decompress(chunk, rules.bytes_max + 1 - len(whole)) if unpack else chunk
        except zlib.error:
            raise FetchFailed("encoding", "the answer cannot be unpacked") from None
        if len(whole) > rules.bytes_max or (unpack and unpack.unconsumed_tail):
            raise FetchFailed("too large", f"more than {rules.bytes_max:,} bytes")
