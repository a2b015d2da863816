"""When the ambient agent may run, and when the next time is: the rules, as rows and as properties."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.ambient.events import URGENCY, AmbientEvent, EventUrgency, Trigger, in_order, with_event
from nightgarden.ambient.run_gate import Delay, Due, Funds, GateReason, Rhythm, Run, Situation, decide
from nightgarden.ambient.wake import WakeWish, left_alone_until, next_wake
from nightgarden.domain.schedule import Priority

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
RHYTHM = Rhythm(enabled=True, min_interval=timedelta(minutes=5), max_interval=timedelta(minutes=120))
LATER = NOW + timedelta(hours=1)


def minutes(number: float) -> timedelta:
    return timedelta(minutes=number)


def event(trigger: Trigger) -> AmbientEvent:
    return AmbientEvent(trigger=trigger, at=NOW, detail="x")


def seen(**more: Any) -> Situation:
    """One that rests: a cycle an hour ago, the next in an hour."""
    usual: dict[str, Any] = {
        "now": NOW,
        "rhythm": RHYTHM,
        "last_ended_at": NOW - timedelta(hours=1),
        "next_wake_at": LATER,
    }
    return Situation(**(usual | more))


DUE = Due(id="t", priority=Priority.NORMAL, at=NOW - minutes(1))
CLOSED, CRASHED = event(Trigger.SESSION_CLOSED), event(Trigger.SESSION_CRASHED)
PUSH, COMMAND = event(Trigger.GIT_PUSH), event(Trigger.COMMAND)
JUST_NOW = NOW - minutes(1)


@pytest.mark.parametrize(
    ("situation", "expected"),
    [
        (seen(), (GateReason.NOTHING, LATER)),
        (seen(next_wake_at=NOW), Trigger.TIMER),
        (seen(next_wake_at=None), Trigger.TIMER),
        (seen(next_wake_at=NOW + timedelta(days=30)), Trigger.TIMER),  # the clock was set back
        (seen(events=(CRASHED,)), Trigger.SESSION_CRASHED),
        (seen(events=(PUSH, CLOSED, CRASHED)), Trigger.SESSION_CRASHED),
        (seen(events=(CLOSED,)), Trigger.SESSION_CLOSED),
        (seen(events=(PUSH,)), Trigger.GIT_PUSH),
        (seen(due=(DUE,)), Trigger.TASK_DUE),
        (seen(events=(CRASHED,), last_ended_at=JUST_NOW), (GateReason.INTERVAL, NOW + minutes(4))),
        (seen(events=(CLOSED,), last_ended_at=JUST_NOW), (GateReason.INTERVAL, NOW + minutes(9))),
        (seen(events=(PUSH,), last_ended_at=JUST_NOW), (GateReason.INTERVAL, NOW + minutes(29))),
        (seen(events=(PUSH, CRASHED), last_ended_at=JUST_NOW), (GateReason.INTERVAL, NOW + minutes(4))),
        (seen(events=(CRASHED,), active_until=LATER), (GateReason.USER_ACTIVE, LATER)),
        (seen(events=(CRASHED,), backoff_until=LATER), (GateReason.BACKOFF, LATER)),
        (seen(events=(CRASHED,), funds=Funds(mind=True, tokens=0, again_at=LATER)), (GateReason.BUDGET, LATER)),
        (seen(events=(COMMAND,), active_until=LATER, last_ended_at=JUST_NOW, backoff_until=LATER), Trigger.COMMAND),
        (seen(events=(event(Trigger.DIRECTIVE),), active_until=LATER), Trigger.DIRECTIVE),
        (seen(events=(COMMAND,), rhythm=replace(RHYTHM, enabled=False)), Trigger.COMMAND),
        (seen(next_wake_at=NOW, rhythm=replace(RHYTHM, enabled=False)), (GateReason.DISABLED, None)),
        (seen(events=(CRASHED,), paused="holiday"), (GateReason.PAUSED, None)),
        (seen(events=(COMMAND,), paused="holiday"), Trigger.COMMAND),
        (seen(events=(COMMAND,), switched_off=True), (GateReason.SWITCHED_OFF, None)),
        (seen(events=(COMMAND,), running="c1"), (GateReason.RUNNING, NOW + minutes(1))),
        (seen(events=(COMMAND,), elsewhere="desk"), (GateReason.ELSEWHERE, NOW + minutes(1))),
        (seen(events=(CRASHED,), last_ended_at=LATER), Trigger.SESSION_CRASHED),  # a clock that was set back
    ],
)
def test_the_gate(situation: Situation, expected: Trigger | tuple[GateReason, datetime | None]) -> None:
    decision = decide(situation)
    if isinstance(expected, Trigger):
        assert isinstance(decision, Run)
        assert decision.because.trigger is expected
    else:
        assert isinstance(decision, Delay)
        assert (decision.why, decision.until) == expected


def test_without_budget_a_command_runs_without_a_mind() -> None:
    assert decide(seen(events=(COMMAND,), funds=Funds(mind=True, tokens=0))) == Run(because=COMMAND, mind=False)
    assert decide(seen(events=(COMMAND,), funds=Funds(mind=True, tokens=9))) == Run(because=COMMAND, mind=True)


moments = st.integers(-3000, 3000).map(lambda number: NOW + minutes(number))
rhythms = st.tuples(st.integers(1, 300), st.integers(1, 3000), st.booleans(), st.booleans()).map(
    lambda given: Rhythm(
        enabled=given[2],
        min_interval=minutes(min(given[0], given[1])),
        max_interval=minutes(max(given[0], given[1])),
        pause_on_active_session=given[3],
    )
)
events = st.builds(AmbientEvent, trigger=st.sampled_from(Trigger), at=moments, detail=st.sampled_from(["", "a", "b"]))
situations = st.builds(
    Situation,
    now=st.just(NOW),
    rhythm=rhythms,
    switched_off=st.booleans(),
    paused=st.sampled_from(["", "by hand"]),
    running=st.sampled_from(["", "c"]),
    elsewhere=st.sampled_from(["", "desk"]),
    last_ended_at=st.none() | moments,
    next_wake_at=st.none() | moments,
    events=st.lists(events, max_size=4).map(tuple),
    due=st.lists(st.builds(Due, id=st.just("t"), priority=st.sampled_from(Priority), at=moments), max_size=2).map(
        tuple
    ),
    active_until=st.none() | moments,
    backoff_until=st.none() | moments,
    funds=st.builds(Funds, mind=st.booleans(), tokens=st.integers(0, 3), again_at=st.just(LATER) | st.none()),
)


@given(situations)
def test_it_runs_only_if_nothing_forbids_it_and_a_delay_always_ends_in_the_future(situation: Situation) -> None:
    decision = decide(situation)
    commanded = any(each.trigger is Trigger.COMMAND for each in situation.events)
    if isinstance(decision, Delay):
        assert decision.until is None or decision.until > NOW
        assert (decision.until is None) == (
            decision.why in (GateReason.DISABLED, GateReason.SWITCHED_OFF, GateReason.PAUSED)
        )
        return
    assert not situation.switched_off
    assert not situation.running
    assert not situation.elsewhere
    assert commanded or (situation.rhythm.enabled and not situation.paused)
    assert not decision.mind or (situation.funds.mind and situation.funds.tokens > 0)
    if decision.because.urgency is not EventUrgency.IMMEDIATE:
        pauses = situation.rhythm.pause_on_active_session and situation.active_until is not None
        assert not (pauses and situation.active_until is not None and situation.active_until > NOW)
        last = situation.last_ended_at
        assert last is None or last > NOW or NOW - last >= situation.rhythm.min_interval


@given(
    rhythms,
    st.none() | st.floats(allow_nan=False, allow_infinity=True).map(lambda number: WakeWish(minutes=number)),
    st.none() | st.integers(0, 10**6).map(lambda number: minutes(number)),
    st.booleans(),
    st.none() | st.integers(0, 10**5).map(lambda number: minutes(number)),
)
def test_the_next_wake_is_always_set_and_lies_within_the_bounds(
    rhythm: Rhythm, wish: WakeWish | None, safe: timedelta | None, active: bool, idle_for: timedelta | None
) -> None:
    found = next_wake(NOW, rhythm, wish=wish, safe=safe, active=active, idle_for=idle_for)
    assert rhythm.min_interval <= found.at - NOW <= rhythm.max_interval
    if safe is not None and rhythm.min_interval <= safe <= rhythm.max_interval:
        assert found.at - NOW >= safe  # never sooner than the budget allows
    assert found.reason


@pytest.mark.parametrize(
    ("wished", "safe", "expected"),
    [
        (10, None, 10),  # a shorter wake than the longest interval is kept
        (10, 30, 30),  # not safe until 30 minutes
        (360, None, 120),  # pulled forward
        (1, None, 5),
        (None, None, 120),
        (None, 40, 40),
        (None, 500, 120),
    ],
)
def test_a_wish_is_clamped_both_ways(wished: float | None, safe: float | None, expected: float) -> None:
    wish = WakeWish(minutes=wished, context="check CI") if wished is not None else None
    found = next_wake(NOW, RHYTHM, wish=wish, safe=minutes(safe) if safe is not None else None)
    assert found.at - NOW == minutes(expected)
    assert found.context == ("check CI" if wish else "")


def test_backing_off_doubles_up_to_the_longest_interval_and_ends_with_a_success() -> None:
    lengths = [left_alone_until(NOW, failures, RHYTHM) for failures in range(8)]
    assert lengths[0] is None
    assert [(each - NOW) / minutes(1) for each in lengths[1:] if each] == [10, 20, 40, 80, 120, 120, 120]


@given(st.lists(events, max_size=30))
def test_waiting_events_are_kept_once_each(given_events: list[AmbientEvent]) -> None:
    waiting: tuple[AmbientEvent, ...] = ()
    for each in given_events:
        waiting = with_event(waiting, each)
    assert {(each.trigger, each.detail) for each in waiting} == {(each.trigger, each.detail) for each in given_events}
    assert len(waiting) == len({(each.trigger, each.detail) for each in given_events})
    assert list(waiting) == in_order(waiting)


def test_every_trigger_has_an_urgency() -> None:
    assert set(URGENCY) == set(Trigger)
