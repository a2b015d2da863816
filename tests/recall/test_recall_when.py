"""Which days a query speaks of."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.recall.when import nearness, read_spans

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)


def day(year: int, month: int, number: int) -> datetime:
    return datetime(year, month, number, 15, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("what did we do on 8 May 2023?", day(2023, 5, 8)),
        ("what did we do on May 8th, 2023?", day(2023, 5, 8)),
        ("the plan of 2023-05-08", day(2023, 5, 8)),
        ("what broke in March", day(2019, 3, 20)),
        ("was haben wir im Januar 2024 beschlossen", day(2024, 1, 9)),
        ("qué pasó el 3 de agosto de 2024", day(2024, 8, 3)),
        ("what did I say yesterday", day(2026, 11, 14)),
        ("what broke last week", day(2026, 11, 10)),
        ("gestern", day(2026, 11, 14)),
        ("three weeks ago we spoke of it", day(2026, 10, 25)),
        ("all of the last 10 days", day(2026, 11, 6)),
        ("in 2022", day(2022, 7, 1)),
        ("the plan of 8.5.2023", day(2023, 5, 8)),
        ("the plan of 5/8/2023", day(2023, 5, 8)),
        ("the plan of 5/8/2023", day(2023, 8, 5)),
        ("the plan of 25/8/2023", day(2023, 8, 25)),
        ("the plan of 2023/05/08", day(2023, 5, 8)),
        ("what did we decide on Tuesday?", day(2026, 11, 10)),
        ("what did we decide last Sunday?", day(2026, 11, 8)),
        ("was haben wir am Freitag beschlossen", day(2026, 11, 13)),
    ],
)
def test_a_moment_within_the_time_asked_about_is_as_near_as_can_be(text: str, inside: datetime) -> None:
    assert nearness(read_spans(text, NOW), inside) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "may I use tabs?",
        "march on",
        "which port does staging use",
        "port 2023",
        "",
        "31 February 2023",
        "9999-12",
        "version 1.2.2023.4",
        "31.2.2023",
        "Mondays are slow",
        "can I deploy on friday?",
        "should we release on Monday or wait?",
    ],
)
def test_a_text_that_names_no_day_has_no_span(text: str) -> None:
    assert read_spans(text, NOW) == ()


def test_nearness_falls_with_distance_and_never_below_nothing() -> None:
    spans = read_spans("8 May 2023", NOW)
    away = [nearness(spans, day(2023, 5, 8) + timedelta(days=days)) for days in (0, 2, 10, 100, 1000)]
    assert away == sorted(away, reverse=True)
    assert away[-1] >= 0.0
    assert away[1] > 0.5 > away[2]


def test_the_better_of_when_said_and_when_true_counts() -> None:
    spans = read_spans("in June 2024", NOW)
    assert nearness(spans, day(2020, 1, 1), day(2024, 6, 2)) == 1.0
    assert nearness(spans, day(2020, 1, 1), None) < 0.01


@given(st.text(max_size=80), st.integers(-15_000, 15_000))
def test_any_text_can_be_read_for_time(text: str, days: int) -> None:
    assert all(span.start < span.end for span in read_spans(text, NOW + timedelta(days=days)))


@given(st.sampled_from(["in May", "29 February", "2024-02-29", "last month"]), st.datetimes(timezones=st.just(UTC)))
def test_nearness_is_always_between_0_and_1(text: str, moment: datetime) -> None:
    assert 0.0 <= nearness(read_spans(text, NOW), moment) <= 1.0


@pytest.mark.parametrize(
    "text", ["what did we do on friday?", "can we see what was decided on Friday?", "since Friday"]
)
def test_a_weekday_of_the_past_is_the_last_one(text: str) -> None:
    (span,) = read_spans(text, NOW)
    assert span.start.weekday() == 4
    assert span.end <= NOW
