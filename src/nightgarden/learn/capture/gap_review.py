"""Questions that had no answer, looked at again when the next session of their project was read."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import datetime

from nightgarden.domain.gap import Gap
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.memory import GLOBAL
from nightgarden.domain.ports import Embedder, Store
from nightgarden.errors import Conflict
from nightgarden.learn.capture.capturing import Capture
from nightgarden.recall.gaps import asked
from nightgarden.recall.options import Request
from nightgarden.recall.unasked import recall_unasked


async def review_gaps(
    capture: Capture, store: Store, session_id: str, embedder: Embedder | None, *, now: datetime
) -> list[Gap]:
    """Closes the gaps that something remembered answers by now, each looked at once for each session."""
    session = await store.session(session_id, messages=False)
    if session is None or session.scope is None:
        return []
    origin = Origin(actor="learn", operation=Operation.CLOSE_GAP, reason="answered since")
    closed = []
    for gap in await capture.open_gaps(session):
        request = Request(query=asked(gap), scopes=(GLOBAL, gap.scope), kinds=("memory",), limit=3)
        found = await recall_unasked(request, store=store, embedder=embedder, now=now)
        if found:
            after = replace(gap, closed_at=now, closed_by=found[0].id)
            with suppress(Conflict):  # the writing of a memory closed it meanwhile
                await store.apply([Change(gap, after)], origin, at=now)
                closed.append(after)
    return closed
