"""The cross-encoder reads the best candidates once more, together with the query. For explicit recall: it is too slow
for the turn (20 readings of about 10 ms on one thread).

A turn after one that asks is read together with the question: alone it may be "the violin, since I was seven". Any
other is read alone, for the turn before it would drown it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Reranker
from nightgarden.domain.session import Passage
from nightgarden.errors import ModelUnavailable
from nightgarden.recall.support import question_share, speaker

READ_MAX = 20  # candidates; fewer lose recall@10, 30 were no better (docs/why/fusion.md)
WEIGHT = 0.5  # evidence per logit of the cross-encoder (docs/why/fusion.md)
# One at a time, in a thread of its own: it keeps every core busy by itself, and many recalls at once would otherwise
# take all threads of the process for seconds (bench/load.py), the embedding of a waiting turn included.
_READING = ThreadPoolExecutor(1, thread_name_prefix="nightgarden-rerank")
TEXT_CHARS_MAX = 1200
ABOVE = 1e-6  # the last of those read stands above the first unread one, and not beside it
BEFORE_CHARS_MAX = 160  # the end of the turn before, where its question stands


def readings(
    items: Sequence[Memory | Passage], known: Mapping[str, Passage], replaced: Mapping[str, Memory]
) -> list[str]:
    """What the cross-encoder reads for each item: its text and, for a turn, the question that it follows; for a memory
    that was found by what it replaced, that text before it."""
    at = {(passage.session_id, passage.position): passage for passage in known.values()}
    return [_after(replaced.get(item.id), _reading(item, at)) for item in items]


def _after(past: Memory | None, reading: str) -> str:
    """ "Jonas took over from Marta" does not say what he took over."""
    return reading if past is None else f"{past.content[:BEFORE_CHARS_MAX]} {reading}"


def _reading(item: Memory | Passage, at: Mapping[tuple[str, int], Passage]) -> str:
    if isinstance(item, Memory):
        return item.content[:TEXT_CHARS_MAX]
    alone = f"{speaker(item)}: {item.content}"[:TEXT_CHARS_MAX]
    before = at.get((item.session_id, item.position - 1))
    end = before.content[-BEFORE_CHARS_MAX:] if before is not None else ""
    if before is None or not question_share(end):
        return alone
    return f"{speaker(before)}: {end} {alone}"


async def read_again(
    query: str,
    order: Sequence[str],
    evidence: Mapping[str, float],
    texts: Sequence[str],
    reranker: Reranker,
) -> dict[str, float] | None:
    """New evidence for the first of the order, as many as have texts, kept above all others; None when the model cannot
    be used."""
    read = order[: len(texts)]
    if not texts:
        return {}
    try:
        loop = asyncio.get_running_loop()
        logits = await loop.run_in_executor(_READING, reranker.score, query, texts)
    except ModelUnavailable:
        return None
    judged = {id: evidence[id] + WEIGHT * float(logit) for id, logit in zip(read, logits, strict=True)}
    # The unread keep their evidence: those read must not fall below them for having been read.
    unread = max((evidence[id] for id in order[len(texts) :]), default=-1e9)
    lift = max(0.0, unread - min(judged.values()) + ABOVE)
    return {id: judgement + lift for id, judgement in judged.items()}
