"""Whether a tick speaks to the model at all, and about what: each gate by itself, and their order."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.initiative.gates import Room, Standing, TickGate, TickPlan, plan_tick
from nightgarden.initiative.thoughts import FAILURES_MAX, Thought, held, kept, new_thought, noticed, wait
from nightgarden.settings.initiative import (
    InitiativeRepliesSettings,
    InitiativeSettings,
    InitiativeTextSettings,
)

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
HERE = Room(channel="console:lobby", community="console/local")
THERE = Room(channel="matrix:!a:x", community="matrix/x")


def thought(**more: Any) -> Thought:
    made = new_thought(
        id="t1",
        community="console/local",
        channel="console:lobby",
        text="the lilies are in bloom",
        reason="not yet",
        media=None,
        basis_at=NOW,
        gap=timedelta(minutes=360),
        now=NOW,
    )
    return replace(made, **more)


def standing(**more: Any) -> Standing:
    given: dict[str, Any] = {"now": NOW, "settings": InitiativeSettings(), "rooms": [HERE]}
    return Standing(**(given | more))


def text(**more: Any) -> InitiativeSettings:
    return InitiativeSettings(text=InitiativeTextSettings(**more))


def never() -> float:
    raise AssertionError("nobody should roll before the other gates have passed")


def stopped_at(plan: TickPlan) -> TickGate:
    assert plan.quiet
    return next(asked.gate for asked in plan.asked if not asked.passed)


@pytest.mark.parametrize(
    ("more", "gate"),
    [
        ({"settings": text(enabled=False), "rooms": []}, TickGate.ENABLED),
        ({"rooms": [], "posts_last_day": 9}, TickGate.CHANNELS),
        ({"posts_last_day": 3, "sends_last_hour": 99}, TickGate.DAILY_CAP),
        ({"settings": text(max_posts_per_day=0)}, TickGate.DAILY_CAP),
        ({"sends_last_hour": 20, "last_send_at": NOW}, TickGate.HOURLY_CAP),
        ({"last_send_at": NOW - timedelta(seconds=4), "last_fresh_at": NOW}, TickGate.SPACING),
        ({"has_mind": False, "last_fresh_at": NOW}, TickGate.MIND),
        ({"rooms": [replace(HERE, active=True)], "last_fresh_at": NOW}, TickGate.ATTENTION),
        ({"last_fresh_at": NOW - timedelta(minutes=359)}, TickGate.GAP),
    ],
)
def test_each_gate_stops_in_its_place_with_a_reason(more: dict[str, Any], gate: TickGate) -> None:
    plan = plan_tick(standing(**more), never)
    assert stopped_at(plan) is gate
    assert plan.reason.startswith(f"{gate}: ")
    order = list(TickGate)
    assert [asked.gate for asked in plan.asked] == sorted((a.gate for a in plan.asked), key=order.index)


@pytest.mark.parametrize(("rolled", "passes"), [(0.0, True), (19.9, True), (20.0, False), (99.9, False)])
def test_the_roll_comes_last_and_is_measured_against_eagerness(rolled: float, passes: bool) -> None:
    plan = plan_tick(standing(last_fresh_at=NOW - timedelta(minutes=360)), lambda: rolled)
    assert (plan.fresh == "console/local") is passes
    assert plan.asked[-1].gate is TickGate.EAGERNESS


def test_no_eagerness_is_never_and_full_eagerness_always() -> None:
    assert plan_tick(standing(settings=text(eagerness=0)), lambda: 0.0).fresh is None
    assert plan_tick(standing(settings=text(eagerness=100)), lambda: 99.99).fresh == "console/local"


def test_a_due_thought_is_revisited_before_gap_and_roll() -> None:
    later = NOW + timedelta(minutes=1)
    plan = plan_tick(standing(now=later, pending=[thought()], last_fresh_at=NOW), never)
    assert plan.revisit == thought()
    assert plan.fresh is None


def test_a_pending_thought_blocks_its_own_community_only() -> None:
    later = NOW + timedelta(minutes=1)
    plan = plan_tick(standing(now=later, rooms=[HERE, THERE], pending=[thought()]), lambda: 0.0)
    assert plan.revisit == thought()
    assert plan.fresh == "matrix/x"


def test_a_thought_waits_before_it_is_revisited_and_the_caps_hold_for_it_too() -> None:
    assert stopped_at(plan_tick(standing(pending=[thought()]), never)) is TickGate.PENDING
    later = NOW + timedelta(minutes=1)
    assert plan_tick(standing(now=later, pending=[thought()], posts_last_day=3), never).quiet


def test_a_thought_is_not_revisited_while_people_there_talk_with_us() -> None:
    plan = plan_tick(
        standing(now=NOW + timedelta(minutes=1), rooms=[replace(HERE, active=True)], pending=[thought()]), never
    )
    assert plan.quiet


@pytest.mark.parametrize(
    ("changed", "rooms", "words"),
    [
        ({"expires_at": NOW}, [HERE], "expired"),
        ({"failures": FAILURES_MAX}, [HERE], "could not be used"),
        ({}, [THERE], "no eligible channel"),
    ],
)
def test_what_cannot_be_said_any_more_is_cleared_even_when_a_gate_is_shut(
    changed: dict[str, Any], rooms: list[Room], words: str
) -> None:
    plan = plan_tick(standing(pending=[thought(**changed)], rooms=rooms, posts_last_day=3), never)
    [(gone, reason)] = plan.cleared
    assert gone.id == "t1"
    assert words in reason


def test_the_liveliest_community_is_chosen_and_ties_are_broken_always_alike() -> None:
    quiet, lively = replace(HERE, humans_last_hour=2), replace(THERE, humans_last_hour=3)
    assert plan_tick(standing(rooms=[quiet, lively]), lambda: 0.0).fresh == "matrix/x"
    assert plan_tick(standing(rooms=[THERE, HERE]), lambda: 0.0).fresh == "console/local"
    later = replace(THERE, newest_human_at=NOW)
    assert plan_tick(standing(rooms=[HERE, later]), lambda: 0.0).fresh == "matrix/x"


# -- thoughts --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("gap", "minutes"), [(1, 30), (15, 30), (20, 40), (60, 120), (360, 120)])
def test_the_expiry_follows_the_gap_between_half_an_hour_and_two(gap: int, minutes: int) -> None:
    made = new_thought(
        id="t", community="c", channel="x", text="y", reason="", media=None, basis_at=NOW, gap=timedelta(minutes=gap),
        now=NOW,
    )  # fmt: skip
    assert made.expires_at == NOW + timedelta(minutes=minutes)


@given(st.lists(st.tuples(st.sampled_from(["held", "kept", "noticed"]), st.integers(0, 7000)), max_size=30))
def test_nothing_that_happens_to_a_thought_extends_its_life_or_forgets_its_beginning(
    steps: list[tuple[str, int]],
) -> None:
    first = now = thought()
    for what, seconds in steps:
        at = NOW + timedelta(seconds=seconds)
        if what == "held":
            now = held(now, text="new", channel="console:lobby", reason="r", media=None, basis_at=at, now=at)
        elif what == "kept":
            now = kept(now, reason="bad answer", now=at)
        else:
            now = noticed(now, at)
        assert (now.expires_at, now.created_at, now.draft) == (first.expires_at, first.created_at, first.draft)
    assert now.revision == sum(what == "held" for what, _ in steps)


def test_holding_waits_longer_each_time_and_news_brings_it_back_sooner() -> None:
    assert [wait(n).total_seconds() for n in (0, 1, 2, 20)] == [30, 60, 120, 1800]
    old = thought(revision=9, not_before_at=NOW + timedelta(minutes=30))
    soon = noticed(old, NOW + timedelta(seconds=1))
    assert soon.status == "reconsider"
    assert soon.not_before_at == NOW + timedelta(minutes=5)
    assert noticed(old, NOW) == old, "nothing new was said"


def test_an_answer_that_cannot_be_read_keeps_the_thought_as_it_was_and_is_counted() -> None:
    after = kept(thought(text="as it stood"), reason="no JSON", now=NOW)
    assert (after.text, after.failures, after.revision) == ("as it stood", 1, 0)
    assert held(after, text="t", channel="c", reason="", media=None, basis_at=NOW, now=NOW).failures == 0


def test_spacing_can_be_switched_off() -> None:
    settings = InitiativeSettings(replies=InitiativeRepliesSettings(min_seconds_between_messages=0))
    assert not plan_tick(standing(settings=settings, last_send_at=NOW), lambda: 0.0).quiet
