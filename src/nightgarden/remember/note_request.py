"""From what a caller asked to have remembered to the note that the write path takes. Pure."""

from __future__ import annotations

from datetime import datetime

from nightgarden.domain.given import moment, one_of
from nightgarden.domain.memory import Category, Importance, Provenance, Scope, Temporal
from nightgarden.domain.requests.writing import Remember
from nightgarden.errors import BadInput
from nightgarden.remember.build import given_triggers
from nightgarden.remember.note import Note
from nightgarden.scope import Place, visible_scopes


def note_asked(asked: Remember, *, scope: Scope, place: Place, now: datetime) -> Note:
    """What was asked as the write path takes it. Raises BadInput for what does not fit."""
    seen = tuple(asked.message_range or ())
    if len(seen) > 2:
        raise BadInput("message_range takes the first and the last message, or one")
    return Note(
        content=asked.content,
        scope=scope,
        wider_scopes=tuple(s for s in visible_scopes(place) if s.kind != scope.kind and s < scope),
        created_at=moment(asked.created_at) if asked.created_at else now,
        category=one_of(Category, asked.category, "category") if asked.category is not None else None,
        tags=tuple(asked.tags),
        importance=one_of(Importance, asked.importance, "importance"),
        pinned=asked.pinned,
        strict=asked.strict,
        provenance=one_of(Provenance, asked.provenance, "provenance"),
        tainted=asked.tainted,
        confidence=asked.confidence,
        confidence_reason=asked.confidence_reason,
        session_id=asked.session_id,
        message_range=(seen[0], seen[-1]) if seen else None,
        context_snippet=asked.context_snippet,
        file_paths=tuple(asked.file_paths),
        trigger_patterns=given_triggers(asked.trigger_patterns),
        temporal=Temporal(session_only=asked.session_only, seasonal=asked.seasonal)
        if asked.session_only or asked.seasonal
        else None,
        valid_from=moment(asked.valid_from) if asked.valid_from else None,
        valid_until=moment(asked.valid_until) if asked.valid_until else None,
        allow=frozenset(asked.allow),
        root=place.root,
    )
