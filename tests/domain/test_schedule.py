"""Tasks for later: when they are due, what has become of them, and what is said to who names no good moment."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.domain.memory import GLOBAL, Scope, ScopeKind
from nightgarden.domain.record import from_record, to_record
from nightgarden.domain.schedule import (
    AHEAD_MAX,
    Outcome,
    Priority,
    ScheduledTask,
    TaskState,
    in_order,
    late,
    span,
    wake_moment,
)
from nightgarden.errors import BadInput

NOW = datetime(2026, 11, 16, 12, 0, tzinfo=UTC)
LEDGER, OTHER = Scope(ScopeKind.PROJECT, "ledger"), Scope(ScopeKind.PROJECT, "other")
TASK = ScheduledTask(id="t", task="look at the build", wake_at=NOW, created_at=NOW - timedelta(hours=1), scope=LEDGER)

moments = st.integers(-(10**8), 10**8).map(lambda seconds: NOW + timedelta(seconds=seconds))
tasks = st.builds(
    ScheduledTask,
    id=st.text("abc", min_size=1, max_size=3),
    task=st.text(min_size=1),
    wake_at=moments,
    created_at=moments,
    scope=st.sampled_from([GLOBAL, LEDGER]),
    priority=st.sampled_from(Priority),
    relevant_files=st.lists(st.text()).map(tuple),
    session_id=st.none() | st.text(),
    said_at=st.none() | moments,
)


@given(st.floats(0.0001, AHEAD_MAX / timedelta(minutes=1)))
def test_minutes_ahead_are_counted_from_now(minutes: float) -> None:
    assert wake_moment(NOW, wake_in_minutes=minutes) == NOW + timedelta(minutes=minutes)


@given(st.integers(1, AHEAD_MAX // timedelta(seconds=1)), st.integers(-14, 14))
def test_a_moment_is_the_same_in_every_time_zone_and_way_of_writing(seconds: int, hours: int) -> None:
    moment = NOW + timedelta(seconds=seconds)
    there = moment.astimezone(timezone(timedelta(hours=hours)))
    assert wake_moment(NOW, wake_at=there) == wake_moment(NOW, wake_at=there.isoformat()) == moment
    assert wake_moment(NOW, wake_at=f" {moment:%Y-%m-%dT%H:%M:%SZ} ") == moment


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "either wake_in_minutes, such as 30, or wake_at"),
        ({"wake_in_minutes": 5.0, "wake_at": "2026-11-17T00:00:00Z"}, "either wake_in_minutes"),
        ({"wake_in_minutes": 0.0}, "more than 0 and at most 527040 \\(366 days\\), not 0"),
        ({"wake_in_minutes": -3.0}, "not -3"),
        ({"wake_in_minutes": float("inf")}, "at most 527040"),
        ({"wake_in_minutes": float("nan")}, "at most 527040"),
        ({"wake_at": "2026-11-16T09:00:00Z"}, "is 3 hours ago: it is 2026-11-16T12:00:00.000000Z now"),
        ({"wake_at": NOW}, "is less than a minute ago"),
        ({"wake_at": "2028-01-01T00:00:00Z"}, "more than 366 days ahead"),
        ({"wake_at": "tomorrow"}, "no moment in ISO 8601; write it as 2026"),
        ({"wake_at": "2026-13-40T00:00:00Z"}, "no moment in ISO 8601"),
        ({"wake_at": ""}, "no moment in ISO 8601"),
        ({"wake_at": "2026-11-17T15:30"}, "has no time zone; write it as 2026-11-16T15:30:00Z"),
        ({"wake_at": "0001-01-01T00:00:00+14:00"}, "out of reach"),
    ],
)
def test_a_moment_that_cannot_be_is_refused_in_words(given: dict[str, object], words: str) -> None:
    with pytest.raises(BadInput, match=words):
        wake_moment(NOW, **given)  # type: ignore[arg-type]


@given(st.text())
def test_no_text_breaks_the_reading_of_a_moment(text: str) -> None:
    with suppress(BadInput):
        assert wake_moment(NOW, wake_at=text) > NOW


def test_a_task_waits_is_due_is_said_and_is_closed() -> None:
    early, after = NOW - timedelta(seconds=1), NOW + timedelta(days=9)
    assert TASK.state(early) is TaskState.WAITING
    assert TASK.state(NOW) is TASK.state(after) is TaskState.DUE
    said = TASK.said(NOW)
    assert said.state(after) is TaskState.SAID
    assert said.is_due(after)
    assert said.said(after) is said
    done = said.close(Outcome.DONE, after)
    assert done.state(after) is TaskState.DONE
    assert not done.is_due(after)
    assert done.close(Outcome.DONE, NOW) is done
    assert done.said(after) is done
    with pytest.raises(BadInput, match="is done already"):
        done.close(Outcome.CANCELLED, after)
    assert TASK.close(Outcome.CANCELLED, NOW).state(NOW) is TaskState.CANCELLED


def test_who_is_told() -> None:
    assert TASK.concerns((GLOBAL, LEDGER))
    assert not TASK.concerns((GLOBAL, OTHER))
    assert replace(TASK, scope=GLOBAL).concerns((GLOBAL, OTHER))
    scheduled = replace(TASK, session_id="s")
    assert scheduled.concerns((OTHER,), "s")
    assert not scheduled.concerns((OTHER,), "t")
    assert not TASK.concerns((OTHER,), None)


@given(st.lists(tasks))
def test_the_order_is_by_priority_then_time_and_loses_nobody(some: list[ScheduledTask]) -> None:
    ordered = in_order(some)
    assert sorted(map(repr, ordered)) == sorted(map(repr, some))
    ranks = [(("high", "normal", "low").index(task.priority), task.wake_at, task.id) for task in ordered]
    assert ranks == sorted(ranks)


@given(tasks)
def test_a_task_goes_into_a_record_and_back(task: ScheduledTask) -> None:
    assert from_record(ScheduledTask, to_record(task)) == task


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=59), ""),
        (timedelta(minutes=1), "1 minute late"),
        (timedelta(minutes=59), "59 minutes late"),
        (timedelta(hours=2, minutes=30), "2 hours late"),
        (timedelta(days=3, hours=5), "3 days late"),
    ],
)
def test_it_is_said_how_late_a_task_is(passed: timedelta, words: str) -> None:
    assert late(TASK, NOW + passed) == words


def test_less_than_a_minute_is_said_so() -> None:
    assert span(timedelta(seconds=3)) == "less than a minute"
