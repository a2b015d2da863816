"""Links between memories that belong together: alike in meaning, or from the same sessions.

A link's weight follows from its evidence and fades while neither end is used; it is written again only when it moved
by a tenth, so that a quiet night writes nothing. Links that exist, whoever made them, are never removed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Memory
from nightgarden.tend.idle import last_used
from nightgarden.tend.meanings import ScopeMeanings
from nightgarden.tend.proposal import Proposal, TendPlan, propose
from nightgarden.tend.tending import Tending

LIKE_SPREADS = 3.5  # so many spreads above the usual cosine is alike; for bge-small that is about 0.8
LIKE_MIN, LIKE_MAX = 0.5, 0.85
LIKE_FEW = 0.8  # where there are too few memories to tell what is usual
FEW = 30
LIKE_LINKS = 3  # new links of one memory by likeness
SESSION_MEMORIES_MAX = 30  # of a session that gave more, only neighbours in time belong together
# Weight of equals. What is alike is near in recall already; at 0.8 such links pushed answers out of the first five in
# the replayed year (docs/bench/year-notes.md).
LIKENESS = 0.4
TOGETHER = 0.3  # weight of one shared session; each further one adds the same share of what is missing
WEIGHT_STEP = 0.1
WEIGHT_MIN = 0.1  # below this a link carries nothing, and does not fade further
FADE_DAYS = 180.0  # half-life of a link whose ends nobody uses
IDLE_DAYS = 90


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationEvidence:
    """Why two memories should be linked."""

    cosine: float = 0.0
    likeness: float = 0.0  # 0 at the threshold, 1 for equals
    sessions: int = 0

    @property
    def weight(self) -> float:
        return round(1.0 - (1.0 - LIKENESS * self.likeness) * (1.0 - TOGETHER) ** self.sessions, 2)

    def __str__(self) -> str:
        parts = [f"alike ({self.cosine:.2f})"] if self.likeness else []
        parts += [f"{self.sessions} session{'s' if self.sessions > 1 else ''} in common"] if self.sessions else []
        return ", ".join(parts)


Key = tuple[str, str]  # two ids, the smaller first


async def find(tending: Tending) -> TendPlan:
    """New links for what is new, and weights that moved."""
    plan = TendPlan(state=tending.done("relate"))
    memories = tending.snapshot.memories
    edges = [edge async for page in tending.store.all_edges(kinds=[EdgeKind.RELATES_TO]) for edge in page]
    fresh = tending.fresh("relate")
    meanings = await tending.meanings(current=True)
    evidence: dict[Key, RelationEvidence] = {}
    for scope in meanings.scopes.values():
        await scope.look(fresh)
        if scope.measured:
            evidence |= alike(scope, fresh, memories)
    for key, number in together(memories.values(), fresh).items():
        evidence[key] = replace(evidence.get(key, RelationEvidence()), sessions=number)
    known = {_key(edge.source, edge.target): edge for edge in edges}
    plan.proposals += new_links(evidence, known, now=tending.now, links_max=tending.settings.tend.links_max)
    plan.proposals += reweighed(evidence, known, memories, now=tending.now)
    return plan


def _key(one: str, other: str) -> Key:
    return (one, other) if one < other else (other, one)


def like_from(scope: ScopeMeanings) -> float:
    """From which cosine two memories of a scope are alike."""
    if len(scope.ids) < FEW:
        return LIKE_FEW
    mean, spread = scope.usual()
    return min(LIKE_MAX, max(LIKE_MIN, mean + LIKE_SPREADS * spread))


def alike(scope: ScopeMeanings, fresh: Iterable[str], memories: Mapping[str, Memory]) -> dict[Key, RelationEvidence]:
    """Each memory and those nearest to it, where they are near enough."""
    floor = like_from(scope)
    found: dict[Key, RelationEvidence] = {}
    for each in sorted(set(fresh) & set(scope.ids)):
        if each not in memories:
            continue
        near = [(other, cosine) for other, cosine in scope.neighbours(each) if cosine >= floor and other in memories]
        for other, cosine in near[:LIKE_LINKS]:
            likeness = min(1.0, 0.25 + 0.75 * (cosine - floor) / max(1e-6, 1.0 - floor))
            found[_key(each, other)] = RelationEvidence(cosine=cosine, likeness=likeness)
    return found


def together(memories: Iterable[Memory], fresh: set[str]) -> dict[Key, int]:
    """How many sessions two memories of one scope share, for pairs with something new in them."""
    by_session: dict[tuple[str, str], list[Memory]] = {}
    for memory in memories:
        sessions = {memory.session_id, *(crumb.session_id for crumb in memory.reinforcements)} - {None}
        for session in sessions:
            by_session.setdefault((str(memory.scope), str(session)), []).append(memory)
    found: dict[Key, int] = {}
    for members in by_session.values():
        members.sort(key=lambda memory: (memory.created_at, memory.id))
        reach = len(members) if len(members) <= SESSION_MEMORIES_MAX else 3
        for at, one in enumerate(members):
            for other in members[at + 1 : at + reach]:
                if one.id in fresh or other.id in fresh:
                    key = _key(one.id, other.id)
                    found[key] = found.get(key, 0) + 1
    return found


def new_links(
    evidence: Mapping[Key, RelationEvidence], known: Mapping[Key, Edge], *, now: datetime, links_max: int
) -> list[Proposal]:
    """The strongest first, until a memory has as many links as it may."""
    degree: dict[str, int] = {}
    for one, other in known:
        degree[one] = degree.get(one, 0) + 1
        degree[other] = degree.get(other, 0) + 1
    found = []
    for (one, other), why in sorted(evidence.items(), key=lambda item: (-item[1].weight, item[0])):
        if (one, other) in known or max(degree.get(one, 0), degree.get(other, 0)) >= links_max:
            continue
        for each in (one, other):
            degree[each] = degree.get(each, 0) + 1
        edge = Edge(
            source=one, target=other, kind=EdgeKind.RELATES_TO, weight=why.weight, created_at=now, updated_at=now
        )
        found.append(propose("linked", [Change(None, edge)], str(why)))
    return found


def reweighed(
    evidence: Mapping[Key, RelationEvidence],
    known: Mapping[Key, Edge],
    memories: Mapping[str, Memory],
    *,
    now: datetime,
) -> list[Proposal]:
    """Links that the evidence makes stronger, and links that fade because nobody uses their ends."""
    found = []
    for key, edge in sorted(known.items()):
        ends = [memories[each] for each in key if each in memories]
        if len(ends) < 2:
            continue
        used = max(last_used(memory) for memory in ends)
        wanted = evidence[key].weight * fading(now, used) if key in evidence else 0.0
        faded = max(WEIGHT_MIN, edge.weight * fading(now, max(used, edge.updated_at)))
        if wanted >= edge.weight + WEIGHT_STEP:
            after = replace(edge, weight=round(wanted, 2), updated_at=now)
            found.append(propose("strengthened", [Change(edge, after)], str(evidence[key])))
        elif faded <= edge.weight - WEIGHT_STEP:
            after = replace(edge, weight=round(faded, 2), updated_at=now)
            found.append(propose("weakened", [Change(edge, after)], f"neither end used for {(now - used).days} days"))
    return found


def fading(now: datetime, since: datetime) -> float:
    """What is left of a weight after the time nobody used it; the first months cost nothing."""
    days = (now - since).total_seconds() / 86400.0
    return 1.0 if days < IDLE_DAYS else float(2.0 ** (-days / FADE_DAYS))
