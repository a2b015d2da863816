"""From the best hits through the graph: what hangs on them by tag, cluster, relation, history or origin.

Each step carries the share of its parent's strength that the edge's kind allows, less with distance, less through
nodes on which much hangs. Contradicts is not walked: what contradicts a good hit is not thereby good. Only visible
items come out; a superseded memory on the way leads to the one that replaced it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from nightgarden.domain.belief import link_strength
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.ports import Store, View
from nightgarden.recall.result import Step

# The memory architecture seed's weights, decay and depth.
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
CARRIED_MIN = 0.02
HUB_FREE = 5  # a tag of five says as much as a tag of two
HUB_MAX = 400  # a node on which more hangs says nothing; its edges are not even read


@dataclass(frozen=True, slots=True, kw_only=True)
class Reached:
    """An item that the cascade came to: the strength that arrived, and the best way to it."""

    id: str
    strength: float
    path: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walker:
    seed: str
    node: str
    carried: float
    path: tuple[Step, ...]


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
    frontier = [_Walker(seed=id, node=id, carried=seeds[id], path=()) for id in best]
    arrived: dict[str, dict[str, _Walker]] = {}  # node to seed to the best walker
    for depth in range(DEPTH + 1):
        replaced = depth == DEPTH  # one step more, only from a superseded memory to what replaced it
        frontier = await _advance(frontier, store, now=view.now, only_supersedes=replaced)
        kept: list[_Walker] = []
        for walker in frontier:
            ways = arrived.setdefault(walker.node, {})
            known = ways.get(walker.seed)
            if known is None or known.carried < walker.carried:
                ways[walker.seed] = walker
                kept.append(walker)
        frontier = kept[:FRONTIER_MAX]
        if not frontier or len(arrived) >= NODES_MAX:
            break
    nodes = [node for node in sorted(arrived) if not node.startswith(("tag:", "cluster:"))][:NODES_MAX]
    allowed = await store.visible(nodes, view) if nodes else set()
    return {node: _reached(node, arrived[node].values()) for node in nodes if node in allowed}


async def _advance(frontier: Sequence[_Walker], store: Store, *, now: datetime, only_supersedes: bool) -> list[_Walker]:
    """One step from every walker. Walkers never step back to where they came from, nor to their seed."""
    nodes = sorted({walker.node for walker in frontier})
    degrees = await store.degrees(nodes) if nodes else {}
    walkable = [node for node in nodes if 0 < degrees.get(node, 0) <= HUB_MAX]
    if not walkable:
        return []
    kinds = (EdgeKind.SUPERSEDES,) if only_supersedes else WALKED
    ends: dict[str, list[tuple[str, Edge]]] = {}
    for edge in await store.edges(walkable, kinds=kinds):
        ends.setdefault(edge.source, []).append((edge.target, edge))
        ends.setdefault(edge.target, []).append((edge.source, edge))
    stepped: list[_Walker] = []
    for walker in frontier:
        damping = hub_damping(degrees.get(walker.node, 0)) * DECAY
        seen = {walker.seed, *(step.source for step in walker.path)}
        for node, edge in ends.get(walker.node, ()):
            if only_supersedes and edge.source != node:
                continue  # towards what replaced it, not back to what it replaced
            carried = walker.carried * edge_weight(edge, now) * damping
            if node in seen or carried < CARRIED_MIN:
                continue
            step = Step(source=walker.node, kind=edge.kind.value, target=node, carried=carried)
            stepped.append(_Walker(seed=walker.seed, node=node, carried=carried, path=(*walker.path, step)))
    return sorted(stepped, key=lambda walker: (-walker.carried, walker.node, walker.seed))


def _reached(node: str, ways: Iterable[_Walker]) -> Reached:
    walkers = sorted(ways, key=lambda walker: (-walker.carried, walker.seed))
    missed = 1.0
    for walker in walkers:  # two seeds that lead to the same item are better than one
        missed *= 1.0 - min(walker.carried, 0.99)
    return Reached(id=node, strength=1.0 - missed, path=walkers[0].path)
