"""Changes a person or agent makes to memories that exist: pure functions from values to changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from nightgarden.domain.doubt import Doubt, DoubtKind
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import USER_SAID, Category, Importance, Memory, Scope, Status, Tier
from nightgarden.domain.text import tag_names
from nightgarden.errors import BadInput, RuleRefused
from nightgarden.remember.build import NEVER_FROM_OUTSIDE, OUTSIDE_RANK, given_tags

AGENT_DOUBTS = Doubt(kind=DoubtKind.UNWANTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields:
    """What is to be different; None leaves a field alone."""

    content: str | None = None
    category: Category | None = None
    importance: Importance | None = None
    pinned: bool | None = None
    confidence: float | None = None
    valid_until: datetime | None = None
    scope: Scope | None = None


def revise(memory: Memory, wanted: Fields, *, at: datetime) -> Change | None:
    """The memory with other fields. None when nothing differs."""
    names = ("content", "category", "importance", "confidence", "valid_until", "scope")
    given = {name: value for name in names if (value := getattr(wanted, name)) is not None}
    tier = memory.tier if wanted.pinned is None else (Tier.PINNED if wanted.pinned else Tier.ACTIVE)
    after = replace(memory, tier=tier, **given)
    return Change(memory, replace(after, updated_at=at)) if after != memory else None


def archived(memory: Memory, *, at: datetime) -> Memory:
    """The memory out of recall; it can be restored."""
    return replace(memory, status=Status.ARCHIVED, tier=Tier.FADING, archived_at=at, updated_at=at)


def archive(memory: Memory, *, at: datetime, reason: str = "") -> Change | None:
    """Takes a memory out of recall. None when it is archived already."""
    return None if memory.status is Status.ARCHIVED else Change(memory, archived(memory, at=at), reason)


def forget(memory: Memory, said: Iterable[str], *, actor: str, at: datetime) -> Change | None:
    """Takes a memory out of recall, with the passages that say it, which are hidden as long as it is forgotten. What
    the user stated, an agent does not take away: it is flagged, for the user to decide. None when nothing is left."""
    if actor != "agent" or (memory.provenance not in USER_SAID and not memory.pinned):
        if memory.status is Status.ARCHIVED:
            return None
        return Change(memory, replace(archived(memory, at=at), hides=tuple(said)))
    if memory.flagged or not memory.live:
        return None
    return Change(memory, replace(memory, doubts=(AGENT_DOUBTS,), updated_at=at))


def superseded(old: Memory, *, by: str, at: datetime, now: datetime) -> Memory:
    """A memory that another took the place of: kept, with the moment it ceased to hold."""
    return replace(archived(old, at=at), superseded_by=by, valid_until=at, doubts=(), updated_at=now)


def replace_others(memory: Memory, others: Iterable[Memory], *, at: datetime) -> list[Change]:
    """The memory is right: those it contradicts are superseded by it, and it is no longer in doubt."""
    changes = [Change(memory, replace(memory, doubts=(), confirmed_at=at, updated_at=at))]
    for other in others:
        edge = Edge(source=memory.id, target=other.id, kind=EdgeKind.SUPERSEDES, created_at=at, updated_at=at)
        changes += [Change(other, superseded(other, by=memory.id, at=at, now=at)), Change(None, edge)]
    return changes


def restore(memory: Memory, *, at: datetime, reason: str = "") -> Change | None:
    """Brings an archived memory back, as current. None when it is live already."""
    if memory.live:
        return None
    expired = memory.valid_until is not None and memory.valid_until <= at
    after = replace(
        memory,
        status=Status.PROMOTED,
        tier=Tier.ACTIVE,
        archived_at=None,
        superseded_by=None,
        valid_until=None if expired or memory.superseded_by else memory.valid_until,
        confirmed_at=at,
        updated_at=at,
        hides=(),
    )
    return Change(memory, after, reason)


def check_rank(memory: Memory, *, category: Category | str | None, pinned: bool | None, actor: str) -> None:
    """What outside text shaped is raised by the user alone. Raises RuleRefused."""
    raised = bool(pinned) or category in NEVER_FROM_OUTSIDE
    if memory.tainted and raised and actor != "user":
        raise RuleRefused(f"not changed ({OUTSIDE_RANK.id}): {OUTSIDE_RANK.sentence}")


def retag(memory: Memory, *, add: Iterable[str], remove: Iterable[str], at: datetime) -> Change | None:
    tags = given_tags({*memory.tags, *given_tags(add)} - set(tag_names(remove)))
    return Change(memory, replace(memory, tags=tags, updated_at=at)) if tags != memory.tags else None


def link(source: Memory, target: Memory, kind: EdgeKind, weight: float, *, known: Edge | None, at: datetime) -> Change:
    """A new edge, or the same edge with another weight."""
    if source.id == target.id:
        raise BadInput("a memory cannot be linked to itself")
    if kind in (EdgeKind.HAS_TAG, EdgeKind.IN_CLUSTER):
        raise BadInput(f"{kind} links follow from tags and clusters; use `tag` instead")
    if not 0.0 < weight <= 1.0:
        raise BadInput(f"a link's weight must be above 0 and at most 1, not {weight}")
    edge = Edge(
        source=source.id,
        target=target.id,
        kind=kind,
        weight=weight,
        created_at=known.created_at if known else at,
        updated_at=at,
    )
    return Change(known, edge)


def feedback(memory: Memory, *, helpful: bool, at: datetime) -> Change:
    """Helpful: a little surer and stronger. Not helpful: less sure."""
    if helpful:
        after = replace(
            memory,
            confidence=min(1.0, memory.confidence + 0.05),
            strength=memory.strength + 1,
            confirmed_at=at,
            updated_at=at,
        )
        return Change(memory, after, "helpful")
    return Change(memory, replace(memory, confidence=max(0.0, memory.confidence - 0.1), updated_at=at), "not helpful")
