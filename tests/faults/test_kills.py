"""Killed at exact points, every operation leaves a sound garden and can be gone on with. More of it: bench/faults."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.attempt import Laboratory, laboratory
from tests.faults.damage import NO_LOSS
from tests.faults.operations import MEMORIES, OPERATIONS

POINTS = 6  # spread evenly; `make bench-faults` tries many more


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Laboratory]:
    with laboratory(tmp_path) as made:
        yield made


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_killed_anywhere_leaves_nothing_lost_or_half_done(name: str, lab: Laboratory) -> None:
    lab.prepare(name)
    points, _ = lab.count_points(name)
    assert points >= POINTS
    wrong = {}
    for number in range(POINTS):
        point = 1 + number * (points - 1) // (POINTS - 1)
        killed, found = lab.kill_at_point(name, point)
        if found:
            wrong[f"point {point} of {points}, killed: {killed}"] = found
    assert wrong == {}


def test_a_daemon_killed_while_it_takes_notes_loses_none_that_it_acknowledged(lab: Laboratory) -> None:
    lab.prepare("write")
    for seconds in (0.0, 0.02, 0.1):
        assert lab.kill_daemon(seconds) == (True, [])


def test_a_damaged_file_is_repaired_and_nearly_everything_is_there(lab: Laboratory) -> None:
    lab.prepare("write")
    damaged = [lab.damage(seed) for seed in range(24)]
    assert [each.wrong for each in damaged if each.wrong] == []
    assert sum(each.left for each in damaged) >= 0.9 * MEMORIES * len(damaged)
    assert [each for each in damaged if each.left < MEMORIES and NO_LOSS in each.said] == []
