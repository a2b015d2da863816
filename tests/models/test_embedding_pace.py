"""The queue's decisions, as tables."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from nightgarden.domain.ports import PendingText
from nightgarden.models.pace import Pace, decide_start, slice_texts


@pytest.mark.parametrize(
    ("busy", "waited", "expected"),
    [(False, 0, 0.0), (True, 0, 60.0), (True, 45, 15.0), (True, 60, 0.0), (True, 90, 0.0)],
)
def test_when_the_model_may_be_loaded(busy: bool, waited: int, expected: float) -> None:
    since = datetime(2026, 1, 1, tzinfo=UTC)
    now = since + timedelta(seconds=waited)
    assert decide_start(busy=busy, waiting_since=since, now=now, pace=Pace()) == expected


def test_retries_back_off_to_a_limit() -> None:
    waits = [Pace().retry_delay(number).total_seconds() for number in (0, 1, 2, 6, 7, 5000)]
    assert waits == [5, 10, 20, 320, 600, 600]


def test_slices_are_bounded_in_texts_and_characters_and_lose_nothing() -> None:
    lengths = [10] * 20 + [3990, 50, 9000, 1]
    items = [PendingText(id=str(i), kind="memory", text="x" * length) for i, length in enumerate(lengths)]
    slices = list(slice_texts(items, Pace()))
    assert [item for part in slices for item in part] == items
    assert all(len(part) <= 8 for part in slices)
    assert all(len(part) == 1 or sum(len(item.text) for item in part) <= 4000 for part in slices)
