"""A deadline for a whole HTTP exchange. Blocks.

A socket's own timeout is for each read, so that a server which sends one byte in time, again and again, is never too
slow for it. Here the connection is cut off when the time is over, whatever is being read: headers, chunk sizes, body.

Not covered: looking up the name of the server, for which the system has limits of its own.
"""

from __future__ import annotations

import http.client
import socket
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any


class Deadline:
    """Cuts connections off when the time is over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self.passed = False

    def watch(self, connected: socket.socket) -> None:
        """From now on this connection is cut off when the time is over; at once if it is over already."""
        with self._lock:
            self._sockets.append(connected)
            if self.passed:
                _cut(connected)

    def release(self) -> None:
        """Nothing is cut off from now on: a socket that is closed may be another one's soon."""
        with self._lock:
            self._sockets.clear()

    def end(self) -> None:
        with self._lock:
            self.passed = True
            for connected in self._sockets:
                _cut(connected)


def _cut(connected: socket.socket) -> None:
    with suppress(OSError):
        # The plain socket's method: the one of TLS would change the object under its reader.
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


@contextmanager
def within(seconds: float) -> Iterator[Deadline]:
    """Connections that are watched inside this block end after so many seconds. Raises TimeoutError in place of what
    being cut off led to, be it an error or an answer that seems to have ended."""
    deadline = Deadline()
    timer = threading.Timer(seconds, deadline.end)
    timer.daemon = True
    timer.start()
    try:
        yield deadline
    except Exception as error:
        if deadline.passed:
            raise TimeoutError(f"no whole answer within {seconds:g} s") from error
        raise
    finally:
        timer.cancel()
        deadline.release()
    if deadline.passed:
        raise TimeoutError(f"no whole answer within {seconds:g} s")


class _Plain(http.client.HTTPConnection):
    def __init__(self, *args: Any, deadline: Deadline, **options: Any) -> None:
        super().__init__(*args, **options)
        self._deadline = deadline

    def connect(self) -> None:
        super().connect()
        self._deadline.watch(self.sock)


class _Secure(http.client.HTTPSConnection):
    def __init__(self, *args: Any, deadline: Deadline, **options: Any) -> None:
        super().__init__(*args, **options)
        self._deadline = deadline

    def connect(self) -> None:
        super().connect()
        self._deadline.watch(self.sock)


class WatchedHTTP(urllib.request.HTTPHandler):
    """Opens http addresses under a deadline."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_Plain, deadline=self._deadline), req)


class WatchedHTTPS(urllib.request.HTTPSHandler):
    """Opens https addresses under a deadline."""

    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(partial(_Secure, deadline=self._deadline), req)
