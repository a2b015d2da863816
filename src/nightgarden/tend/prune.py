"""Archiving what nobody believes any more, met twice or uses. Pure decisions; corrections and pinned ones stay.

Belief fades by age alone, so a fact that was told once and is looked up every week would be lost with the rest: what
was used lately stays, and so does what a project that rests had no occasion to use. Being shown counts as use; a remark
that turns bring along now and then stays with it.
"""

from __future__ import annotations

from datetime import datetime

from nightgarden.domain.belief import effective_confidence
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Category, Memory
from nightgarden.remember.edit import archived
from nightgarden.settings import TendSettings
from nightgarden.tend.proposal import Proposal, TendPlan, propose
from nightgarden.tend.tending import Tending

CONFIDENCE_MIN = 0.05  # by taste: next to nothing is believed of it
STRENGTH_MAX = 1


async def find(tending: Tending) -> TendPlan:
    """Looks at every memory."""
    idleness = await tending.idleness()
    found = (
        judge(memory, now=tending.now, idle_days=idleness.days(memory, tending.now), settings=tending.settings.tend)
        for memory in list(tending.snapshot.memories.values())
    )
    return TendPlan(proposals=[proposal for proposal in found if proposal], state=tending.done("prune"))


def judge(memory: Memory, *, now: datetime, idle_days: int, settings: TendSettings) -> Proposal | None:
    """Archives a memory that is as good as forgotten."""
    if memory.pinned or memory.category is Category.CORRECTION or memory.strength > STRENGTH_MAX:
        return None
    if idle_days < settings.fading_days:
        return None
    believed = effective_confidence(memory, now)
    if believed >= CONFIDENCE_MIN:
        return None
    return propose("archived", [Change(memory, archived(memory, at=now))], f"confidence has faded to {believed:.3f}")
