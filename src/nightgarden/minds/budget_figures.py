"""The figures of a budget, out of the ledger: what the user and the work took, what is left of a provider's windows.

A window that tells tokens is taken as it is. One that tells only the share that is used, as subscriptions do, is turned
into tokens by what the ledger knows was used of it until then; with nothing in the ledger it says nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from nightgarden.domain.mind_call import USER, CallOutcome, Caps, MindCall, day_of
from nightgarden.domain.ports import Store
from nightgarden.domain.record import from_record
from nightgarden.minds.budget import Bounds, Budget, Share, UserPace, Work, plan
from nightgarden.minds.limits import Window
from nightgarden.minds.mind_of_settings import busy_providers
from nightgarden.minds.pausing import STATE, ProviderState

HISTORY = timedelta(days=8)  # a week, and the longest window of a subscription
PERCENT_MIN = 2.0  # a share below this says too little about the whole
_SLOT = timedelta(minutes=10)  # of the user's history: exact enough, and few


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The calls of the last days that draw on one provider."""

    calls: tuple[MindCall, ...]  # newest first

    def used(self, since: datetime, until: datetime) -> int:
        return sum(call.charged_tokens for call in self.calls if since < call.at <= until)


async def find_budget(
    store: Store, now: datetime, provider: str, budget: str, caps: Caps | None, bounds: Bounds
) -> Budget:
    """The budget of a room (`budget` is its name) at a provider."""
    calls = await store.mind_calls(since=now - HISTORY)
    theirs = _Seen(calls=tuple(call for call in calls if call.provider == provider))
    kept = await store.get_state(STATE + provider) if provider else None
    try:
        state = from_record(ProviderState, kept) if kept else ProviderState()
    except (KeyError, TypeError, ValueError):
        state = ProviderState()
    shares = [share for window in state.limits.windows if (share := share_of(window, theirs.calls, now)) is not None]
    if caps is not None:
        since, until = day_of(now)
        spent = await store.spent(budget, since=since, until=until)
        left = max(0, caps.tokens - spent.tokens)
        shares.append(Share(name="cap", remaining=left, resets_at=until, used_by_us=spent.tokens, users=False))
    pace = pace_of(calls, provider, now, active=provider in await busy_providers(store))
    return plan(now, shares, pace, work_of(theirs.calls, budget), bounds)


def share_of(window: Window, calls: Sequence[MindCall], now: datetime) -> Share | None:
    """A provider's window as tokens that are left; None when that cannot be known, or it is none of tokens."""
    if window.resets_at is None or window.resets_at <= now or window.name == "requests":
        return None
    seen = _Seen(calls=tuple(calls))
    start = window.resets_at - timedelta(minutes=window.minutes) if window.minutes else window.at or now
    ours = _Seen(calls=tuple(call for call in calls if call.budget != USER)).used(start, now)
    told_at = window.at or now
    if window.remaining is not None:
        left = window.remaining - seen.used(told_at, now)
    elif window.used_percent is not None and window.used_percent >= PERCENT_MIN and window.minutes:
        whole = seen.used(start, told_at) * 100 / window.used_percent
        if whole <= 0:
            return None
        left = round(whole) - seen.used(start, now)
    else:
        return None
    return Share(name=window.name, remaining=max(0, left), resets_at=window.resets_at, used_by_us=ours)


def pace_of(calls: Sequence[MindCall], provider: str, now: datetime, *, active: bool) -> UserPace:
    """What the user took of a provider, and when they were last seen at any."""
    users = [call for call in calls if call.budget == USER and call.at <= now]
    slots: dict[datetime, int] = {}
    for call in users:
        if call.provider == provider:
            slot = call.at - (call.at - datetime.min.replace(tzinfo=call.at.tzinfo)) % _SLOT
            slots[slot] = slots.get(slot, 0) + call.charged_tokens
    last_hour = [call for call in users if call.provider == provider and call.at > now - timedelta(hours=1)]
    last = max((call.at for call in users), default=None)
    return UserPace(
        tokens_last_hour=sum(call.charged_tokens for call in last_hour),
        history=tuple(sorted(slots.items())),
        active=active,
        idle_for=now - last if last is not None else None,
    )


def work_of(calls: Sequence[MindCall], budget: str) -> Work:
    """What a room's cycles took, and how its last calls went. The calls are newest first."""
    own = [call for call in calls if call.budget == budget]
    cycles: dict[str, int] = {}
    quiet: set[str] = set()
    refusals, refused = 0, False
    for call in own:
        refused = refused or call.outcome is CallOutcome.RATE_LIMITED
        if not refused and call.cycle is not None:
            quiet.add(call.cycle)
        if call.cycle is not None:
            cycles[call.cycle] = cycles.get(call.cycle, 0) + call.charged_tokens
    for call in own:
        if call.outcome is not CallOutcome.RATE_LIMITED:
            break
        refusals += 1
    return Work(cycle_tokens=tuple(cycles.values()), refusals=refusals, quiet_cycles=len(quiet))
