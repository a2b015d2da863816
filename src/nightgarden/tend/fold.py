"""Folding memories that say the same into one: which text stays, and what it takes over from the others. Pure.

One of the memories stays, with its id and its text, so that links to it and its vector stay true; or a new one with a
composed text takes the place of all. The others are archived as superseded by it, with an edge that leads back. Whether
they do say the same was decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from nightgarden.domain.belief import TRUST
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Importance, Memory, Reinforcement, Status
from nightgarden.domain.text import query_terms
from nightgarden.remember.build import REINFORCEMENTS_MAX, TAGS_MAX
from nightgarden.remember.edit import superseded

CARRIED = (EdgeKind.RELATES_TO, EdgeKind.DERIVED_FROM, EdgeKind.CONTRADICTS)


def choose(memories: Sequence[Memory], *, nearness: Callable[[Memory], float] = lambda memory: 0.0) -> Memory:
    """The one whose text stays: pinned, then by origin, then nearest to the middle, then saying most, then oldest."""

    def rank(memory: Memory) -> tuple[float, ...]:
        said = len(query_terms(memory.content))
        return (
            float(memory.pinned),
            float(not memory.tainted),
            TRUST[memory.provenance],
            round(nearness(memory) + 0.02 * min(said, 40), 3),  # a word more is worth a little distance
        )

    best = max(rank(memory) for memory in memories)
    return min((memory for memory in memories if rank(memory) == best), key=lambda m: (m.created_at, m.id))


def fold(
    kept: Memory, others: Iterable[Memory], edges: Mapping[str, Sequence[Edge]], *, now: datetime, new: bool = False
) -> tuple[Change, ...]:
    """The changes: others out, the kept one richer, their edges moved over. `edges` are those that touch each id. A
    `new` one is not stored yet."""
    others = sorted(others, key=lambda memory: memory.id)
    changes = [Change(other, superseded(other, by=kept.id, at=now, now=now)) for other in others]
    after = enriched(kept, others, now=now)
    changes.append(Change(None, replace(after, updated_at=kept.updated_at)) if new else Change(kept, after))
    for other in others:
        link = Edge(source=kept.id, target=other.id, kind=EdgeKind.SUPERSEDES, created_at=now, updated_at=now)
        if all(edge.key != link.key for edge in edges.get(kept.id, ())):
            changes.append(Change(None, link))
    return (*changes, *_carried(kept, others, edges, now=now))


def enriched(kept: Memory, others: Sequence[Memory], *, now: datetime) -> Memory:
    """The kept memory with the highest confidence of all, their strength, breadcrumbs, tags and files."""
    every = [kept, *others]
    surest = max(every, key=lambda memory: (memory.confidence, memory.id == kept.id))
    crumbs = sorted({crumb for memory in every for crumb in memory.reinforcements}, key=_crumb_order)
    tags = sorted({tag for memory in every for tag in memory.tags} - set(kept.tags))
    promoted = any(memory.status is Status.PROMOTED for memory in every)
    return replace(
        kept,
        confidence=surest.confidence,
        confidence_reason=surest.confidence_reason,
        trust=max(memory.trust for memory in every if memory.tainted == kept.tainted),
        importance=max((memory.importance for memory in every), key=list(Importance).index),
        strength=sum(memory.strength for memory in every),
        observation_count=sum(memory.observation_count for memory in every),
        reinforcements=tuple(crumbs[-REINFORCEMENTS_MAX:]),
        tags=tuple(sorted((*kept.tags, *tags[: max(0, TAGS_MAX - len(kept.tags))]))),
        file_paths=tuple(dict.fromkeys(path for memory in every for path in memory.file_paths)),
        # What may stop a tool comes from those who may: an agent's pattern does not become the user's by being merged.
        trigger_patterns=tuple(
            dict.fromkeys(p for memory in every if memory.binding or not kept.binding for p in memory.trigger_patterns)
        ),
        confirmed_at=max(memory.confirmed_at or memory.created_at for memory in every),
        status=Status.PROMOTED if promoted else kept.status,
        tier=min(memory.tier for memory in every),
        doubts=next((memory.doubts for memory in every if memory.doubts), ()),
        updated_at=now,
    )


def _crumb_order(crumb: Reinforcement) -> tuple[datetime, str, str]:
    return crumb.at, crumb.session_id or "", crumb.message_id or ""


def _carried(
    kept: Memory, others: Sequence[Memory], edges: Mapping[str, Sequence[Edge]], *, now: datetime
) -> list[Change]:
    """Edges of the others, led to and from the kept one; where it has the edge already, the heavier weight stays."""
    folded = {kept.id, *(other.id for other in others)}
    known = {edge.key: edge for edge in edges.get(kept.id, ())}
    wanted: dict[str, Edge] = {}
    for other in others:
        for edge in edges.get(other.id, ()):
            if edge.kind not in CARRIED:
                continue
            far = edge.target if edge.source == other.id else edge.source
            if far in folded:
                continue
            source, target = (kept.id, far) if edge.source == other.id else (far, kept.id)
            turned = f"{target}>{edge.kind}>{source}"
            if edge.kind is not EdgeKind.DERIVED_FROM and (turned in known or turned in wanted):
                source, target = target, source
            new = replace(edge, source=source, target=target, created_at=now, updated_at=now)
            heavier = wanted.get(new.key)
            wanted[new.key] = new if heavier is None or heavier.weight < new.weight else heavier
    changes = []
    for key, edge in sorted(wanted.items()):
        before = known.get(key)
        if before is None:
            changes.append(Change(None, edge))
        elif before.weight < edge.weight:
            changes.append(Change(before, replace(before, weight=edge.weight, updated_at=now)))
    return changes
