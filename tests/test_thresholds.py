"""Thresholds that decide what is overwritten, shown, counted as used, archived or journalled: rows on both sides of
each, so that moving one is noticed."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Memory, Provenance
from nightgarden.domain.record import diff_nodes
from nightgarden.recall.show_gate import count_worth_showing
from nightgarden.recall.used import was_used
from nightgarden.remember.judge import may_overrule
from nightgarden.tend.loss_gate import find_losses
from nightgarden.tend.proposal import Proposal
from tests.store.given import NOW, PROJECT, memory


def of(provenance: Provenance, weight: float, **fields: Any) -> Memory:
    return memory("m", provenance=provenance, trust=1.0, confidence=weight, **fields)


@pytest.mark.parametrize(
    ("new", "known", "may"),
    [
        (0.50, 0.50, True),
        (0.50, 0.59, True),  # within the room for what two sessions each observed
        (0.50, 0.61, False),
        (0.50, 0.90, False),
        (0.20, 0.45, False),
        (0.90, 0.10, True),
    ],
)
def test_a_statement_overrules_one_that_weighs_little_more_and_no_further(new: float, known: float, may: bool) -> None:
    observed = Provenance.OBSERVED
    assert may_overrule(of(observed, new), of(observed, known)) is may


MEMORY = "heron amber cedar fjord gable harbor ivory jasper kelp lagoon"


@pytest.mark.parametrize(("shared", "used"), [(3, False), (5, False), (6, True), (10, True)])
def test_an_answer_used_a_memory_when_it_holds_most_of_what_only_that_said(shared: int, used: bool) -> None:
    answer = " ".join(MEMORY.split()[:shared])
    assert was_used(MEMORY, prompt="what is it called?", answer=answer) is used


@pytest.mark.parametrize(
    ("strengths", "count"),
    [
        ([0.36], 1),
        ([0.34], 0),  # the best of nothing is nothing
        ([0.9, 0.64], 2),
        ([0.9, 0.62], 1),  # far behind the one before it
        ([0.9, 0.7, 0.55], 3),
        ([0.9, 0.7, 0.53], 2),  # less than six tenths of the best
        ([1.0, 0.8, 0.61], 3),
        ([1.0, 0.8, 0.59], 2),
    ],
)
def test_results_are_shown_as_long_as_they_keep_up_with_the_best(strengths: list[float], count: int) -> None:
    assert count_worth_showing(strengths) == count


@pytest.mark.parametrize(
    ("archived", "live", "stopped"),
    [
        (3, 10, False),  # a few are nobody's loss
        (4, 10, True),
        (15, 100, False),  # as much as it may, and not more
        (16, 100, True),
        (6, 40, False),
        (7, 40, True),
    ],
)
def test_the_loss_gate_stops_what_is_more_than_it_may_be(archived: int, live: int, stopped: bool) -> None:
    gone = [memory(f"m{number}", scope=PROJECT) for number in range(archived)]
    proposals = [Proposal(what="faded", changes=(Change(each, None),), reason="") for each in gone]
    losses = find_losses(proposals, live_at_start={PROJECT: live}, archived_before={}, percent_max=15)
    assert bool(losses) is stopped


def test_counts_of_use_are_no_part_of_the_journal_and_everything_else_is() -> None:
    before = memory("m", "roses need sun")
    used = replace(before, access_count=before.access_count + 1, last_accessed_at=NOW + timedelta(days=1))
    assert diff_nodes(before, used) == ({}, {})
    changed = replace(used, strength=before.strength + 1)
    assert diff_nodes(before, changed) == ({"strength": before.strength}, {"strength": before.strength + 1})
