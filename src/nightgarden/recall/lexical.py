"""The text arms: the query's own words, and the words of what surrounds it. Both stores rank them by BM25."""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.domain.ports import Hit, Store, View

POOL = 150  # hits; twice or four times as many found no more than .2 points (docs/why/fusion.md)
SUPPORT_POOL = 50
TERMS_MAX = 48  # of a long query the last ones: what it asks stands at its end (docs/why/fusion.md)


async def search_words(terms: Sequence[str], store: Store, view: View, *, limit: int = POOL) -> list[Hit]:
    """Hits for any of the terms, which come in the order they were last said; best first."""
    return await store.search_text(tuple(terms[-TERMS_MAX:]), view, limit=limit) if terms else []
