"""What a memory is related to, step by step through the graph."""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Store

DEPTH_MAX = 4
NAME_CHARS_MAX = 60


async def related(store: Store, memory_id: str, *, depth: int) -> list[tuple[Memory, Edge]]:
    """Live memories reached through links, each with the edge that led there; nearest first."""
    found: dict[str, Edge] = {}
    frontier, seen = [memory_id], {memory_id}
    for _ in range(max(1, min(depth, DEPTH_MAX))):
        following = []
        for edge in await store.edges(frontier):
            for end in (edge.target, edge.source):
                if end not in seen:
                    seen.add(end)
                    found[end] = edge
                    following.append(end)
        frontier = following
    return [(memory, found[memory.id]) for memory in await store.memories(list(found)) if memory.live]


async def through(store: Store, found: Sequence[tuple[Memory, Edge]]) -> dict[str, str]:
    """By id of a memory, what led to it, in words: the tag, the cluster or the memory at the other end of its edge."""
    ends = {memory.id: edge.source if edge.target == memory.id else edge.target for memory, edge in found}
    clusters = {cluster.id: cluster.name for cluster in await store.clusters()} if found else {}
    memories = {memory.id: memory.content for memory in await store.memories(sorted(set(ends.values())))}
    names = {}
    for memory, edge in found:
        end = ends[memory.id]
        match edge.kind:
            case EdgeKind.HAS_TAG:
                names[memory.id] = f"tag {end.removeprefix('tag:')}"
            case EdgeKind.IN_CLUSTER:
                names[memory.id] = f"cluster {clusters.get(end, end)}"
            case _:
                names[memory.id] = f"{edge.kind} {memories.get(end, end)[:NAME_CHARS_MAX]}"
    return names
