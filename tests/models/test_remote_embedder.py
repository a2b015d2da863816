"""The endpoint embedder against a real HTTP server on this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from nightgarden.errors import BadInput, BadSetting, ModelUnavailable
from nightgarden.models.remote import EmbeddingEndpoint, RemoteEmbedder

KEY_VARIABLE = "NIGHTGARDEN_TEST_EMBEDDINGS_KEY"
SECRET = "a-key-nobody-may-see"
Answer = Callable[[dict[str, Any]], tuple[int, bytes]]


def usual(asked: dict[str, Any]) -> tuple[int, bytes]:
    """As an honest endpoint answers, in reverse order to see that the index counts."""
    count = asked.get("dimensions", 4)
    data = [{"index": i, "embedding": [len(text) + 1.0] + [2.0] * (count - 1)} for i, text in enumerate(asked["input"])]
    return 200, json.dumps({"data": data[::-1], "usage": {"total_tokens": 7}}).encode()


class EndpointServer(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.answer: Answer = usual
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.location: str | None = None

    def endpoint(self, **fields: Any) -> EmbeddingEndpoint:
        return EmbeddingEndpoint(url=f"http://127.0.0.1:{self.server_address[1]}/v1/", model="m", **fields)


class _Handler(BaseHTTPRequestHandler):
    server: EndpointServer

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(asked)
        self.server.keys.append(self.headers["Authorization"])
        status, body = self.server.answer(asked) if self.path == "/v1/embeddings" else (404, b"")
        self.send_response(status)
        if self.server.location is not None:
            self.send_header("Location", self.server.location)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@pytest.fixture
def server() -> Iterator[EndpointServer]:
    with EndpointServer() as running:
        thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield running
        running.shutdown()
        thread.join()


def test_texts_become_unit_rows_in_their_order_and_tokens_are_reported(server: EndpointServer) -> None:
    tokens: list[int] = []
    embedder = RemoteEmbedder.connect(server.endpoint(dimension=3), on_tokens=tokens.append)
    rows = embedder.embed([f"{'x' * i}" for i in range(100)])
    assert rows.shape == (100, 3)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert (np.diff(rows[1:, 0]) > 0).all()
    assert tokens == [7, 7]
    assert [len(asked["input"]) for asked in server.asked] == [64, 36]
    assert embedder.embed([]).shape == (0, 3)


def test_the_dimension_is_learned_when_it_is_not_set(server: EndpointServer) -> None:
    embedder = RemoteEmbedder.connect(server.endpoint())
    assert embedder.model.dimension == 4
    assert "dimensions" not in server.asked[0]
    assert embedder.model.id.startswith("m:127.0.0.1")


def test_a_query_gets_its_prefix_and_the_last_one_is_remembered(server: EndpointServer) -> None:
    embedder = RemoteEmbedder.connect(server.endpoint(dimension=4, query_prefix="query: "))
    first = embedder.embed_query("tea")
    assert embedder.embed_query("tea") is first
    assert [asked["input"] for asked in server.asked] == [["query: tea"]]


def test_blank_overlong_and_broken_texts_are_sent_as_something_sendable(server: EndpointServer) -> None:
    RemoteEmbedder.connect(server.endpoint(dimension=4)).embed(["", "\ud800", "x" * 100_000])
    assert server.asked[0]["input"] == [" ", "?", "x" * 24_000]


def test_the_key_comes_from_the_environment_and_shows_in_no_message(
    server: EndpointServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    endpoint = server.endpoint(dimension=4, key_variable=KEY_VARIABLE)
    embedder = RemoteEmbedder.connect(endpoint)
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    with pytest.raises(ModelUnavailable, match=KEY_VARIABLE):
        embedder.embed(["text"])
    monkeypatch.setenv(KEY_VARIABLE, SECRET)
    embedder.embed(["text"])
    assert server.keys == [f"Bearer {SECRET}"]
    server.answer = lambda asked: (401, SECRET.encode())
    with pytest.raises(ModelUnavailable, match="key") as refused:
        embedder.embed(["text"])
    monkeypatch.setenv(KEY_VARIABLE, SECRET + "\nX-Other: 1")
    with pytest.raises(ModelUnavailable) as malformed:
        embedder.embed(["text"])
    for caught in (refused, malformed):
        assert SECRET not in str(caught.value)
        assert caught.value.__suppress_context__
    assert SECRET not in repr(endpoint)


def test_a_redirect_is_not_followed(server: EndpointServer) -> None:
    server.answer = lambda asked: (302, b"")
    server.location = server.endpoint().url + "elsewhere"
    with pytest.raises(ModelUnavailable, match="status 302"):
        RemoteEmbedder.connect(server.endpoint())
    assert len(server.asked) == 1


@pytest.mark.parametrize("status", [400, 413, 422])
def test_a_refused_text_is_bad_input(server: EndpointServer, status: int) -> None:
    server.answer = lambda asked: (status, b"too long")
    with pytest.raises(BadInput, match=str(status)):
        RemoteEmbedder.connect(server.endpoint())


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, b""),
        (429, b"{}"),
        (200, b"<html>"),
        (200, b"[]"),
        (200, b"{}"),
        (200, b'{"data": []}'),
        (200, b'{"data": [{"index": 0, "embedding": []}]}'),
        (200, b'{"data": [{"index": 0, "embedding": [0, 0]}]}'),
        (200, b'{"data": [{"index": 0, "embedding": [NaN, 1]}]}'),
        (200, b'{"data": [{"index": 0, "embedding": ["a"]}]}'),
        (200, b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [1]}]}'),
    ],
)
def test_a_failing_or_nonsensical_endpoint_is_unavailable(server: EndpointServer, status: int, body: bytes) -> None:
    server.answer = lambda asked: (status, body)
    with pytest.raises(ModelUnavailable, match="endpoint http://127"):
        RemoteEmbedder.connect(server.endpoint())


def test_another_dimension_than_set_is_unavailable(server: EndpointServer) -> None:
    server.answer = lambda asked: usual({**asked, "dimensions": 5})
    with pytest.raises(ModelUnavailable, match="5 numbers"):
        RemoteEmbedder.connect(server.endpoint(dimension=4)).embed(["text"])


def test_nobody_listening_and_a_silent_server_are_unavailable(server: EndpointServer) -> None:
    release = threading.Event()

    def silent(asked: dict[str, Any]) -> tuple[int, bytes]:
        release.wait(20)
        return usual(asked)

    server.answer = silent
    with pytest.raises(ModelUnavailable, match="no whole answer"):
        RemoteEmbedder.connect(server.endpoint(timeout_seconds=0.05))
    release.set()
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        RemoteEmbedder.connect(EmbeddingEndpoint(url="http://127.0.0.1:1/v1", model="m", timeout_seconds=5))


@pytest.mark.parametrize("url", ["", "localhost:11434", "file:///etc/passwd", "http://"])
def test_an_address_that_is_none_is_a_bad_setting(url: str) -> None:
    with pytest.raises(BadSetting, match="http"):
        RemoteEmbedder.connect(EmbeddingEndpoint(url=url, model="m"))
