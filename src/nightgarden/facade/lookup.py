"""Things by their ids, and what belongs to them: what surfaces need to show an answer. The `garden.lookup` part."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.memory import Category, Memory, Scope, ScopeKind
from nightgarden.domain.ports import MemoryFilter
from nightgarden.domain.state_keys import PROJECT_ROOT
from nightgarden.scope import machine_of

if TYPE_CHECKING:
    from nightgarden.domain.session import Passage, Session
    from nightgarden.facade.opened import OpenGarden
    from nightgarden.sessions.surfaced import SurfacedIn
    from nightgarden.settings import Settings


class GardenLookup:
    """What a garden has, read as it is: nothing counts as recalled or used."""

    def __init__(self, opened: OpenGarden, settings: Settings, scopes: tuple[Scope, ...] | None) -> None:
        self._opened = opened
        self._store = opened.store
        self._settings = settings
        self._scopes = scopes

    async def ids_like(self, part: str, kinds: Sequence[str]) -> list[str]:
        """Ids of memories, passages, sessions, entries and kinds of documents that a part of one may mean."""
        return await self._store.matching_ids(part, kinds)

    async def memories(self, ids: Sequence[str]) -> list[Memory]:
        """Those that exist, in the order asked for; each once."""
        return await self._store.memories(list(dict.fromkeys(ids)))

    async def passages(self, ids: Sequence[str]) -> list[Passage]:
        """Those that exist."""
        return await self._store.passages(ids)

    async def session(self, session_id: str) -> Session | None:
        """A session with its messages, or None when no such one was taken in."""
        return await self._store.session(session_id)

    async def learned_in(self, session_id: str) -> list[Memory]:
        """Memories that came out of a session, newest first."""
        return await self._store.list_memories(MemoryFilter(session_id=session_id), newest_first=True)

    async def surfaced(self, *, session_id: str | None = None, limit: int = 10) -> list[SurfacedIn]:
        """What the latest sessions, or one of them, were given and taught."""
        from nightgarden.sessions.surfaced import surfaced  # 60 ms with the sessions

        return await surfaced(self._opened.turns.live, self._store, session_id=session_id, limit=limit)

    async def contradicting(self, memory_id: str) -> list[Memory]:
        """Live memories that this one contradicts, or that contradict it."""
        from nightgarden.remember.changing import contradicting  # 20 ms

        return await contradicting(self._store, memory_id)

    async def successions(self, memory_id: str) -> list[Edge]:
        """What a memory replaced, and what replaced it."""
        return await self._store.edges([memory_id], kinds=[EdgeKind.SUPERSEDES])

    async def led_to(self, found: Sequence[tuple[Memory, Edge]]) -> dict[str, str]:
        """By id of a related memory, what led to it, in words."""
        from nightgarden.recall.related import through  # 10 ms

        return await through(self._store, found)

    async def warnings(self) -> list[Memory]:
        """What must not be done, as far as somebody here sees it, also what no pattern calls up: "never delete the data
        folder" is read whole."""
        forbidding = MemoryFilter(scopes=self._scopes, categories=(Category.NEGATIVE,), superseded=False)
        now = self._opened.clock.now()
        found = await self._store.list_memories(forbidding)
        return [each for each in found if each.valid_until is None or each.valid_until > now]

    async def newest_change(self) -> str:
        """The id of the newest entry of the journal; empty when there is none."""
        newest = await self._store.newest_entries(limit=1)
        return newest[0].id if newest else ""

    async def projects(self) -> list[tuple[str, str, int]]:
        """Every project with memories: its scope, its root as far as one is known, and how many it has."""
        roots, machine = await self._store.state_items(PROJECT_ROOT), machine_of(self._settings)
        found = []
        for scope, memories in (await self._store.counts()).memories_by_scope.items():
            kind, _, owner = scope.partition(":")
            if kind == ScopeKind.PROJECT:
                places = roots.get(PROJECT_ROOT + owner) or {}
                # known from another machine, if not from this one
                found.append((scope, places.get(machine) or next(iter(places.values()), ""), memories))
        return found

    async def notebooks(self) -> list[Path]:
        """Roots of the projects on this machine whose notebook is kept up."""
        from nightgarden.learn.notebook import notebooks_on  # 30 ms

        return await notebooks_on(self._store, machine_of(self._settings))
