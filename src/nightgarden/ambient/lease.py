"""One cycle at a time: on a machine by a lock of the kernel, across machines by a lease in the garden.

The lease has an epoch that grows with each holder, and every write of a cycle is fenced by it (domain/fence.py). A
holder shows that it lives by counting beats. Whether another machine's holder is gone is judged by watching its beats
stand still for the length of the lease, on this machine's own steady clock: clocks of two machines are never compared.
A holder on this machine is gone when its lock can be taken.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace

from nightgarden.ambient.ambient_documents import LEASE, ONLY, Lease, Records
from nightgarden.domain.documents import ABSENT
from nightgarden.domain.fence import Fence, fenced
from nightgarden.domain.ports import Clock, Store
from nightgarden.domain.shelf import Kept
from nightgarden.errors import Conflict, GardenBusy, LeaseLost, StoreUnavailable
from nightgarden.garden import Garden
from nightgarden.scope import machine_of

BEATS_PER_LEASE = 4
_log = logging.getLogger("nightgarden.ambient")


@dataclass(slots=True, kw_only=True)
class Holding:
    """The lease, held. `lost` is set when somebody else has it."""

    epoch: int
    machine: str
    lost: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def fence(self) -> Fence:
        return Fence(kind=LEASE.name, key=ONLY, epoch=self.epoch)


class Leases:
    """Takes and holds the lease for one machine. Lives as long as its process: it remembers whose beats it watched."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        machine: str,
        seconds: float,
        steady: Callable[[], float],
    ) -> None:
        self._store = store
        self._records = Records(store)
        self._clock = clock
        self._machine = machine
        self._seconds = seconds
        self._steady = steady
        self._watched: tuple[int, float] | None = None  # version of another's lease, and since when it stands

    async def elsewhere(self) -> str:
        """The other machine whose holder lives, as far as can be told; empty when there is none."""
        kept = await self._records.lease_shelf.get(ONLY)
        if kept is None or kept.value.free or kept.value.machine == self._machine:
            self._watched = None
            return ""
        if self._watched is None or self._watched[0] != kept.version:
            self._watched = (kept.version, self._steady())
        return "" if self._steady() - self._watched[1] >= self._seconds else kept.value.machine

    async def busy_here(self) -> bool:
        """Whether some process on this machine runs a cycle right now."""
        return await _is_locked(self._store, self._machine)

    @asynccontextmanager
    async def held(self) -> AsyncIterator[Holding]:
        """Holds the lease, and writes inside are fenced by it. Raises GardenBusy when somebody else has it."""
        async with self._store.exclusive(_lock_of(self._machine)):
            holding, kept = await self._take()
            beating = asyncio.create_task(self._beat(holding, kept), name="nightgarden ambient lease")
            try:
                with fenced(holding.fence):
                    yield holding
            finally:
                beating.cancel()
                await asyncio.gather(beating, return_exceptions=True)
                await self._release(holding)

    async def _take(self) -> tuple[Holding, Kept[Lease]]:
        if other := await self.elsewhere():
            raise GardenBusy(f"the ambient agent is running on {other}; it is one for all machines")
        before = await self._records.lease_shelf.get(ONLY)
        epoch = (before.value.epoch if before else 0) + 1
        lease = Lease(epoch=epoch, machine=self._machine, free=False)
        try:
            expected = before.version if before else ABSENT
            kept = await self._records.lease_shelf.put(ONLY, lease, expected=expected, at=self._clock.now())
        except Conflict:
            raise GardenBusy("another machine has just begun; it is one ambient agent for all machines") from None
        self._watched = None
        return Holding(epoch=epoch, machine=self._machine), kept

    async def _beat(self, holding: Holding, kept: Kept[Lease]) -> None:
        while True:
            await asyncio.sleep(self._seconds / BEATS_PER_LEASE)
            lease = replace(kept.value, beats=kept.value.beats + 1)
            try:
                kept = await self._records.lease_shelf.put(ONLY, lease, expected=kept.version, at=self._clock.now())
            except Conflict:
                holding.lost.set()
                return
            except Exception as error:  # noqa: BLE001 - a store that is away for a moment; the fence decides, not we
                _log.warning("the lease could not be renewed: %s", error)

    async def _release(self, holding: Holding) -> None:
        with suppress(Conflict, LeaseLost):
            kept = await self._records.lease_shelf.get(ONLY)
            if kept is not None and kept.value.epoch == holding.epoch:
                lease = replace(kept.value, free=True)
                await self._records.lease_shelf.put(ONLY, lease, expected=kept.version, at=self._clock.now())


async def ambient_word(garden: Garden) -> str:
    """The agent in a word or two, for a status line, which only looks; empty when there is nothing to say."""
    records, machine = Records(garden.store), machine_of(garden.settings)
    state = await records.state()
    if state.running:
        lease = await records.lease_shelf.get(ONLY)
        other = lease is not None and not lease.value.free and lease.value.machine != machine
        return "ambient running" if other or await _is_locked(garden.store, machine) else "ambient broke off"
    if state.paused:
        return "ambient paused"
    if state.next_wake_at is None:
        return ""
    minutes = max(0, round((state.next_wake_at - garden.now()).total_seconds() / 60))
    return f"ambient in {minutes} min"


async def _is_locked(store: Store, machine: str) -> bool:
    try:
        async with store.exclusive(_lock_of(machine)):
            return False
    except GardenBusy:
        return True
    except StoreUnavailable:  # nobody can lock where nothing can be written
        return False


def _lock_of(machine: str) -> str:
    """Fit for the name of a file, which a lock is on some stores."""
    return f"ambient-{hashlib.sha256(machine.encode()).hexdigest()[:12]}"
