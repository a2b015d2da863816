"""Models whose answers are kept on disk between runs, so that a second run measures ranking and not embedding.

Latency is never measured through these: bench/recall/latency.py asks the models themselves.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from nightgarden.domain.ports import Embedder, EmbeddingModel, Reranker, Vector


class Kept:
    """Arrays by (what made them, text). One connection under one lock: calls come from several threads."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path, check_same_thread=False)
        self._db.execute(
            "CREATE TABLE IF NOT EXISTS kept (maker TEXT, text TEXT, made BLOB, PRIMARY KEY (maker, text))"
        )

    def get(self, maker: str, texts: Sequence[str], make: Callable[[Sequence[str]], Vector]) -> Vector:
        """One row per text; those that are not kept are made, in the order given."""
        with self._lock:
            known = {text: row[0] for text in set(texts) if (row := self._read(maker, text))}
            missing = [text for text in dict.fromkeys(texts) if text not in known]
            if missing:
                made = {
                    text: np.asarray(row, np.float32).tobytes()
                    for text, row in zip(missing, make(missing), strict=True)
                }
                self._db.executemany(
                    "INSERT OR IGNORE INTO kept VALUES (?, ?, ?)", [(maker, text, row) for text, row in made.items()]
                )
                self._db.commit()
                known |= made
        return np.stack([np.frombuffer(known[text], np.float32) for text in texts])

    def _read(self, maker: str, text: str) -> tuple[bytes] | None:
        found: tuple[bytes] | None = self._db.execute(
            "SELECT made FROM kept WHERE maker = ? AND text = ?", (maker, text)
        ).fetchone()
        return found

    def close(self) -> None:
        self._db.close()


class KeptEmbedder:
    """The Embedder port."""

    def __init__(self, embedder: Embedder, kept: Kept) -> None:
        self._embedder = embedder
        self._kept = kept

    @property
    def model(self) -> EmbeddingModel:
        return self._embedder.model

    def embed(self, texts: Sequence[str]) -> Vector:
        return self._kept.get(f"text {self.model.id}", texts, self._embedder.embed)

    def embed_query(self, text: str) -> Vector:
        def make(texts: Sequence[str]) -> Vector:
            return np.stack([self._embedder.embed_query(each) for each in texts])

        vector: Vector = self._kept.get(f"query {self.model.id}", [text], make)[0]
        return vector


class KeptReranker:
    """The Reranker port."""

    def __init__(self, reranker: Reranker, kept: Kept) -> None:
        self._reranker = reranker
        self._kept = kept

    def score(self, query: str, texts: Sequence[str]) -> Vector:
        def make(missing: Sequence[str]) -> Vector:
            return self._reranker.score(query, missing).reshape(-1, 1)

        scores: Vector = self._kept.get(f"reranker {query}", texts, make)[:, 0]
        return scores
