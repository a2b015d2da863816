"""An embedder that remembers the vector of the one query it was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from nightgarden.domain.ports import Embedder, EmbeddingModel, Vector


@dataclass(slots=True)
class OnceEmbedder:
    """Remembers the vector of the one query of a turn, which is the turn's topic as well."""

    inner: Embedder
    vector: Vector | None = field(default=None)

    @property
    def model(self) -> EmbeddingModel:
        return self.inner.model

    def embed(self, texts: Sequence[str]) -> Vector:
        return self.inner.embed(texts)

    def embed_query(self, text: str) -> Vector:
        self.vector = self.inner.embed_query(text)
        return self.vector
