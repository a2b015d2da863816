"""What the user says to the ambient agent: pause, go on, stop, and how far it is trusted."""

from __future__ import annotations

from dataclasses import replace

from nightgarden.ambient.ambient_documents import Records
from nightgarden.ambient.cycles import CycleState
from nightgarden.ambient.trust import Trust, weigh
from nightgarden.garden import Garden
from nightgarden.remember.write import pass_gate
from nightgarden.safety.permissions import Permissions


class Control:
    """Words of the user, kept in the agent's state: whoever runs a cycle reads them at its next safe point."""

    def __init__(self, garden: Garden, records: Records) -> None:
        self.garden = garden
        self.records = records
        self.settings = garden.settings.ambient

    async def pause(self, reason: str = "") -> CycleState:
        """No cycle runs by itself until `resume`; one that is running ends at the next safe point. Raises RuleRefused
        for a reason that may not be kept."""
        pass_gate(self.garden.settings.remember, reason=reason)
        now = self.garden.now()
        why = reason.strip()[:200] or "by you"
        return await self.records.change_state(
            lambda s: replace(s, paused=why, paused_at=now, stop_asked=bool(s.running)), at=now
        )

    async def resume(self) -> CycleState:
        now = self.garden.now()
        return await self.records.change_state(
            lambda s: replace(s, paused="", paused_at=None, stop_asked=False, backoff_until=None, limited=0), at=now
        )

    async def stop(self) -> bool:
        """Ends the cycle that is running, at the next safe point; one that broke off, when it is taken up again. False
        when there is none."""
        state = await self.records.state()
        if not state.running:
            return False
        await self.records.change_state(lambda s: replace(s, stop_asked=True), at=self.garden.now())
        return True

    async def trust(self, cycle_id: str | None = None, *, approved: bool = True) -> Trust:
        """Skips the cold start, or says whether one cycle was good. Raises NotFound."""
        now = self.garden.now()
        if cycle_id is None:
            await self.records.change_state(lambda s: replace(s, trusted_at=now if approved else None), at=now)
        else:
            kept = await self.records.cycle(cycle_id)
            await self.records.put_cycle(replace(kept.value, approved=approved), expected=kept.version, at=now)
        return await self.trusted()

    async def trusted(self) -> Trust:
        """How far the cold start has come."""
        undone = {entry.undoes for entry in await self.garden.store.undos() if entry.undoes}
        return weigh(
            await self.records.state(),
            await self.records.cycles(),
            undone=undone,
            granted={r.cycle for r in await Permissions(self.garden).list() if r.approved},
            complete_needed=self.settings.warmup_cycles,
            approved_needed=self.settings.warmup_approved,
        )
