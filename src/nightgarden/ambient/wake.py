"""When the next cycle should be: what the agent wishes, what the budget allows, within the user's bounds. Pure.

There is always a next wake. A wish is clamped both ways, and a shorter one than the safe interval is pushed back to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from nightgarden.ambient.run_gate import Rhythm
from nightgarden.domain.backoff import backoff

IDLE_HOURS = timedelta(hours=2)  # a user who is away this long leaves the machine and the budget to the agent
ACTIVE_TIMES = 3  # how much longer the interval is while the user works and pausing is off; taste


@dataclass(frozen=True, slots=True, kw_only=True)
class WakeWish:
    """When the agent asked to be woken, and what for."""

    minutes: float
    context: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextWake:
    """When the next cycle is due, and what decided it."""

    at: datetime
    reason: str
    context: str = ""


def next_wake(
    now: datetime,
    rhythm: Rhythm,
    *,
    wish: WakeWish | None = None,
    safe: timedelta | None = None,
    active: bool = False,
    idle_for: timedelta | None = None,
) -> NextWake:
    """The next wake after a cycle that ends now. `safe` is the interval that the budget allows; None: unknown, or there
    is no mind to pay for."""
    floor = clamp(safe, rhythm) if safe is not None else rhythm.min_interval
    if active:
        floor = clamp(floor * ACTIVE_TIMES, rhythm)
    if wish is None:
        usual = floor if safe is not None else rhythm.max_interval
        if safe is None and idle_for is not None and idle_for >= IDLE_HOURS:
            usual = clamp(rhythm.max_interval / 2, rhythm)  # nobody is there to be disturbed
        return NextWake(at=now + usual, reason="adaptive" if safe is not None else "default")
    wanted = timedelta(minutes=min(max(wish.minutes, 0.0), 525_600.0))
    if wanted < floor:
        return NextWake(at=now + floor, reason=_pushed(wanted, floor, rhythm), context=wish.context)
    if wanted > rhythm.max_interval:
        return NextWake(at=now + rhythm.max_interval, reason="pulled forward to the maximum", context=wish.context)
    return NextWake(at=now + wanted, reason="as the agent asked", context=wish.context)


def clamp(interval: timedelta, rhythm: Rhythm) -> timedelta:
    return max(rhythm.min_interval, min(rhythm.max_interval, interval))


def left_alone_until(now: datetime, failures: int, rhythm: Rhythm) -> datetime | None:
    """Until when to leave a provider alone that limited us so many times in a row; None after a success. The interval
    doubles each time, up to the longest."""
    if failures <= 0:
        return None
    wait = backoff(failures + 1, shortest=rhythm.min_interval, longest=rhythm.max_interval)
    return now + clamp(wait, rhythm)


def _pushed(wanted: timedelta, floor: timedelta, rhythm: Rhythm) -> str:
    if floor == rhythm.min_interval:
        return "pushed back to the minimum"
    return f"pushed back from {wanted.total_seconds() / 60:.0f} min: the budget allows no sooner"
