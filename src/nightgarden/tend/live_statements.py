"""All live statements as they were when a run began, kept up with what the run itself changes.

Records of sessions (episodes, handoffs, procedures made of them) are not among them: `learn` looks after those.
Reading them once serves every operation. Another writer's changes show when a change is made: the store refuses it.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Memory, Scope
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.tend.proposal import count_by_scope

_PAGE = 2_000


class Snapshot:
    """Live memories by id, in the order of their ids."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self.memories: dict[str, Memory] = {memory.id: memory for memory in memories}
        self.live_at_start: dict[Scope, int] = count_by_scope(self.memories.values())

    @classmethod
    async def load(cls, store: Store) -> Snapshot:
        found: list[Memory] = []
        after: str | None = None
        while page := await store.list_memories(MemoryFilter(), limit=_PAGE, after=after):
            found += [memory for memory in page if memory.live and not memory.learned]
            after = page[-1].id
        return cls(found)

    def take(self, changes: Iterable[Change]) -> None:
        """What the run changed, or would change."""
        for change in changes:
            node = change.after if change.after is not None else change.before
            if isinstance(node, Memory):
                if change.after is not None and node.live and not node.learned:
                    self.memories[node.id] = node
                else:
                    self.memories.pop(node.id, None)

    async def reload(self, store: Store, ids: Iterable[str]) -> None:
        """Memories that somebody else changed meanwhile."""
        wanted = list(ids)
        for each in wanted:
            self.memories.pop(each, None)
        self.memories |= {
            memory.id: memory for memory in await store.memories(wanted) if memory.live and not memory.learned
        }

    def by_scope(self) -> dict[Scope, list[Memory]]:
        found: dict[Scope, list[Memory]] = {}
        for memory in self.memories.values():
            found.setdefault(memory.scope, []).append(memory)
        return dict(sorted(found.items()))

    def changed_since(self, moment: datetime | None) -> set[str]:
        """Ids of memories that came or changed after a moment; all when there is none."""
        return {each for each, memory in self.memories.items() if moment is None or memory.updated_at > moment}
