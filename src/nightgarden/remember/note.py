"""What somebody wants remembered, before it is judged: the request of the write path."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nightgarden.domain.memory import Category, Importance, Procedure, Provenance, Scope, Temporal


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A text with everything its author said about it. None leaves a field to be worked out."""

    content: str
    scope: Scope
    wider_scopes: tuple[Scope, ...] = ()  # where the same may be known already
    created_at: datetime  # when it was said
    category: Category | None = None
    tags: tuple[str, ...] = ()
    importance: Importance = Importance.MEDIUM
    pinned: bool = False
    strict: bool = False
    provenance: Provenance = Provenance.USER_STATED
    tainted: bool = False  # does the text come from the web, a tool, a feed or a chat?
    confidence: float | None = None
    confidence_reason: str = ""
    session_id: str | None = None
    message_range: tuple[str, str] | None = None
    context_snippet: str = ""
    file_paths: tuple[str, ...] = ()
    trigger_patterns: tuple[str, ...] = ()
    procedure: Procedure | None = None
    temporal: Temporal | None = None
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    allow: frozenset[str] = frozenset()  # rules a person lifted for this one
    news: float | None = None  # how much it was told as a change; None if that has to be read off it
    tentative: bool = False  # stored only if it changes or repeats something known
    root: Path | None = None  # of the project, for its ignore files
