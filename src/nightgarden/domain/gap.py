"""A gap: a turn that deserved a memory and had none."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from nightgarden.domain.memory import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """A turn that deserved a memory and had none."""

    id: str
    snippet: str
    session_id: str | None
    scope: Scope
    seen_count: int
    created_at: datetime
    last_seen_at: datetime
    closed_at: datetime | None = None
    closed_by: str | None = None  # id of the memory that answered it
