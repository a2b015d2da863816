"""Reading sessions that were missed or broke off. The reading itself is done by who lent it."""

from __future__ import annotations

from nightgarden.errors import NightgardenError
from nightgarden.tend.proposal import TendPlan
from nightgarden.tend.tending import Tending

SESSIONS_MAX = 200  # in one run; the rest waits for the next


async def find(tending: Tending) -> TendPlan:
    """Reads them; in a dry run only counts them. A session that cannot be read is counted and left for the next run."""
    plan = TendPlan(state=tending.done("extract"))
    if tending.lent.pending_sessions is None or tending.lent.extract is None:
        return plan
    waiting = (await tending.lent.pending_sessions())[:SESSIONS_MAX]
    if tending.dry_run:
        plan.noted = {"sessions waiting": len(waiting)} if waiting else {}
        return plan
    for session_id in waiting:
        try:
            gained = await tending.lent.extract(session_id, tending.cycle)
        except NightgardenError:
            _count(plan, "sessions that failed")
            continue
        _count(plan, "sessions read")
        _count(plan, "memories gained", gained)
    return plan


def _count(plan: TendPlan, what: str, number: int = 1) -> None:
    plan.noted[what] = plan.noted.get(what, 0) + number
