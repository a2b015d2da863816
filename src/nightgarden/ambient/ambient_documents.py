"""What the ambient agent keeps in the garden: its state, its cycles, and the lease that makes it the only one.

Each is a document with a version, so that of two processes who change one, the later is refused and looks again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from nightgarden.ambient.cycles import Cycle, CycleState
from nightgarden.ambient.events import AmbientEvent, with_event
from nightgarden.domain.documents import ABSENT, DocumentKind
from nightgarden.domain.ports import Store
from nightgarden.domain.shelf import Kept, Shelf
from nightgarden.errors import Conflict, NotFound

ATTEMPTS = 20  # of a change that others keep overtaking
ONLY = "ambient"  # the key of what there is one of


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """Who runs cycles of this garden. `epoch` grows by one with each holder and each time one begins anew."""

    epoch: int = 0
    machine: str = ""
    cycle: str = ""
    beats: int = 0  # counts up while its holder lives
    free: bool = True


STATE = DocumentKind("ambient_state", CycleState)
CYCLE = DocumentKind("ambient_cycle", Cycle)
LEASE = DocumentKind("ambient_lease", Lease)


class Records:
    """Typed reading and writing."""

    def __init__(self, store: Store) -> None:
        self.state_shelf = Shelf(store, STATE)
        self.cycle_shelf = Shelf(store, CYCLE)
        self.lease_shelf = Shelf(store, LEASE)

    async def state(self) -> CycleState:
        kept = await self.state_shelf.get(ONLY)
        return kept.value if kept is not None else CycleState()

    async def change_state(self, change: Callable[[CycleState], CycleState], *, at: datetime) -> CycleState:
        """Applies a change to whatever the state is by then. Returns the new one."""
        for _ in range(ATTEMPTS):
            kept = await self.state_shelf.get(ONLY)
            before = kept.value if kept is not None else CycleState()
            after = change(before)
            if after == before:
                return after
            try:
                await self.state_shelf.put(ONLY, after, expected=kept.version if kept else ABSENT, at=at)
            except Conflict:
                continue
            return after
        raise Conflict("the state of the ambient agent is changed by others all the time; try again")

    async def note(self, event: AmbientEvent) -> CycleState:
        """Keeps an event until a cycle takes it up."""
        return await self.change_state(lambda s: replace(s, events=with_event(s.events, event)), at=event.at)

    async def cycle(self, cycle_id: str) -> Kept[Cycle]:
        """Raises NotFound."""
        kept = await self.cycle_shelf.get(cycle_id)
        if kept is None:
            raise NotFound(f"there is no ambient cycle {cycle_id!r}; `nightgarden ambient log` lists them")
        return kept

    async def cycles(self, *, limit: int | None = None) -> list[Cycle]:
        """Newest first."""
        return [kept.value for kept in await self.cycle_shelf.list(limit=limit, newest_first=True)]

    async def put_cycle(self, cycle: Cycle, *, expected: int, at: datetime) -> Kept[Cycle]:
        """Raises Conflict when somebody else has changed it."""
        return await self.cycle_shelf.put(
            cycle.id, cycle, expected=expected, at=at, owner=cycle.machine, status=cycle.status.value
        )

    async def forget_old_cycles(self, *, keep: int, at: datetime) -> None:
        for kept in (await self.cycle_shelf.list(newest_first=True))[keep:]:
            await self.cycle_shelf.remove(kept.key, expected=None, at=at)
