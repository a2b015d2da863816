"""Embeds and reranks on this machine with the catalog's models. Calls block; they may come from several threads.

The same text gives the same vector, bit for bit, in whatever company it comes. bge and the reranker scale activations
over everything in a run, so in a batch a text's vector would depend on its neighbours (cosine down to .992 measured);
therefore one text is one run, which costs little at usual lengths: docs/why/embedding-model.md."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from nightgarden.domain.ports import EmbeddingModel, Vector
from nightgarden.models.glossary import in_english
from nightgarden.models.model_files import ModelFile
from nightgarden.models.ngrams import NgramEncoder
from nightgarden.models.session import THREADS, LazySession

CACHED_QUERIES_MAX = 512  # 0.8 MB; a session asks much the same at neighbouring turns
RERANK_TOKENS_MAX = 256  # attention grows with the square; memories and passages are shorter, queries much shorter


class LocalEmbedder:
    """The Embedder port over one local model file, loaded at the first text."""

    def __init__(self, file: ModelFile, *, threads: int = THREADS, tokens_max: int | None = None) -> None:
        self._known = file.model
        self._model = file.model.embedding
        tokens_max = min(tokens_max or file.model.tokens_max, file.model.tokens_max)
        self._encoder: NgramEncoder | _Transformer = (
            NgramEncoder(file, tokens_max=tokens_max)
            if file.model.pooling == "ngrams"
            else _Transformer(file, threads=threads, tokens_max=tokens_max)
        )
        self._queries: OrderedDict[str, Vector] = OrderedDict()
        self._queries_lock = threading.Lock()

    @property
    def model(self) -> EmbeddingModel:
        return self._model

    @property
    def loaded(self) -> bool:
        return self._encoder.loaded

    def load(self) -> None:
        """Loads the model now. Raises ModelUnavailable when it cannot be."""
        self._encoder.load()

    def embed(self, texts: Sequence[str]) -> Vector:
        """One unit row per text, for texts to be found. Equal texts are run once."""
        rows: dict[str, Vector] = {}
        for text in texts:
            if text not in rows:
                rows[text] = self._encoder.vector(self._legible(text))
        if not rows:
            return np.empty((0, self._model.dimension), dtype=np.float32)
        return np.stack([rows[text] for text in texts])

    def embed_query(self, text: str) -> Vector:
        """One unit vector for a text to search by. The last few hundred are remembered."""
        with self._queries_lock:
            known = self._queries.get(text)
            if known is not None:
                self._queries.move_to_end(text)
                return known
        vector = self._encoder.vector(self._known.query_prefix + self._legible(text))
        vector.flags.writeable = False  # it is handed out again
        with self._queries_lock:
            self._queries[text] = vector
            while len(self._queries) > CACHED_QUERIES_MAX:
                self._queries.popitem(last=False)
        return vector

    def _legible(self, text: str) -> str:
        """In words that the model knows: most models read English only."""
        return in_english(text).text if self._known.reads_english_only else text


class _Transformer:
    """A model that onnxruntime runs, with its states pooled into one vector."""

    def __init__(self, file: ModelFile, *, threads: int, tokens_max: int) -> None:
        self._pooling = file.model.pooling
        self._tokens_max = tokens_max
        self._session = LazySession(file, threads=threads)

    @property
    def loaded(self) -> bool:
        return self._session.loaded

    def load(self) -> None:
        self._session.load()

    def vector(self, text: str) -> Vector:
        states = self._session.run(self._session.tokenizer.encode(text, tokens_max=self._tokens_max))
        pooled = states[0] if self._pooling == "cls" else states.mean(axis=0)
        unit: Vector = (pooled / np.linalg.norm(pooled)).astype(np.float32)
        return unit


class LocalReranker:
    """A cross-encoder: reads query and text together, so it judges better than vectors and costs more per text."""

    def __init__(self, file: ModelFile, *, threads: int = THREADS, tokens_max: int = RERANK_TOKENS_MAX) -> None:
        self._tokens_max = min(tokens_max, file.model.tokens_max)
        self._session = LazySession(file, threads=threads)
        self.model_id = file.model.id

    @property
    def loaded(self) -> bool:
        return self._session.loaded

    def load(self) -> None:
        """Loads the model now. Raises ModelUnavailable when it cannot be."""
        self._session.load()

    def score(self, query: str, texts: Sequence[str]) -> Vector:
        """One number per text, higher is more relevant (a logit, roughly -11 to 11)."""
        scores = np.empty(len(texts), dtype=np.float32)
        asked = in_english(query).text
        for position, text in enumerate(texts):
            said = in_english(text).text
            ids, segments = self._session.tokenizer.encode_pair(asked, said, tokens_max=self._tokens_max)
            scores[position] = self._session.run(ids, segments)[0]
        return scores
