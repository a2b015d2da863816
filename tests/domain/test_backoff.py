"""Waits double with each failure and stay within their bounds."""

from __future__ import annotations

from datetime import timedelta

import pytest

from nightgarden.domain.backoff import backoff


@pytest.mark.parametrize(
    ("failures", "seconds"), [(-1, 5), (0, 5), (1, 5), (2, 10), (3, 20), (7, 320), (8, 600), (10**6, 600)]
)
def test_the_wait_doubles_up_to_the_longest(failures: int, seconds: int) -> None:
    wait = backoff(failures, shortest=timedelta(seconds=5), longest=timedelta(minutes=10))
    assert wait == timedelta(seconds=seconds)
