"""The cross-encoder reads the best candidates once more, together with the query. For explicit recall: it is too slow
for the turn (about 10 ms a text on one thread)."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Reranker
from nightgarden.domain.searchable import date_words
from nightgarden.domain.session import Passage
from nightgarden.errors import ModelUnavailable
from nightgarden.recall.support import speaker

READ_MAX = 30  # candidates; what is deeper seldom comes up (docs/why/fusion.md)
WEIGHT = 0.5  # evidence per logit of the cross-encoder, fitted like the others (docs/why/fusion.md)
TEXT_CHARS_MAX = 1200


def text_to_read(item: Memory | Passage, passages: Mapping[str, Passage]) -> str:
    """What the cross-encoder sees: for a turn also who said it and when, for both read better than the bare text."""
    if isinstance(item, Memory):
        return item.content[:TEXT_CHARS_MAX]
    return f"{speaker(item)} ({date_words(item.created_at)}): {item.content}"[:TEXT_CHARS_MAX]


async def read_again(
    query: str, order: Sequence[str], evidence: Mapping[str, float], texts: Mapping[str, str], reranker: Reranker
) -> dict[str, float] | None:
    """New evidence for the first READ_MAX of the order, kept above all others; None when the model cannot be used."""
    read = list(order[:READ_MAX])
    try:
        logits = await asyncio.to_thread(reranker.score, query, [texts[id] for id in read])
    except ModelUnavailable:
        return None
    if not read:
        return {}
    judged = {id: evidence[id] + WEIGHT * float(logit) for id, logit in zip(read, logits, strict=True)}
    # The unread keep their evidence: those read must not fall below them for having been read.
    lift = max(0.0, max((evidence[id] for id in order[READ_MAX:]), default=-1e9) - min(judged.values()))
    return {id: judgement + lift for id, judgement in judged.items()}
