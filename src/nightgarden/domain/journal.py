"""The journal: every change of a memory, edge, tag or cluster, with what was before and after.

A change is a pair of values, before and after; its inverse is the pair turned round. The store refuses a change whose
`before` is not what is there, so writers that race learn of each other, and an undo that would overwrite later work is
refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nightgarden.domain.graph import Cluster, Edge, Tag
from nightgarden.domain.memory import Memory
from nightgarden.errors import BadInput

Node = Memory | Edge | Tag | Cluster
CYCLE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}")


def check_cycle(cycle: str) -> None:
    """Raises BadInput for what cannot name a cycle."""
    if not CYCLE.fullmatch(cycle):
        raise BadInput(
            f"{cycle[:100]!r} cannot name a cycle; use up to 100 letters, digits, dots, colons, dashes and underscores"
        )


@dataclass(frozen=True, slots=True)
class Change:
    """One node becomes another. `before` None creates, `after` None removes."""

    before: Node | None
    after: Node | None
    reason: str = ""  # why this one; the batch's reason when empty


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin:
    """Who makes a batch of changes, why, and in which cycle."""

    actor: str  # user, agent, tend, import, undo, ...
    reason: str = ""
    cycle: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """One change as recorded. `before` and `after` hold the fields that differ, or all when the other is None."""

    id: str
    at: datetime
    actor: str
    reason: str
    cycle: str | None
    subject_kind: str  # memory, edge, tag or cluster
    subject_id: str
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None
