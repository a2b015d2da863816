"""The cold start: whether the agent has earned the right to work on code. Pure.

First it only tends, then it may scout and work, after enough cycles that ended well, of which the user approved some
and took back none lately. The user may skip all that: `ambient trust`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from nightgarden.ambient.cycles import Cycle, CyclePhase, CycleState


@dataclass(frozen=True, slots=True, kw_only=True)
class Trust:
    """How far the cold start has come."""

    complete: int
    complete_needed: int
    approved: int
    approved_needed: int
    skipped: bool = False  # the user said so

    @property
    def earned(self) -> bool:
        enough = self.complete >= self.complete_needed and self.approved >= self.approved_needed
        return self.skipped or enough

    @property
    def words(self) -> str:
        if self.skipped:
            return "trusted by you"
        if self.earned:
            return "earned"
        left = [f"{self.complete} of {self.complete_needed} cycles complete"]
        left.append(f"{self.approved} of {self.approved_needed} approved by you")
        return "not yet: " + ", ".join(left)


def weigh(
    state: CycleState,
    cycles: Sequence[Cycle],
    *,
    undone: Collection[str],
    granted: Collection[str],
    complete_needed: int,
    approved_needed: int,
) -> Trust:
    """`undone` are cycles that the user took back, `granted` those of which the user granted a request. Counted are the
    cycles since the last one that was taken back: trust that was broken is earned anew."""
    since: list[Cycle] = []
    for cycle in sorted(cycles, key=lambda cycle: cycle.started_at, reverse=True):
        if cycle.id in undone or cycle.approved is False:
            break
        since.append(cycle)
    return Trust(
        complete=sum(cycle.status is CyclePhase.COMPLETE for cycle in since),
        complete_needed=complete_needed,
        approved=sum(cycle.approved is True or cycle.id in granted for cycle in since),
        approved_needed=approved_needed,
        skipped=state.trusted_at is not None,
    )
