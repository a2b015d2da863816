"""Embeds through an OpenAI-compatible endpoint, chosen only by setting. Calls block.

Text leaves the machine here and, for a mind, in `minds`; nowhere else in this room. The key is read at each call from
the environment variable named in the settings."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from nightgarden.domain.ports import EmbeddingModel, Vector
from nightgarden.errors import BadSetting, ModelUnavailable
from nightgarden.models.post import post_json, shown

TEXTS_PER_CALL_MAX = 64
CHARACTERS_MAX = 24_000  # 8,191 tokens, the usual limit, at three characters each


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingEndpoint:
    """Where to embed and with what."""

    url: str  # up to and without /embeddings, such as http://localhost:11434/v1
    model: str
    dimension: int | None = None  # asked of the endpoint when not given
    key_variable: str | None = None  # name of the environment variable that holds the key
    timeout_seconds: float = 30.0
    query_prefix: str = ""


class RemoteEmbedder:
    """The Embedder port over an endpoint. Make it with `connect`."""

    def __init__(self, endpoint: EmbeddingEndpoint, dimension: int, on_tokens: Callable[[int], None] | None) -> None:
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
    def connect(cls, endpoint: EmbeddingEndpoint, *, on_tokens: Callable[[int], None] | None = None) -> RemoteEmbedder:
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


def _call(endpoint: EmbeddingEndpoint, texts: Sequence[str], on_tokens: Callable[[int], None] | None) -> Vector:
    # A blank text is refused by most endpoints, and lone surrogates cannot be sent at all.
    sent = [text[:CHARACTERS_MAX].encode("utf-8", "replace").decode("utf-8") or " " for text in texts]
    body: dict[str, Any] = {"model": endpoint.model, "input": sent, "encoding_format": "float"}
    if endpoint.dimension is not None:
        body["dimensions"] = endpoint.dimension
    answer = _post(endpoint, body)
    rows = _read_rows(answer, len(texts), endpoint)
    usage = answer.get("usage")
    if on_tokens is not None and isinstance(usage, dict) and isinstance(usage.get("total_tokens"), int):
        on_tokens(usage["total_tokens"])
    return rows


def _post(endpoint: EmbeddingEndpoint, body: dict[str, Any]) -> dict[str, Any]:
    where = f"The embeddings endpoint {shown(endpoint.url)}"
    headers = {}
    if endpoint.key_variable is not None:
        key = os.environ.get(endpoint.key_variable)
        if not key:
            raise ModelUnavailable(f"{where} needs a key, and the variable {endpoint.key_variable} is not set.")
        headers["Authorization"] = f"Bearer {key}"
    url = endpoint.url.rstrip("/") + "/embeddings"
    return post_json(url, body, headers=headers, timeout_seconds=endpoint.timeout_seconds, where=where).body


def _read_rows(answer: dict[str, Any], count: int, endpoint: EmbeddingEndpoint) -> Vector:
    where = f"The embeddings endpoint {shown(endpoint.url)}"
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
