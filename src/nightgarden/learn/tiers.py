"""Which memories count, by somebody's own word: candidates, promoting, pinning; and what tags are for. The
`garden.learn.tiers` part of the public API. What time and use do to tiers is tending's."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import replace

from nightgarden.domain.gate import Gate
from nightgarden.domain.graph import Tag
from nightgarden.domain.journal import Change, Operation, Origin
from nightgarden.domain.memory import Memory, Scope, Status, Tier
from nightgarden.domain.ports import Clock, MemoryFilter, Store
from nightgarden.domain.text import squash, tag_name
from nightgarden.errors import BadInput, NotFound, RuleRefused
from nightgarden.remember.changing import change_memory

DESCRIPTION_CHARS_MAX = 200
PROMOTED_CONFIDENCE = 0.7  # what somebody promoted need not prove itself


class Tiers:
    """Candidates, promoting, pinning."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def candidates(
        self, *, scopes: Sequence[Scope] | None = None, limit: int | None = 50
    ) -> builtins.list[Memory]:
        """Memories that have not proved themselves yet; those nearest to it first."""
        which = MemoryFilter(
            scopes=tuple(scopes) if scopes is not None else None, statuses=(Status.CANDIDATE,), superseded=False
        )
        found = await self._store.list_memories(which)
        order = sorted(found, key=lambda m: (-m.observation_count, -m.confidence, -m.access_count, m.id))
        return order[:limit]

    async def promote(self, memory_id: str, *, actor: str = "user", cycle: str | None = None) -> Memory:
        """A candidate counts from now on; so does what was fading."""

        def change(memory: Memory) -> Change | None:
            if not memory.live:
                raise BadInput(f"{memory.id} is archived; `nightgarden restore` brings it back")
            after = replace(
                memory,
                status=Status.PROMOTED,
                tier=min(memory.tier, Tier.ACTIVE),
                confidence=max(memory.confidence, PROMOTED_CONFIDENCE),
            )
            if memory.procedure is not None and memory.status is Status.CANDIDATE:  # learning reckons from there
                after = replace(after, procedure=replace(memory.procedure, start=PROMOTED_CONFIDENCE))
            return Change(memory, replace(after, updated_at=self._clock.now())) if after != memory else None

        return await self._change(memory_id, change, actor, "promoted", cycle)

    async def pin(self, memory_id: str, *, actor: str = "user", cycle: str | None = None) -> Memory:
        """In every briefing, never fading."""

        def change(memory: Memory) -> Change | None:
            if not memory.live:
                raise BadInput(f"{memory.id} is archived; `nightgarden restore` brings it back")
            after = replace(memory, tier=Tier.PINNED, status=Status.PROMOTED)
            return Change(memory, replace(after, updated_at=self._clock.now())) if after != memory else None

        return await self._change(memory_id, change, actor, "pinned", cycle)

    async def unpin(self, memory_id: str, *, actor: str = "user", cycle: str | None = None) -> Memory:
        """As before: active while it is promoted."""

        def change(memory: Memory) -> Change | None:
            if not memory.pinned:
                return None
            tier = Tier.FADING if memory.status is Status.CANDIDATE else Tier.ACTIVE
            return Change(memory, replace(memory, tier=tier, updated_at=self._clock.now()))

        return await self._change(memory_id, change, actor, "unpinned", cycle)

    async def describe_tag(self, name: str, description: str, *, actor: str = "user") -> Tag:
        """Says what a tag is for. Raises NotFound for a tag that nothing carries."""
        wanted, text = tag_name(name), squash(description)
        if len(text) > DESCRIPTION_CHARS_MAX:
            raise BadInput(f"a description takes up to {DESCRIPTION_CHARS_MAX} characters, not {len(text)}")
        if refused := Gate(tainted=actor != "user").refuse({"description": text}):
            raise RuleRefused(f"not stored ({refused.rule.id}): {refused.rule.sentence}")
        tag = next((tag for tag in await self._store.tags() if tag.name == wanted), None)
        if tag is None:
            raise NotFound(f"there is no tag {wanted!r}; `nightgarden tag` lists them")
        after = replace(tag, description=text)
        if after != tag:
            origin = Origin(actor=actor, operation=Operation.TAG, reason="described")
            await self._store.apply([Change(tag, after)], origin, at=self._clock.now())
        return after

    async def _change(
        self, memory_id: str, change: Callable[[Memory], Change | None], actor: str, reason: str, cycle: str | None
    ) -> Memory:
        origin = Origin(actor=actor, operation=Operation.UPDATE, reason=reason, cycle=cycle)
        return await change_memory(self._store, memory_id, change, origin, self._clock)
