"""Gaps: turns that asked for something the garden should have known and did not. Kept until a memory answers them.

Not every turn without a memory is a gap: only one that asks, and asks about us. Secrets and personal data are blacked
out before anything is kept. What a question means is not understood; whether a memory answers it is decided by asking
recall again, by the very rule that found nothing before.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from nightgarden.domain.gap import Gap
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.memory import GLOBAL, Memory, Scope
from nightgarden.domain.personal import find_personal
from nightgarden.domain.ports import Embedder, Store
from nightgarden.domain.redact import scrub
from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.text import fold, query_terms, squash
from nightgarden.errors import NotFound
from nightgarden.recall.options import Request
from nightgarden.recall.query import focus
from nightgarden.recall.unasked import recall_unasked

OPEN_MAX = 200  # beyond it nobody reads them; the oldest stay, for they were asked first. Taste
SNIPPET_CHARS_MAX = 280
_CONTEXT_CHARS_MAX = 120
_SAME_SHARE = 0.6  # of the terms of the shorter question; taste
_SAME_COSINE = 0.90  # as for duplicates of memories
_ASKED_AGAIN_MAX = 6  # gaps that are tried against one new memory

_ASKS = re.compile(
    r"\?|\b(?:remind me|remember|recall|what|which|where|when|who|whose|how|erinner\w*|welche\w*|wo|wann|wer|wie"
    r"|rappelle\w*|quel\w*|quand|qui|comment|recuerda\w*|cual\w*|donde|cuando|quien\w*|como)\b"
)
_ABOUT_US = re.compile(
    r"\b(?:i|my|mine|me|we|our|ours|us|usual(?:ly)?|always|last time|again|before|previously|agreed|decided"
    r"|ich|mein\w*|mir|mich|wir|unser\w*|uns|letztes mal|immer|ublich\w*"
    r"|je|mon|ma|mes|nous|notre|nos|derniere fois|toujours|habitude"
    r"|yo|mi|mis|nosotros|nuestr\w*|nos|ultima vez|siempre)\b"
)


def asks_about_us(text: str) -> bool:
    """Whether a turn asks for something that only this user or project could know."""
    plain = fold(focus(text)[0]).lower().replace("’", "'")
    return len(query_terms(plain)) >= 2 and bool(_ASKS.search(plain)) and bool(_ABOUT_US.search(plain))


async def note_gap(
    text: str,
    *,
    context: Sequence[str] = (),
    session_id: str | None,
    scope: Scope,
    store: Store,
    embedder: Embedder | None,
    now: datetime,
) -> Gap | None:
    """Keeps the question, or counts it once more when it is known. None when it is no gap, or there are too many."""
    if not asks_about_us(text):
        return None
    lead = squash(focus(text)[0])
    known = await store.gaps(include_closed=True)
    still_open = [gap for gap in known if gap.closed_at is None]
    same = await _same(lead, [gap for gap in still_open if gap.scope == scope], embedder)
    same = same or next((gap for gap in known if gap.id == _gap_id(lead, scope)), None)  # closed, and asked once more
    if same is not None:
        again = replace(same, seen_count=same.seen_count + 1, last_seen_at=now, closed_at=None, closed_by=None)
    elif len(still_open) >= OPEN_MAX:
        return None
    else:
        snippet = _snippet(lead, context)
        again = Gap(
            id=_gap_id(lead, scope),
            snippet=snippet,
            session_id=session_id,
            scope=scope,
            seen_count=1,
            created_at=now,
            last_seen_at=now,
        )
    origin = Origin(actor="recall", operation=Operation.NOTE_GAP, reason="asked, and nothing was known")
    await store.apply([Change(same, again)], origin, at=now)
    return again


async def close_gaps(memory: Memory, *, store: Store, embedder: Embedder | None, now: datetime) -> list[Gap]:
    """Closes the open gaps that a new memory answers, and returns them."""
    said = set(query_terms(f"{memory.content} {' '.join(memory.tags)}"))
    open_gaps = [gap for gap in await store.gaps() if memory.scope in (gap.scope, GLOBAL)]
    near = sorted(open_gaps, key=lambda gap: (-len(said & set(query_terms(asked(gap)))), gap.id))
    closed: list[tuple[Gap, Gap]] = []
    for gap in near[:_ASKED_AGAIN_MAX]:
        request = Request(query=asked(gap), scopes=(GLOBAL, gap.scope), kinds=("memory",), limit=3)
        found = await recall_unasked(request, store=store, embedder=embedder, now=now)
        if any(result.id == memory.id for result in found):
            closed.append((gap, replace(gap, closed_at=now, closed_by=memory.id)))
    if closed:
        origin = Origin(actor="recall", operation=Operation.CLOSE_GAP, reason="answered")
        await store.apply([Change(before, after) for before, after in closed], origin, at=now)
    return [after for _, after in closed]


async def list_gaps(store: Store, *, include_closed: bool = False) -> list[Gap]:
    """Open ones first, the most asked for first."""
    found = await store.gaps(include_closed=include_closed)
    return sorted(found, key=lambda gap: (gap.closed_at is not None, -gap.seen_count, gap.created_at, gap.id))


async def close_by_hand(gap_id: str, origin: Origin, *, store: Store, now: datetime) -> Gap:
    """Closes a gap whatever is remembered. Raises NotFound."""
    gap = next((gap for gap in await store.gaps(include_closed=True) if gap.id == gap_id), None)
    if gap is None:
        raise NotFound(f"there is no gap {gap_id!r}; `nightgarden gaps` shows them")
    if gap.closed_at is not None:
        return gap
    closed = replace(gap, closed_at=now)
    await store.apply([Change(gap, closed)], origin, at=now)
    return closed


def asked(gap: Gap) -> str:
    """The question of a gap, without its context."""
    return gap.snippet.partition("\n")[0]


def _snippet(lead: str, context: Sequence[str]) -> str:
    """The question on the first line, what it was about on the second."""
    about = squash(focus(context[-1])[0]) if context else ""
    parts = [_cut(_blacked_out(lead), SNIPPET_CHARS_MAX), _cut(_blacked_out(about), _CONTEXT_CHARS_MAX)]
    return "\n".join(part for part in parts if part)


def _blacked_out(text: str) -> str:
    return scrub(text, lambda plain: (*find_secrets(plain), *find_personal(plain)))


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _gap_id(lead: str, scope: Scope) -> str:
    key = f"{scope}:{' '.join(sorted(set(query_terms(lead))))}"
    return "gap-" + hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


async def _same(lead: str, known: Sequence[Gap], embedder: Embedder | None) -> Gap | None:
    """The known gap that asks the same: by its words, else by its meaning among those that share a word."""
    wanted = set(query_terms(lead))
    shares: list[tuple[float, Gap]] = []
    for gap in known:
        terms = set(query_terms(asked(gap)))
        shorter = max(1, min(len(terms), len(wanted)))
        shares.append((len(terms & wanted) / shorter if min(len(terms), len(wanted)) > 1 else 0.0, gap))
    shares.sort(key=lambda pair: (-pair[0], pair[1].id))
    if shares and shares[0][0] >= _SAME_SHARE:
        return shares[0][1]
    near = [gap for share, gap in shares[:4] if share > 0]
    if embedder is None or not near:
        return None
    rows = await asyncio.to_thread(embedder.embed, [lead, *(asked(gap) for gap in near)])
    best = max(range(len(near)), key=lambda place: float(rows[0] @ rows[place + 1]))
    return near[best] if float(rows[0] @ rows[best + 1]) >= _SAME_COSINE else None
