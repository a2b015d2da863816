"""What an operation would change, as values: changes that belong together, with a reason, and what is noted.

Pure. Knows nothing of stores; `apply` makes the changes, `gate` weighs what they take away.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Memory, Scope, ScopeKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Changes that belong together: made in one transaction, or not at all."""

    what: str  # one word for the count of it: faded, merged, linked
    changes: tuple[Change, ...]
    reason: str

    @property
    def archived(self) -> tuple[Memory, ...]:
        """The memories it would take out of recall. What held only in a session is no loss when that is over,
        nor is a record of sessions that is done with."""
        return tuple(
            change.before
            for change in self.changes
            if isinstance(change.before, Memory)
            and change.before.live
            and not (isinstance(change.after, Memory) and change.after.live)
            and change.before.scope.kind is not ScopeKind.SESSION
            and not change.before.learned
        )


@dataclass(slots=True, kw_only=True)
class TendPlan:
    """All that one operation would do now."""

    proposals: list[Proposal] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)  # written when the operation is done
    noted: dict[str, int] = field(default_factory=dict)  # looked at, left alone, done elsewhere

    @property
    def changes(self) -> int:
        return sum(len(proposal.changes) for proposal in self.proposals)


def propose(what: str, changes: Iterable[Change], reason: str) -> Proposal:
    """A proposal whose changes all carry its reason."""
    reasoned = tuple(replace(change, reason=change.reason or reason) for change in changes)
    return Proposal(what=what, changes=reasoned, reason=reason)


def count_by_scope(memories: Iterable[Memory]) -> dict[Scope, int]:
    found: dict[Scope, int] = {}
    for memory in memories:
        found[memory.scope] = found.get(memory.scope, 0) + 1
    return found
