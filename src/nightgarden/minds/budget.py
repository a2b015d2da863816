"""What background work may use of a limit that it shares with the user, and how long it waits between two cycles. Pure:
the clock, the windows and what was used are passed in.

The share is four fifths of what is left of a window after what the user will probably still need of it. What the work
itself has taken since the window began counts as taken of that share: four fifths of the rest, asked for again and
again, would be all of it in the end. Where several windows are known the tightest decides. What the user will need is
the larger of two guesses: the pace of the last hour kept up, and the most that the same hours took on one of the last
seven days; the first alone would give the whole morning away to a machine that works while its user sleeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from nightgarden.domain.backoff import backoff

SHARE = 0.8  # a fifth stays for what nobody foresaw
CYCLES_AVERAGED = 5
UNKNOWN_INTERVAL = timedelta(minutes=30)  # where nobody says what the limits are
UNKNOWN_CYCLE_TOKENS = 40_000  # of a cycle, before one has been run; set right by the first
ACTIVE_TIMES = 4  # how much longer the interval is while the user works; taste
IDLE_AFTER = timedelta(hours=2)  # a user who was away so long leaves the machine to the work
IDLE_TIMES = 0.5
QUIET_CYCLES = 3  # so many without a refusal before the interval shrinks again
QUIET_TIMES = 0.9  # for each cycle beyond them
QUIET_TIMES_MIN = 0.25
MOSTLY_USED = 0.8  # of the share: the rest is spread thin
SMALLEST_CYCLE = 4_000  # tokens; what is smaller is a prompt and no work


class BudgetReason(StrEnum):
    """What decided an interval."""

    SPREAD = "spread over what is left of the window"
    UNKNOWN = "the provider says nothing about its limits"
    WINDOW_ENDS = "the window ends soon and something is left of it"
    MOSTLY_USED = "most of the share is used"
    USED_UP = "nothing is left until the window begins anew"
    REFUSED = "the provider refused, so the interval is doubled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """A window as background work sees it."""

    name: str
    remaining: int  # tokens
    resets_at: datetime
    used_by_us: int = 0  # since it began
    users: bool = True  # whether the user's own work draws on it; a daily cap of ours is not the user's


@dataclass(frozen=True, slots=True, kw_only=True)
class UserPace:
    """What the user takes of the same provider."""

    tokens_last_hour: int = 0
    history: tuple[tuple[datetime, int], ...] = ()  # moments and tokens of the last week, in any order
    active: bool = False
    idle_for: timedelta | None = None  # None: not known


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What background work has been doing."""

    cycle_tokens: tuple[int, ...] = ()  # of the last cycles, newest first
    refusals: int = 0  # by rate limits, in a row
    quiet_cycles: int = 0  # since the last refusal


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What the user set."""

    min_interval: timedelta
    max_interval: timedelta
    cycle_tokens: int  # of one cycle, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What the next cycle may take, and how long to wait for it."""

    tokens: int  # 0: none now
    interval: timedelta
    why: BudgetReason
    again_at: datetime | None = None  # when there is something again, where nothing is now
    window: str = ""  # that decided
    remaining: int | None = None
    resets_at: datetime | None = None
    user_per_minute: float = 0.0
    user_projected: int = 0


def per_minute(pace: UserPace) -> float:
    """The user's pace of the last hour."""
    return pace.tokens_last_hour / 60


def projected(pace: UserPace, now: datetime, until: datetime) -> int:
    """What the user will probably take from now until then."""
    minutes = max(0.0, (until - now).total_seconds() / 60)
    days = range(1, 8) if until - now <= timedelta(days=1) else (7,)
    same_hours = [
        sum(tokens for moment, tokens in pace.history if now <= moment + timedelta(days=day) < until) for day in days
    ]
    return max(round(per_minute(pace) * minutes), *same_hours)


def ours(share: Share, pace: UserPace, now: datetime) -> float:
    """What background work may take of a window from now on; 0 or more."""
    need = projected(pace, now, share.resets_at) if share.users else 0
    return max(0.0, SHARE * (share.remaining + share.used_by_us - need) - share.used_by_us)


def cycle_estimate(work: Work, bounds: Bounds) -> int:
    """What a cycle takes, by the last ones."""
    last = work.cycle_tokens[:CYCLES_AVERAGED]
    usual = round(sum(last) / len(last)) if last else UNKNOWN_CYCLE_TOKENS
    return min(bounds.cycle_tokens, max(SMALLEST_CYCLE, usual))


def plan(now: datetime, shares: Sequence[Share], pace: UserPace, work: Work, bounds: Bounds) -> Budget:
    """The budget by all windows that are known and still open: the tightest decides."""
    open_ones = [share for share in shares if share.resets_at > now]
    found = [_of_window(now, share, pace, work, bounds) for share in open_ones]
    if not found:
        interval, why = _paced(UNKNOWN_INTERVAL, BudgetReason.UNKNOWN, pace, work, bounds)
        return Budget(tokens=bounds.cycle_tokens, interval=interval, why=why, user_per_minute=per_minute(pace))
    tightest = max(found, key=lambda each: (each.interval, -each.tokens, each.window))
    fewest = min(found, key=lambda each: (each.tokens, each.window))
    if fewest.tokens == 0:  # an empty window holds back whatever the others would allow
        return max((each for each in found if each.tokens == 0), key=lambda each: (each.again_at or now, each.window))
    return Budget(
        tokens=fewest.tokens,
        interval=tightest.interval,
        why=tightest.why,
        window=tightest.window,
        remaining=tightest.remaining,
        resets_at=tightest.resets_at,
        user_per_minute=tightest.user_per_minute,
        user_projected=tightest.user_projected,
    )


def _of_window(now: datetime, share: Share, pace: UserPace, work: Work, bounds: Bounds) -> Budget:
    free, cycle = ours(share, pace, now), cycle_estimate(work, bounds)
    left = share.resets_at - now
    tokens = min(bounds.cycle_tokens, int(free))
    interval, why = _interval(left, free, cycle, share, bounds)
    if why is not BudgetReason.USED_UP:
        interval, why = _paced(interval, why, pace, work, bounds)
    used_up = tokens < min(SMALLEST_CYCLE, bounds.cycle_tokens)
    return Budget(
        tokens=0 if used_up else tokens,
        interval=_clamped(interval, bounds),
        why=BudgetReason.USED_UP if used_up else why,
        again_at=share.resets_at if used_up else None,
        window=share.name,
        remaining=share.remaining,
        resets_at=share.resets_at,
        user_per_minute=per_minute(pace),
        user_projected=projected(pace, now, share.resets_at) if share.users else 0,
    )


def _interval(left: timedelta, free: float, cycle: int, share: Share, bounds: Bounds) -> tuple[timedelta, BudgetReason]:
    """The interval that spreads what is free evenly."""
    cycles = free / cycle
    if free < min(SMALLEST_CYCLE, bounds.cycle_tokens):
        return left, BudgetReason.USED_UP
    if left <= bounds.max_interval:  # one interval more and it is lost, so that every whole cycle still fits
        return left / (int(cycles) + 1), BudgetReason.WINDOW_ENDS
    if share.used_by_us > MOSTLY_USED * (share.used_by_us + free):
        return bounds.max_interval, BudgetReason.MOSTLY_USED
    return min(left, left / cycles), BudgetReason.SPREAD


def _paced(
    interval: timedelta, why: BudgetReason, pace: UserPace, work: Work, bounds: Bounds
) -> tuple[timedelta, BudgetReason]:
    """Longer while the user works and after refusals, shorter when nobody is there and all went well."""
    if pace.active:
        interval *= ACTIVE_TIMES
    elif pace.idle_for is not None and pace.idle_for >= IDLE_AFTER:
        interval *= IDLE_TIMES
    if work.refusals > 0:
        shortest = max(interval, bounds.min_interval)
        doubled = backoff(work.refusals + 1, shortest=shortest, longest=bounds.max_interval)
        return _clamped(doubled, bounds), BudgetReason.REFUSED
    if work.quiet_cycles > QUIET_CYCLES and why is BudgetReason.UNKNOWN:
        interval *= max(QUIET_TIMES_MIN, QUIET_TIMES ** (work.quiet_cycles - QUIET_CYCLES))
    return _clamped(interval, bounds), why


def _clamped(interval: timedelta, bounds: Bounds) -> timedelta:
    return max(bounds.min_interval, min(bounds.max_interval, interval))
