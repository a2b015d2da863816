"""The loss gate: how much of a scope one run may archive without being asked. Pure.

Counts what leaves recall, merged memories included, because a wrong merge is a loss too. Does not weigh what the
memories were worth.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nightgarden.domain.memory import Scope
from nightgarden.tend.proposal import Proposal, count_by_scope

FEW = 3  # taste: of ten memories, two are more than 15 %, and nobody wants to be asked about two


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """A scope of which too much would go."""

    scope: Scope
    archived: int
    of: int

    def __str__(self) -> str:
        return f"{self.archived:,} of {self.of:,} memories of {self.scope} ({100 * self.archived / self.of:.0f} %)"


def find_losses(
    proposals: Iterable[Proposal],
    *,
    live_at_start: Mapping[Scope, int],
    archived_before: Mapping[Scope, int],
    percent_max: float,
) -> list[Loss]:
    """Scopes of which this run would archive more than it may, what it archived before counted in."""
    fresh = count_by_scope(memory for proposal in proposals for memory in proposal.archived)
    found = []
    for scope, number in sorted(fresh.items()):
        total = number + archived_before.get(scope, 0)
        live = max(live_at_start.get(scope, 0), total)
        if total > FEW and total > live * percent_max / 100.0:
            found.append(Loss(scope=scope, archived=total, of=live))
    return found
