"""Plain hybrid."""
from __future__ import annotations
import asyncio, time
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import Embedder, ItemKind, Store, View
from nightgarden.domain.text import query_terms
from nightgarden.recall.result import Recalled, Result

@dataclass(frozen=True, slots=True, kw_only=True)
class RecallRequest:
    query: str
    limit: int = 10
    kinds: tuple[ItemKind, ...] = ("memory", "passage")
    scopes: tuple[Scope, ...] | None = None
    as_of: datetime | None = None

async def recall(request: RecallRequest, *, store: Store, embedder: Embedder | None, reranker: Any, now: datetime) -> Recalled:
    start = time.perf_counter()
    view = View(now=now, scopes=request.scopes, kinds=request.kinds, as_of=request.as_of)
    ranks: dict[str, float] = {}
    reasons: dict[str, list[str]] = {}
    kinds: dict[str, str] = {}
    arms = [("words", await store.search_text(query_terms(request.query), view, limit=50))]
    if embedder is not None and request.query.strip():
        vector = await asyncio.to_thread(embedder.embed_query, request.query)
        arms.append(("meaning", await store.search_vectors(vector, embedder.model.id, view, limit=50)))
    for name, hits in arms:
        for rank, hit in enumerate(hits):
            ranks[hit.id] = ranks.get(hit.id, 0.0) + 1 / (60 + rank)
            reasons.setdefault(hit.id, []).append(f"{name} rank {rank + 1}")
            kinds[hit.id] = hit.kind
    best = sorted(ranks, key=lambda i: (-ranks[i], i))[: request.limit]
    memories = {m.id: m for m in await store.memories([i for i in best if kinds[i] == "memory"])}
    passages = {p.id: p for p in await store.passages([i for i in best if kinds[i] == "passage"])}
    results = []
    for i in best:
        item: Any = memories.get(i) or passages.get(i)
        results.append(Result(id=i, kind=kinds[i], content=item.content, score=ranks[i], reasons=tuple(reasons[i]), category=getattr(item, "category", None), scope=item.scope, created_at=item.created_at, session_id=item.session_id, message_ids=getattr(item, "message_ids", ())))  # type: ignore[arg-type]
    return Recalled(query=request.query, results=tuple(results), took_ms=(time.perf_counter() - start) * 1000)
