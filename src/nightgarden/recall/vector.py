"""The vector arm: what means the same in other words. Without an embedder, or when it fails, recall goes on without."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from nightgarden.domain.ports import Embedder, Hit, Store, Vector, View
from nightgarden.errors import ModelUnavailable
from nightgarden.recall.options import Turned
from nightgarden.recall.result import Cause, MissingPart, Part

POOL = 150
OCCASION_POOL = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorSearch:
    """The query's vector and what it found. `vector` is None when there was no embedder; `missing` says so."""

    vector: Vector | None = None
    model_id: str = ""
    model_name: str = ""
    hits: tuple[Hit, ...] = ()
    missing: MissingPart | None = None


async def search_meaning(text: str, embedder: Embedder | None, store: Store, view: View) -> VectorSearch:
    """Embeds the query in a thread and searches."""
    if embedder is None:
        return VectorSearch(missing=MissingPart(part=Part.VECTOR, cause=Cause.NO_MODEL))
    try:
        vector = await asyncio.to_thread(embedder.embed_query, text)
    except ModelUnavailable as error:
        return VectorSearch(missing=MissingPart(part=Part.VECTOR, cause=Cause.FAILED, detail=str(error)))
    model = embedder.model
    hits = await store.search_vectors(vector, model.id, view, limit=POOL)
    return VectorSearch(vector=vector, model_id=model.id, model_name=model.name, hits=tuple(hits))


async def search_occasion(meaning: VectorSearch, turned: Turned | None, store: Store, view: View) -> list[Hit]:
    """Memories that matter in such work, whatever they say: by the query's vector, turned."""
    if turned is None or meaning.vector is None or "memory" not in view.kinds:
        return []
    vector = turned(meaning.model_name, meaning.vector)
    if vector is None:
        return []
    return await store.search_vectors(vector, meaning.model_id, replace(view, kinds=("memory",)), limit=OCCASION_POOL)


async def look_up_cosines(ids: Collection[str], meaning: VectorSearch, store: Store) -> dict[str, float]:
    """Cosines of items that other arms found, so that every candidate is judged by meaning as well."""
    if meaning.vector is None or not ids:
        return {}
    vectors: Mapping[str, Vector] = await store.vectors(meaning.model_id, sorted(ids))
    if not vectors:
        return {}
    import numpy as np  # 60 ms; recall without vectors does without

    cosines = np.einsum("ik,k->i", np.stack(list(vectors.values())), meaning.vector)
    return dict(zip(vectors, cosines.tolist(), strict=True))
