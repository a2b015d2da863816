"""A server on loopback that answers with bytes as a test says, piece by piece: for answers that never end."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

PACE_SECONDS = 0.02


@dataclass
class Raw:
    """Where it listens, and what came in."""

    url: str = ""
    requests: list[bytes] = field(default_factory=list)


@contextmanager
def raw_server(opening: bytes, piece: bytes, *, pace: float = PACE_SECONDS) -> Iterator[Raw]:
    """Answers each request with the opening and then one piece after the other, until whoever asked goes away."""
    listener = socket.create_server(("127.0.0.1", 0))
    raw, over = Raw(url=f"http://127.0.0.1:{listener.getsockname()[1]}"), threading.Event()

    def answer(connected: socket.socket) -> None:
        with connected, suppress(OSError):
            raw.requests.append(connected.recv(1 << 20))
            connected.sendall(opening)
            while piece and not over.wait(pace):
                connected.sendall(piece)

    def listen() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield raw
    finally:
        over.set()
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join(timeout=10)


HEADERS = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
DRIPS = {  # what is dripped, and how it begins
    "status": (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "header": (HEADERS + b"X-Long: ", b"a"),
    "body": (HEADERS + b"Content-Length: 100000\r\n\r\n", b" "),
    "chunk size": (HEADERS + b"Transfer-Encoding: chunked\r\n\r\n", b"0"),
    "trailer": (HEADERS + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", b"A: b\r\n"),
    "reason": (b"HTTP/1.1 503 Busy\r\nContent-Length: 4000\r\n\r\n", b" "),
}
