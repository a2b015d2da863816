"""Killed at exact points, every operation leaves a sound garden and can be gone on with. More of it: bench/faults."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.faults.attempt import count_points, damage, kill_at_point, kill_daemon, prepare
from tests.faults.operations import OPERATIONS

POINTS = 6  # spread evenly; `make bench-faults` tries many more


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_killed_anywhere_leaves_nothing_lost_or_half_done(name: str, tmp_path: Path) -> None:
    template = prepare(name, tmp_path)
    points, _ = count_points(name, template, tmp_path)
    assert points >= POINTS
    wrong = {}
    for number in range(POINTS):
        point = 1 + number * (points - 1) // (POINTS - 1)
        killed, found = kill_at_point(name, template, tmp_path, point)
        if found:
            wrong[f"point {point} of {points}, killed: {killed}"] = found
    assert wrong == {}


def test_a_daemon_killed_while_it_takes_notes_loses_none_that_it_acknowledged(tmp_path: Path) -> None:
    template = prepare("write", tmp_path)
    for seconds in (0.0, 0.1):
        assert kill_daemon(template, tmp_path, seconds) == (True, [])


def test_a_damaged_file_is_repaired_and_nearly_everything_is_there(tmp_path: Path) -> None:
    template = prepare("write", tmp_path)
    left: list[int] = []
    wrong: list[str] = []
    for seed in range(12):
        number, found = damage(template, tmp_path, random.Random(seed))
        left.append(number)
        wrong += found
    assert wrong == []
    assert sum(left) >= 0.9 * 13 * len(left)
