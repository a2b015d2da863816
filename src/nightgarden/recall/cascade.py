"""From the best hits through the graph: what hangs on them by tag, cluster, relation, history or origin.

Each step carries the share of its parent's strength that the edge's kind allows, less with distance, less through
nodes on which much hangs. Contradicts is not walked: what contradicts a good hit is not thereby good. Only visible
items come out; a superseded memory on the way leads to the one that replaced it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from nightgarden.domain.belief import link_strength
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.ports import Store, View
from nightgarden.recall.result import RecallStep

# Weights, decay and depth: taken over, not measured.
KIND_WEIGHT: dict[EdgeKind, float] = {
    EdgeKind.HAS_TAG: 0.8,
    EdgeKind.IN_CLUSTER: 0.6,
    EdgeKind.SUPERSEDES: 0.9,
    EdgeKind.DERIVED_FROM: 0.7,
}
WALKED = (*KIND_WEIGHT, EdgeKind.RELATES_TO)
DECAY = 0.7
DEPTH = 2
# Bounds, by taste: beyond them a step carries next to nothing.
SEEDS_MAX = 8
FRONTIER_MAX = 64
NODES_MAX = 256
SHARE_MIN = 0.05  # of the seed's strength
HUB_FREE = 5  # a tag of five says as much as a tag of two
HUB_MAX = 400  # a node on which more hangs says nothing; its edges are not even read


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """An item that the cascade came to: the strength that arrived, and the best way to it."""

    id: str
    strength: float
    path: tuple[RecallStep, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walker:
    seed: str
    least: float  # below this it stops
    node: str
    carried: float
    path: tuple[RecallStep, ...]


def edge_weight(edge: Edge, now: datetime) -> float:
    """How much of a parent's strength an edge lets through. Links fade when nothing strengthens them."""
    if edge.kind is EdgeKind.RELATES_TO:
        return link_strength(edge, now)
    return KIND_WEIGHT.get(edge.kind, 0.0)


def hub_damping(degree: int) -> float:
    """1 for a node with few edges, falling with the root of their number."""
    return 1.0 / math.sqrt(max(1.0, degree / HUB_FREE))


async def cascade(seeds: Mapping[str, float], store: Store, view: View) -> dict[str, Reached]:
    """What can be reached from the seeds (id to strength), seeds themselves included when another leads to them."""
    best = sorted(seeds, key=lambda id: (-seeds[id], id))[:SEEDS_MAX]
    frontier = [_Walker(seed=id, least=SHARE_MIN * seeds[id], node=id, carried=seeds[id], path=()) for id in best]
    arrived: dict[str, dict[str, _Walker]] = {}  # node to seed to the best walker
    replaced: set[str] = set()
    allowed: set[str] = set()
    for depth in range(DEPTH + 1):
        if depth == DEPTH:  # one step more, only from a superseded memory to what replaced it
            frontier = [walker for walker in frontier if walker.node in replaced]
        kept: list[_Walker] = []
        for walker in await _advance(frontier, store, replaced, now=view.now):
            ways = arrived.setdefault(walker.node, {})
            known = ways.get(walker.seed)
            if known is None or known.carried < walker.carried:
                ways[walker.seed] = walker
                kept.append(walker)
        kept = kept[:FRONTIER_MAX]
        nodes = sorted({walker.node for walker in kept})
        seen = await store.visible(nodes, view) if nodes else set()
        frontier, fresh = await _passable(kept, [node for node in nodes if node not in seen], store, view)
        allowed |= seen
        replaced |= fresh
        if not frontier or len(arrived) >= NODES_MAX:
            break
    return {node: _reached(node, arrived[node].values()) for node in sorted(allowed)}


async def _passable(
    walkers: list[_Walker], unseen: Sequence[str], store: Store, view: View
) -> tuple[list[_Walker], set[str]]:
    """The walkers that may go on, and the superseded memories among their nodes. No way leads through a memory that the
    view hides, but for one that was replaced within the scopes asked for: it leads to what replaced it. Tags and
    clusters are unseen as well, and are walked through."""
    unseen = [node for node in unseen if not node.startswith("tag:")]
    if not unseen:
        return walkers, set()
    hidden = await store.memories(unseen)
    replaced = {
        memory.id
        for memory in hidden
        if memory.superseded_by is not None and (view.scopes is None or memory.scope in view.scopes)
    }
    closed = {memory.id for memory in hidden} - replaced
    return [walker for walker in walkers if walker.node not in closed], replaced


async def _advance(frontier: Sequence[_Walker], store: Store, replaced: Set[str], *, now: datetime) -> list[_Walker]:
    """One step from every walker. Walkers never step back to where they came from, nor to their seed."""
    nodes = sorted({walker.node for walker in frontier})
    degrees = await store.degrees(nodes) if nodes else {}
    walkable = [node for node in nodes if 0 < degrees.get(node, 0) <= HUB_MAX]
    if not walkable:
        return []
    ends: dict[str, list[tuple[str, Edge]]] = {}
    for edge in await store.edges(walkable, kinds=WALKED):
        replaces = edge.kind is EdgeKind.SUPERSEDES
        if edge.source not in replaced:
            ends.setdefault(edge.source, []).append((edge.target, edge))
        if edge.target not in replaced or replaces:
            ends.setdefault(edge.target, []).append((edge.source, edge))
    stepped: list[_Walker] = []
    for walker in frontier:
        damping = hub_damping(degrees.get(walker.node, 0)) * DECAY
        seen = {walker.seed, *(step.source for step in walker.path)}
        for node, edge in ends.get(walker.node, ()):
            carried = walker.carried * edge_weight(edge, now) * damping
            if node in seen or carried < walker.least:
                continue
            step = RecallStep(source=walker.node, kind=edge.kind.value, target=node, carried=carried)
            stepped.append(replace(walker, node=node, carried=carried, path=(*walker.path, step)))
    return sorted(stepped, key=lambda walker: (-walker.carried, walker.node, walker.seed))


def _reached(node: str, ways: Iterable[_Walker]) -> Reached:
    walkers = sorted(ways, key=lambda walker: (-walker.carried, walker.seed))
    last: dict[str, float] = {}  # by the node before: seeds that meet in a tag or a cluster say one thing, not many
    for walker in walkers:
        last.setdefault(walker.path[-1].source, walker.carried)
    missed = 1.0
    for carried in last.values():  # two ways that lead to the same item are better than one
        missed *= 1.0 - min(carried, 0.99)
    return Reached(id=node, strength=1.0 - missed, path=walkers[0].path)
