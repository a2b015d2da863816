"""What sessions teach: episodes, what was left undone, procedures. Worked out by who lent it; made and counted here."""

from __future__ import annotations

from collections.abc import Mapping

from nightgarden.domain.learning import Reply
from nightgarden.tend.proposal import TendPlan, propose
from nightgarden.tend.tending import Tending


async def find(tending: Tending) -> TendPlan:
    """One proposal for each thing learned."""
    plan = TendPlan(state=tending.done("learn"))
    if tending.lent.learn is None:
        return plan

    async def ask(prompt: str, schema: Mapping[str, object]) -> Reply:
        if not tending.counsel.may_ask():
            return Reply()
        replies = await tending.counsel.ask([prompt], schema)
        return Reply(asked=True, value=replies[0] if replies else None)

    found = await tending.lent.learn(tending.now, ask)
    plan.proposals = [propose(lesson.what, lesson.changes, lesson.reason) for lesson in found.lessons]
    plan.state |= found.state
    plan.noted = dict(found.noted)
    return plan
