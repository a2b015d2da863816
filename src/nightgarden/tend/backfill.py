"""Vectors for what has none. Making them is done by who lent it; here it is only asked for and counted."""

from __future__ import annotations

from nightgarden.tend.proposal import TendPlan
from nightgarden.tend.tending import Tending


async def find(tending: Tending) -> TendPlan:
    """Makes them; in a dry run only counts what is missing."""
    plan = TendPlan(state=tending.done("backfill"))
    if tending.model_id is None:
        return plan
    missing = await tending.store.count_pending_vectors(tending.model_id)
    if missing and tending.dry_run:
        plan.noted = {"vectors missing": missing}
    elif missing and tending.lent.backfill is not None:
        plan.noted = {"vectors made": await tending.lent.backfill()}
    return plan
