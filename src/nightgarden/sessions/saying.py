"""Which passages say what a memory says: those it was taken from, and those that repeat it."""

from __future__ import annotations

from datetime import datetime

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Store, View
from nightgarden.domain.said import saying
from nightgarden.domain.text import query_terms

CANDIDATES = 200  # best by words; what says a thing holds most of its words, so it is among the first


async def passages_saying(store: Store, memory: Memory, *, now: datetime) -> tuple[str, ...]:
    """Ids, in order."""
    sought = saying(memory)
    hits = await store.search_text(query_terms(memory.content), View(now=now, kinds=("passage",)), limit=CANDIDATES)
    found = await store.passages([hit.id for hit in hits])
    return tuple(sorted(p.id for p in found if sought.spans(p.content, p.session_id, p.message_ids[0])))
