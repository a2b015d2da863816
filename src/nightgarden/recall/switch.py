"""The switch for all of memory: everywhere, or in one project.

Off means that no agent is told anything or can ask, and that nothing said meanwhile is kept. The times when it was off
are remembered for that, because transcripts are read later than they are written. What the user does on the command
line is not the switch's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from nightgarden.domain.memory import GLOBAL, Scope
from nightgarden.domain.ports import Store
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.state_keys import MEMORY_SWITCH as _KEY

PERIODS_MAX = 500  # taste: more than a year of switching every day


@dataclass(frozen=True, slots=True, kw_only=True)
class OffPeriod:
    """Memory was off from then on; `on_at` is empty while it still is. A scope of global means everywhere."""

    scope: Scope
    off_at: datetime
    on_at: datetime | None = None

    def covers(self, scopes: Iterable[Scope], at: datetime) -> bool:
        here = self.scope == GLOBAL or self.scope in scopes
        return here and self.off_at <= at and (self.on_at is None or at < self.on_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    periods: tuple[OffPeriod, ...] = ()


async def off_periods(store: Store) -> tuple[OffPeriod, ...]:
    """All of them, oldest first."""
    record = await store.get_state(_KEY)
    return from_record(_Kept, record).periods if record else ()


async def is_off(store: Store, scopes: Sequence[Scope]) -> bool:
    """Whether memory is off now for whoever sees these scopes."""
    return any(period.on_at is None and period.covers(scopes, period.off_at) for period in await off_periods(store))


async def switch_off(store: Store, scope: Scope, now: datetime) -> bool:
    """False: it was off already."""
    known = await off_periods(store)
    if any(period.on_at is None and period.scope == scope for period in known):
        return False
    await _keep(store, (*known, OffPeriod(scope=scope, off_at=now)))
    return True


async def switch_on(store: Store, scope: Scope, now: datetime) -> bool:
    """False: it was not off."""
    known = await off_periods(store)
    after = [replace(p, on_at=now) if p.on_at is None and p.scope == scope else p for p in known]
    if after == list(known):
        return False
    await _keep(store, after)
    return True


async def _keep(store: Store, periods: Sequence[OffPeriod]) -> None:
    await store.put_state(_KEY, to_record(_Kept(periods=tuple(periods[-PERIODS_MAX:]))))
