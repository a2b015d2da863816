"""Embeds through an OpenAI-compatible endpoint, chosen only by setting. Calls block.

Text leaves the machine here and nowhere else in this room. The key is read at each call from the environment variable
named in the settings, goes into one header and into no message. Redirects are refused: they would lead it elsewhere."""

from __future__ import annotations

import json
import os
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from nightgarden.domain.ports import EmbeddingModel, Vector
from nightgarden.errors import BadInput, BadSetting, ModelUnavailable

TEXTS_PER_CALL_MAX = 64
CHARACTERS_MAX = 24_000  # 8,191 tokens, the usual limit, at three characters each
ANSWER_BYTES_MAX = 64 << 20
_TEXT_AT_FAULT = frozenset({400, 413, 422})  # the text was refused, not the service down


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """Where to embed and with what."""

    url: str  # up to and without /embeddings, such as http://localhost:11434/v1
    model: str
    dimension: int | None = None  # asked of the endpoint when not given
    key_variable: str | None = None  # name of the environment variable that holds the key
    timeout_seconds: float = 30.0
    query_prefix: str = ""


class RemoteEmbedder:
    """The Embedder port over an endpoint. Make it with `connect`."""

    def __init__(self, endpoint: Endpoint, dimension: int, on_tokens: Callable[[int], None] | None) -> None:
        self._endpoint = endpoint
        self._on_tokens = on_tokens
        host = urlsplit(endpoint.url).netloc.rpartition("@")[2]
        self._model = EmbeddingModel(
            id=f"{endpoint.model}:{host}-{dimension}:remote",
            name=endpoint.model,
            dimension=dimension,
            pooling="remote",
        )
        self._last_query: tuple[str, Vector] | None = None
        self._last_query_lock = threading.Lock()

    @classmethod
    def connect(cls, endpoint: Endpoint, *, on_tokens: Callable[[int], None] | None = None) -> RemoteEmbedder:
        """Checks the settings and, when the dimension is not set, embeds one word to learn it."""
        if urlsplit(endpoint.url).scheme not in ("http", "https") or not urlsplit(endpoint.url).hostname:
            raise BadSetting(f"The embeddings endpoint {endpoint.url!r} is not an http or https address.")
        if endpoint.dimension is not None:
            return cls(endpoint, endpoint.dimension, on_tokens)
        rows = _call(endpoint, ["dimension"], on_tokens)
        return cls(endpoint, rows.shape[1], on_tokens)

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    def embed(self, texts: Sequence[str]) -> Vector:
        """One unit row per text. Raises BadInput when a text was refused, ModelUnavailable when the service failed."""
        parts = [texts[start : start + TEXTS_PER_CALL_MAX] for start in range(0, len(texts), TEXTS_PER_CALL_MAX)]
        rows = [_call(self._endpoint, part, self._on_tokens) for part in parts]
        if not rows:
            return np.empty((0, self._model.dimension), dtype=np.float32)
        found = np.concatenate(rows)
        if found.shape[1] != self._model.dimension:
            raise ModelUnavailable(
                f"{self._endpoint.model} gave {found.shape[1]} numbers a text where {self._model.dimension} were set."
            )
        return found

    def embed_query(self, text: str) -> Vector:
        """One unit vector for a text to search by; the last one is remembered."""
        with self._last_query_lock:
            if self._last_query is not None and self._last_query[0] == text:
                return self._last_query[1]
        vector: Vector = self.embed([self._endpoint.query_prefix + text])[0]
        vector.flags.writeable = False  # it is handed out again
        with self._last_query_lock:
            self._last_query = (text, vector)
        return vector


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Answers a redirect with the error it came with: following it would hand the key to another host."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _call(endpoint: Endpoint, texts: Sequence[str], on_tokens: Callable[[int], None] | None) -> Vector:
    # A blank text is refused by most endpoints, and lone surrogates cannot be sent at all.
    sent = [text[:CHARACTERS_MAX].encode("utf-8", "replace").decode("utf-8") or " " for text in texts]
    body: dict[str, Any] = {"model": endpoint.model, "input": sent, "encoding_format": "float"}
    if endpoint.dimension is not None:
        body["dimensions"] = endpoint.dimension
    answer = _post(endpoint, json.dumps(body).encode("utf-8"))
    rows = _read_rows(answer, len(texts), endpoint)
    usage = answer.get("usage")
    if on_tokens is not None and isinstance(usage, dict) and isinstance(usage.get("total_tokens"), int):
        on_tokens(usage["total_tokens"])
    return rows


def _post(endpoint: Endpoint, body: bytes) -> dict[str, Any]:
    where = f"The embeddings endpoint {_shown(endpoint)}"
    headers = {"Content-Type": "application/json", "Accept": "application/json"}
    if endpoint.key_variable is not None:
        key = os.environ.get(endpoint.key_variable)
        if not key:
            raise ModelUnavailable(f"{where} needs a key, and the variable {endpoint.key_variable} is not set.")
        headers["Authorization"] = f"Bearer {key}"
    request = urllib.request.Request(endpoint.url.rstrip("/") + "/embeddings", data=body, headers=headers)
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=endpoint.timeout_seconds) as response:
            raw = response.read(ANSWER_BYTES_MAX)
    except urllib.error.HTTPError as error:
        with error:
            if error.code in _TEXT_AT_FAULT:
                raise BadInput(f"{where} refused the text (status {error.code}).") from None
            hint = "check its key" if error.code in (401, 403) else "try again later or check its address"
            raise ModelUnavailable(f"{where} answered with status {error.code}; {hint}.") from None
    except (OSError, HTTPException, ValueError) as error:
        # The cause is named by its type alone: a ValueError about a bad header quotes the header, key and all.
        cause = error.reason if isinstance(error, urllib.error.URLError) else type(error).__name__
        raise ModelUnavailable(f"{where} cannot be reached: {cause}.") from None
    try:
        answer = json.loads(raw)
    except ValueError:
        raise ModelUnavailable(f"{where} answered with something that is not JSON.") from None
    if not isinstance(answer, dict):
        raise ModelUnavailable(f"{where} answered with JSON that is not an object.")
    return answer


def _read_rows(answer: dict[str, Any], count: int, endpoint: Endpoint) -> Vector:
    where = f"The embeddings endpoint {_shown(endpoint)}"
    try:
        data = sorted(answer["data"], key=lambda item: item["index"])
        rows = np.asarray([item["embedding"] for item in data], dtype=np.float32)
    except (KeyError, TypeError, ValueError):
        raise ModelUnavailable(f"{where} answered without embeddings in the usual shape.") from None
    if rows.ndim != 2 or rows.shape[0] != count or rows.shape[1] == 0:
        raise ModelUnavailable(f"{where} answered with {len(data)} embeddings for {count} texts.")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise ModelUnavailable(f"{where} answered with an embedding that is zero or not a number.")
    unit: Vector = (rows / lengths).astype(np.float32)
    return unit


def _shown(endpoint: Endpoint) -> str:
    """The address without user and password, should someone have put them there."""
    parts = urlsplit(endpoint.url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="").geturl()
