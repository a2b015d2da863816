"""A web server on loopback that serves whatever a test tells it to, good and bad."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Handler = Callable[[Any], None]


@dataclass
class Site:
    """Pages by path, and the requests that came in."""

    url: str = ""
    pages: dict[str, Handler] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    def serve(self, path: str, body: bytes | str, content_type: str = "application/xml", **headers: str) -> str:
        data = body.encode() if isinstance(body, str) else body

        def handle(request: Any) -> None:
            etag = headers.get("ETag")
            if etag and request.headers.get("If-None-Match") == etag:
                request.send_response(304)
                request.end_headers()
                return
            request.send_response(200)
            request.send_header("Content-Type", content_type)
            request.send_header("Content-Length", str(len(data)))
            for name, value in headers.items():
                request.send_header(name, value)
            request.end_headers()
            request.wfile.write(data)

        self.pages[path] = handle
        return self.url + path

    def redirect(self, path: str, to: str) -> str:
        def handle(request: Any) -> None:
            request.send_response(302)
            request.send_header("Location", to)
            request.send_header("Content-Length", "0")
            request.end_headers()

        self.pages[path] = handle
        return self.url + path

    def flood(self, path: str, size: int) -> str:
        def handle(request: Any) -> None:
            request.send_response(200)
            request.send_header("Content-Length", str(size))
            request.end_headers()
            for _ in range(size // 65536):
                request.wfile.write(b"<" + b"a" * 65535)

        self.pages[path] = handle
        return self.url + path


@contextmanager
def web_server() -> Iterator[Site]:
    site = Site()

    class Requests(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = self.rfile.read(length) if length else b""
            path = self.path.partition("?")[0]
            site.requests.append((self.path, dict(self.headers.items()), body))
            self.close_connection = True
            handle = site.pages.get(path)
            try:
                if handle is None:
                    self.send_response(404)
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                else:
                    handle(self)
            except OSError:
                return  # the reader has had enough

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Requests)
    server.daemon_threads = True
    site.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
