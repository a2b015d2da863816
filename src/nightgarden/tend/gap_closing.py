"""Gaps: turns that deserved a memory and had none. Closed when a memory answers, dropped when nobody asks again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from nightgarden.domain.gap import Gap
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import GLOBAL, Memory
from nightgarden.domain.ports import View
from nightgarden.domain.text import query_terms
from nightgarden.tend.proposal import TendPlan, propose
from nightgarden.tend.tending import Tending

SHARED_MIN = 0.5  # of the gap's telling words; taste
CANDIDATES = 5


async def find(tending: Tending) -> TendPlan:
    """Looks at every open gap."""
    plan = TendPlan(state=tending.done("gaps"))
    days = tending.settings.tend.gap_days
    for gap in await tending.store.gaps():
        scopes = tuple(dict.fromkeys((gap.scope, GLOBAL)))
        view = View(now=tending.now, scopes=scopes, kinds=("memory",))
        hits = await tending.store.search_text(query_terms(gap.snippet)[:24], view, limit=CANDIDATES)
        memories = [tending.snapshot.memories[hit.id] for hit in hits if hit.id in tending.snapshot.memories]
        after = judge(gap, memories, now=tending.now, drop_after=timedelta(days=days))
        if after != gap:
            what, why = ("closed", "answered since") if after.closed_by else ("dropped", "nobody asked again")
            plan.proposals.append(propose(what, [Change(gap, after)], why))
    return plan


def judge(gap: Gap, memories: Sequence[Memory], *, now: datetime, drop_after: timedelta) -> Gap:
    """The gap as it should be: answered by a memory made since, too old, or as it was."""
    wanted = set(query_terms(gap.snippet))
    for memory in memories:
        since = (memory.confirmed_at or memory.created_at) >= gap.created_at
        if since and wanted and len(wanted & set(query_terms(memory.content))) >= SHARED_MIN * len(wanted):
            return replace(gap, closed_at=now, closed_by=memory.id)
    if now - gap.last_seen_at >= drop_after:
        return replace(gap, closed_at=now)
    return gap
