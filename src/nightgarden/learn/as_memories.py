"""Episodes, handoffs and learned procedures as memories. Pure: ids follow from what is recorded, so that recording the
same again changes nothing.

Every text passes the gate: secrets and personal data are blacked out, orders in text from outside are dropped.
"""

from __future__ import annotations

import hashlib
from dataclasses import fields, replace
from datetime import datetime, timedelta

from nightgarden.domain.belief import TRUST
from nightgarden.domain.gate import scrubbed
from nightgarden.domain.ids import encode_id
from nightgarden.domain.memory import (
    GLOBAL,
    Category,
    Episode,
    EpisodeStep,
    Importance,
    Memory,
    Procedure,
    Provenance,
    Scope,
    Status,
)
from nightgarden.domain.personal import find_personal
from nightgarden.domain.redact import scrub
from nightgarden.domain.session import Session
from nightgarden.domain.taint import instruction_like

HANDOFF_DAYS = 14  # what nobody took up for two weeks is stale; as long as the half-life of a handoff


def record_id(kind: str, name: str, at: datetime) -> str:
    """Looks like every other id and sorts by the moment, but is made of what it names."""
    digest = hashlib.sha256(f"{kind}\x1f{name}".encode("utf-8", "surrogatepass")).digest()
    return encode_id(int(at.timestamp() * 1000), int.from_bytes(digest[:10]))


def episode_memory(session: Session, episode: Episode, *, now: datetime) -> Memory:
    """The episode of a session."""
    episode = safe_episode(episode)
    began, ended = _span(session, now)
    what = f"{began:%Y-%m-%d} {episode.task} ({episode.outcome}; session {session.id[-8:]}): {episode.approach}"
    return Memory(
        id=record_id("episode", session.id, began),
        content=what,
        category=Category.EPISODE,
        scope=session.scope or GLOBAL,
        status=Status.PROMOTED,
        provenance=Provenance.OBSERVED,
        session_id=session.id,
        message_range=(session.messages[0].id, session.messages[-1].id),
        file_paths=episode.files,
        confidence_reason="worked out from the session",
        tainted=True,  # errors are what programs printed
        created_at=began,
        updated_at=ended,
        confirmed_at=ended,
        trust=TRUST[Provenance.OBSERVED],
        importance=Importance.LOW,
        episode=episode,
    )


def handoff_memory(session: Session, episode: Episode, *, now: datetime) -> Memory | None:
    """What the session left undone, until it is done or stale; None when that is nothing."""
    episode = safe_episode(episode)
    if not episode.undone:
        return None
    began, ended = _span(session, now)
    return Memory(
        id=handoff_id(session, now=now),
        content=f"Left undone on {ended:%Y-%m-%d} ({episode.task}; session {session.id[-8:]}): "
        + "; ".join(episode.undone),
        category=Category.HANDOFF,
        scope=session.scope or GLOBAL,
        provenance=Provenance.OBSERVED,
        session_id=session.id,
        message_range=(session.messages[0].id, session.messages[-1].id),
        confidence_reason="worked out from the end of the session",
        tainted=True,
        created_at=began,
        updated_at=ended,
        confirmed_at=ended,
        trust=TRUST[Provenance.OBSERVED],
        valid_until=ended + timedelta(days=HANDOFF_DAYS),
        episode=Episode(task=episode.task, outcome=episode.outcome, undone=episode.undone),
    )


def handoff_id(session: Session, *, now: datetime) -> str:
    return record_id("handoff", session.id, _span(session, now)[0])


def procedure_memory(procedure: Procedure, scope: Scope, *, key: str, at: datetime, confidence: float) -> Memory:
    """A procedure made of episodes."""
    return Memory(
        id=record_id("procedure", key, at),
        content=procedure_text(procedure),
        category=Category.PROCEDURE,
        scope=scope,
        status=Status.CANDIDATE,
        provenance=Provenance.CONSOLIDATED,
        confidence_reason="done alike in several sessions",
        created_at=at,
        updated_at=at,
        confirmed_at=at,
        confidence=confidence,
        trust=TRUST[Provenance.CONSOLIDATED],
        procedure=procedure,
    )


def procedure_text(procedure: Procedure) -> str:
    return f"How to: {procedure.name}." + (f" When: {procedure.trigger}." if procedure.trigger else "")


def safe_episode(episode: Episode) -> Episode:
    """The episode without anything that may not be stored."""
    changes: dict[str, object] = {}
    for field in fields(episode):
        value = getattr(episode, field.name)
        if field.name == "steps":
            changes["steps"] = tuple(
                EpisodeStep(action=safe_text(s.action), detail=safe_text(s.detail), failed=s.failed) for s in value
            )
        elif isinstance(value, tuple):
            changes[field.name] = tuple(safe_text(each) for each in value if not instruction_like(each))
        elif field.name in ("task", "approach"):
            changes[field.name] = safe_text(value)
    return replace(episode, **changes)  # type: ignore[arg-type]


def safe_text(text: str) -> str:
    return scrub(scrubbed(text), find_personal)


def _span(session: Session, now: datetime) -> tuple[datetime, datetime]:
    times = [message.at for message in session.messages]
    return min(times, default=now), max(times, default=now)
