"""Directives of the user, kept in the garden: told to the next cycle first, and done with only when that has ended."""

from __future__ import annotations

import builtins
import hashlib
import os
from collections.abc import Sequence
from dataclasses import replace

from nightgarden.domain.ids import IdMaker
from nightgarden.domain.memory import Scope
from nightgarden.errors import BadInput, Conflict
from nightgarden.garden import Garden
from nightgarden.safety.cleaning import clean
from nightgarden.safety.directives import Directive
from nightgarden.safety.safety_documents import DIRECTIVE, ActionLabels, LabelledShelf

_WAITING = ("open", "taken")


class Directives:
    """What the user told the agent, and which of it is still to be done."""

    def __init__(self, garden: Garden) -> None:
        self._garden = garden
        self._ids = IdMaker(lambda: int.from_bytes(os.urandom(10)))
        self._shelf: LabelledShelf[Directive] = LabelledShelf(
            garden.store, DIRECTIVE, lambda d: ActionLabels(owner=str(d.scope), status=d.status)
        )

    async def add(
        self,
        text: str,
        *,
        by: str = "user",
        via: str = "cli",
        in_reply_to: str = "",
        message_id: str = "",
        scope: Scope | None = None,
    ) -> Directive | None:
        """Keeps an instruction, for this project if no other scope is named. None: this very message was taken before.
        Raises BadInput for an empty one."""
        words = clean(text).strip()
        if not words:
            raise BadInput("the directive is empty; say what the agent should do")
        now = self._garden.now()
        key = hashlib.sha256(f"{via}\n{message_id}".encode("utf-8", "replace")).hexdigest()[:32] if message_id else ""
        directive = Directive(
            id=key or self._ids.make(now),
            text=words,
            received_at=now,
            by=by,
            via=via,
            scope=scope or self._garden.place.scope,
            in_reply_to=in_reply_to,
        )
        try:
            await self._shelf.add(directive.id, directive, at=now)
        except Conflict:
            return None
        return directive

    async def list(self, *, include_consumed: bool = False) -> builtins.list[Directive]:
        """Everywhere in the garden, the oldest first."""
        found = [held.value for held in await self._shelf.list(statuses=None if include_consumed else _WAITING)]
        return sorted(found, key=lambda directive: (directive.received_at, directive.id))

    async def take(self, cycle: str) -> builtins.list[Directive]:
        """What a cycle is told: all that no cycle has ended with. Each is given to one cycle at a time."""
        taken = []
        for held in await self._shelf.list(statuses=("open",)):
            mine = held.value.take(cycle)
            try:
                await self._shelf.put(mine.id, mine, held.version, at=self._garden.now())
            except Conflict:
                continue
            taken.append(mine)
        return sorted(taken, key=lambda directive: (directive.received_at, directive.id))

    async def consume(self, cycle: str) -> int:
        """The cycle has ended: what it was told is done with."""
        now, count = self._garden.now(), 0
        for held in await self._shelf.list(statuses=("taken",)):
            if held.value.taken_by == cycle:
                await self._shelf.put(held.value.id, held.value.consume(now), held.version, at=now)
                count += 1
        return count

    async def release(self, living: Sequence[str]) -> int:
        """What was told to a cycle that died is open again. `living` are the cycles that still run."""
        count = 0
        for held in await self._shelf.list(statuses=("taken",)):
            if held.value.taken_by not in living:
                free = replace(held.value, taken_by="")
                await self._shelf.put(free.id, free, held.version, at=self._garden.now())
                count += 1
        return count
