"""The share of a limit that background work may take, and its pace: what holds for all figures, and each rule alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.minds.budget import (
    SHARE,
    Bounds,
    Budget,
    BudgetReason,
    Share,
    UserPace,
    Work,
    ours,
    plan,
    projected,
)

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
BOUNDS = Bounds(min_interval=5 * MINUTE, max_interval=120 * MINUTE, cycle_tokens=100_000)
WINDOW = Share(name="five_hour", remaining=1_000_000, resets_at=NOW + timedelta(hours=5))
USUAL = Work(cycle_tokens=(40_000, 40_000))

moments = st.integers(-7 * 24 * 60, 0).map(lambda minutes: NOW + timedelta(minutes=minutes))
paces = st.builds(
    UserPace,
    tokens_last_hour=st.integers(0, 10**7),
    history=st.lists(st.tuples(moments, st.integers(0, 10**6)), max_size=20).map(tuple),
    active=st.booleans(),
    idle_for=st.none() | st.integers(0, 10_000).map(lambda minutes: minutes * MINUTE),
)
works = st.builds(
    Work,
    cycle_tokens=st.lists(st.integers(0, 10**6), max_size=8).map(tuple),
    refusals=st.integers(0, 50),
    quiet_cycles=st.integers(0, 1000),
)
windows = st.builds(
    Share,
    name=st.sampled_from(["tokens", "five_hour", "seven_day", "cap"]),
    remaining=st.integers(0, 10**8),
    resets_at=st.integers(-10, 14 * 24 * 60).map(lambda minutes: NOW + timedelta(minutes=minutes)),
    used_by_us=st.integers(0, 10**8),
    users=st.booleans(),
)
bounds = st.builds(
    lambda low, more, tokens: Bounds(
        min_interval=low * MINUTE, max_interval=(low + more) * MINUTE, cycle_tokens=tokens
    ),
    st.integers(1, 120),
    st.integers(0, 1000),
    st.integers(1000, 10**7),
)


def planned(*shares: Share, pace: UserPace | None = None, work: Work = USUAL, within: Bounds = BOUNDS) -> Budget:
    return plan(NOW, shares, pace or UserPace(), work, within)


@given(shares=st.lists(windows, max_size=4), pace=paces, work=works, within=bounds)
def test_a_cycle_never_gets_more_than_the_share_of_any_window_and_waits_within_the_bounds(
    shares: list[Share], pace: UserPace, work: Work, within: Bounds
) -> None:
    found = plan(NOW, shares, pace, work, within)
    assert within.min_interval <= found.interval <= within.max_interval
    assert 0 <= found.tokens <= within.cycle_tokens
    for share in shares:
        if share.resets_at > NOW:
            need = projected(pace, NOW, share.resets_at) if share.users else 0
            assert found.tokens <= max(0.0, SHARE * (share.remaining - need))
    assert (found.tokens == 0) == (found.again_at is not None)


@given(share=windows, pace=paces, work=works, within=bounds, more=st.integers(0, 10**7))
def test_a_busier_user_leaves_no_more_and_never_hastens_the_work(
    share: Share, pace: UserPace, work: Work, within: Bounds, more: int
) -> None:
    calm = plan(NOW, [share], pace, work, within)
    busy = plan(NOW, [share], replace(pace, tokens_last_hour=pace.tokens_last_hour + more), work, within)
    assert busy.tokens <= calm.tokens
    if busy.why is calm.why:  # at the edges between rules an interval may jump; what may be used never grows
        assert busy.interval >= calm.interval


@given(share=windows, pace=paces, work=works, within=bounds, more=st.integers(0, 10**8))
def test_what_is_left_over_only_helps(share: Share, pace: UserPace, work: Work, within: Bounds, more: int) -> None:
    little = plan(NOW, [share], pace, work, within)
    much = plan(NOW, [replace(share, remaining=share.remaining + more)], pace, work, within)
    assert much.tokens >= little.tokens
    if much.why is little.why:
        assert much.interval <= little.interval


@given(shares=st.lists(windows, min_size=1, max_size=3), pace=paces, work=works, within=bounds)
def test_every_refusal_makes_the_wait_longer_and_activity_too(
    shares: list[Share], pace: UserPace, work: Work, within: Bounds
) -> None:
    resting, working = replace(pace, active=False), replace(pace, active=True)
    assert plan(NOW, shares, working, work, within).interval >= plan(NOW, shares, resting, work, within).interval
    again = replace(work, refusals=work.refusals + 1)
    assert plan(NOW, shares, pace, again, within).interval >= plan(NOW, shares, pace, work, within).interval


@given(share=windows, cycles=st.lists(st.integers(1_000, 400_000), min_size=1, max_size=60), pace=paces)
def test_cycles_one_after_the_other_never_take_more_than_the_share_together(
    share: Share, cycles: list[int], pace: UserPace
) -> None:
    at_first = ours(share, pace, NOW)
    taken, work = 0, Work()
    for wished in cycles:
        left = replace(share, remaining=share.remaining - taken, used_by_us=share.used_by_us + taken)
        budget = plan(NOW, [left], pace, work, BOUNDS)
        if share.resets_at <= NOW:
            break  # a window that is over says nothing
        used = min(wished, budget.tokens)
        taken += used
        work = Work(cycle_tokens=(used, *work.cycle_tokens))
    assert taken <= max(at_first, 0.0) + 1


@pytest.mark.parametrize(
    ("budget", "minutes", "why"),
    [
        # (1,000,000 − 0) × 0.8 / 40,000 = 20 cycles in 300 minutes
        (planned(WINDOW), 15, BudgetReason.SPREAD),
        # 60,000 an hour for 5 hours leave 700,000 × 0.8 / 40,000 = 14 cycles
        (planned(WINDOW, pace=UserPace(tokens_last_hour=60_000)), 300 / 14, BudgetReason.SPREAD),
        (planned(WINDOW, pace=UserPace(active=True)), 60, BudgetReason.SPREAD),
        (planned(WINDOW, pace=UserPace(idle_for=timedelta(hours=3))), 7.5, BudgetReason.SPREAD),
        (planned(WINDOW, pace=UserPace(idle_for=timedelta(hours=1))), 15, BudgetReason.SPREAD),
        (planned(WINDOW, pace=UserPace(tokens_last_hour=300_000)), 120, BudgetReason.USED_UP),
        (planned(WINDOW, work=Work(cycle_tokens=(40_000,), refusals=1)), 30, BudgetReason.REFUSED),
        (planned(WINDOW, work=Work(cycle_tokens=(40_000,), refusals=2)), 60, BudgetReason.REFUSED),
        (planned(WINDOW, work=Work(cycle_tokens=(40_000,), refusals=9)), 120, BudgetReason.REFUSED),
        (planned(replace(WINDOW, used_by_us=3_000_000)), 120, BudgetReason.MOSTLY_USED),
        (planned(replace(WINDOW, remaining=100_000, resets_at=NOW + 30 * MINUTE)), 10, BudgetReason.WINDOW_ENDS),
        (planned(), 30, BudgetReason.UNKNOWN),
        (planned(work=Work(quiet_cycles=4)), 27, BudgetReason.UNKNOWN),
        (planned(work=Work(quiet_cycles=400)), 7.5, BudgetReason.UNKNOWN),
        (planned(work=Work(refusals=1)), 60, BudgetReason.REFUSED),
        (planned(replace(WINDOW, resets_at=NOW - MINUTE)), 30, BudgetReason.UNKNOWN),
        # Of two windows the tighter one decides.
        (planned(WINDOW, replace(WINDOW, name="cap", remaining=500_000)), 30, BudgetReason.SPREAD),
    ],
)
def test_each_rule(budget: Budget, minutes: float, why: BudgetReason) -> None:
    assert (budget.interval / MINUTE, budget.why) == (pytest.approx(minutes), why)


def test_the_last_cycles_tell_what_the_next_will_take() -> None:
    long = planned(WINDOW, work=Work(cycle_tokens=(80_000,) * 5 + (1,) * 20))
    assert long.interval == timedelta(minutes=30)
    assert planned(WINDOW, work=Work()).interval == timedelta(minutes=15)


def test_the_same_hours_of_the_days_before_are_kept_free_for_the_user() -> None:
    yesterday = NOW - timedelta(days=1) + timedelta(hours=2)
    pace = UserPace(history=((yesterday, 900_000), (NOW - timedelta(hours=2), 800_000)))
    found = planned(WINDOW, pace=pace)
    assert found.user_projected == 900_000
    assert found.tokens == 80_000
    assert planned(replace(WINDOW, users=False), pace=pace).tokens == 100_000  # of a cap the user takes nothing


def test_a_week_is_compared_with_the_week_before() -> None:
    week = replace(WINDOW, name="seven_day", resets_at=NOW + timedelta(days=3))
    days = tuple((NOW - timedelta(days=day), 100_000) for day in range(1, 8))
    assert planned(week, pace=UserPace(history=days)).user_projected == 300_000
