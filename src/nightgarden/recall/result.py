"""Results of a recall."""
from __future__ import annotations
from dataclasses import dataclass
from datetime import datetime
from nightgarden.domain.memory import Category, Scope
from nightgarden.domain.ports import ItemKind

@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    id: str
    kind: ItemKind
    content: str
    score: float
    reasons: tuple[str, ...]
    category: Category | None
    scope: Scope
    created_at: datetime
    session_id: str | None = None
    message_ids: tuple[str, ...] = ()
    explanation: None = None

@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    query: str
    results: tuple[Result, ...]
    took_ms: float
    cut: tuple[()] = ()
