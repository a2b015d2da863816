"""Killed at exact points, every operation leaves a sound garden and can be gone on with. More of it: bench/faults."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.attempt import Laboratory, laboratory
from tests.faults.damage import NO_LOSS
from tests.faults.operations import MEMORIES, ON_POSTGRES, OPERATIONS
from tests.faults.postgres import killable_server

POINTS = 6  # spread evenly; `make bench-faults` tries many more


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Laboratory]:
    with laboratory(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def server_lab() -> Iterator[Laboratory]:
    with (
        tempfile.TemporaryDirectory() as name,  # a socket needs a shorter path than pytest's own folders have
        killable_server(Path(name)) as server,
        laboratory(Path(name), server) as made,
    ):
        yield made


def kill_at_points(lab: Laboratory, name: str, attempts: int) -> dict[str, list[str]]:
    """What was wrong after kills at points that are spread evenly."""
    lab.prepare(name)
    points, _ = lab.count_points(name)
    assert points >= attempts
    wrong = {}
    for number in range(attempts):
        point = 1 + number * (points - 1) // (attempts - 1)
        killed, found = lab.kill_at_point(name, point)
        if found:
            wrong[f"point {point} of {points}, killed: {killed}"] = found
    return wrong


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_killed_anywhere_leaves_nothing_lost_or_half_done(name: str, lab: Laboratory) -> None:
    assert kill_at_points(lab, name, POINTS) == {}


@pytest.mark.parametrize("name", ON_POSTGRES)
def test_the_same_on_postgresql(name: str, server_lab: Laboratory) -> None:
    assert kill_at_points(server_lab, name, 3) == {}


def test_a_server_killed_while_a_client_writes_loses_and_doubles_nothing(server_lab: Laboratory) -> None:
    server_lab.prepare("write on PostgreSQL")
    assert server_lab.kill_server(0.05) == (True, [])


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
