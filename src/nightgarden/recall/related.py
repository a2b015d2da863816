"""What a memory hangs together with, step by step through the graph."""

from __future__ import annotations

from nightgarden.domain.graph import Edge
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Store

DEPTH_MAX = 4


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
