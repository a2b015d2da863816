"""The least and the most are never one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.remember.compare.bounds import Bound, are_opposite_bounds, bound_of, leave_no_room

OPPOSITE = (
    ("Run at least 5 retries", "Run at most 5 retries"),
    ("Mindestens fünf Zeichen pro Suchbegriff", "Höchstens fünf Zeichen pro Suchbegriff"),
    ("Il faut au moins 5 tests", "Il faut au plus 5 tests"),
    ("Cada PR necesita al menos 2 revisores", "Cada PR necesita como mucho 2 revisores"),
    ("Pelo menos 3 revisores por PR", "No máximo 3 revisores por PR"),
    ("Almeno 3 revisori per PR", "Al massimo 3 revisori per PR"),
    ("Minstens 3 reviewers per PR", "Hoogstens 3 reviewers per PR"),
    ("Co najmniej 3 recenzentów", "Co najwyżej 3 recenzentów"),
    ("Не менее 3 ревьюеров", "Не более 3 ревьюеров"),
    ("每个 PR 至少 3 位审阅者", "每个 PR 最多 3 位审阅者"),
    ("レビュアーは最低3人", "レビュアーは最大3人"),
    ("Functions have up to 40 lines", "Functions have no fewer than 40 lines"),
    ("The batch size is more than 500", "The batch size is less than 500"),
)
NOT_OPPOSITE = (
    ("A PR has at most 400 lines", "A PR has no more than 400 lines"),
    ("Mindestens zwei Reviews pro PR", "Pro PR mindestens zwei Reviews"),
    ("Pas plus de 5 essais", "Au plus 5 essais"),
    ("No más de 5 intentos", "Como máximo 5 intentos"),
    ("Passwords have at least 14 characters", "Passwords with fewer than 14 characters are rejected"),
    ("At least the tests pass", "At most 5 retries"),  # no number
    ("Max reviews 2 PRs a day", "Max reviews at least 2 PRs a day"),  # somebody's name
    ("Retry at least 3 and at most 5 times", "Retry at most 5 times"),
)


@pytest.mark.parametrize(("one", "other"), OPPOSITE)
def test_the_least_and_the_most_are_opposite(one: str, other: str) -> None:
    assert are_opposite_bounds(one, other)
    assert are_opposite_bounds(other, one)


@pytest.mark.parametrize(("one", "other"), NOT_OPPOSITE)
def test_one_end_told_twice_or_no_end_is_not(one: str, other: str) -> None:
    assert not are_opposite_bounds(one, other)


def test_a_denial_turns_a_comparative_round() -> None:
    assert bound_of("We never wait more than 5 seconds") is Bound.MOST
    assert bound_of("Nicht weniger als 5 Versuche") is Bound.LEAST


def test_a_least_above_the_most_leaves_no_room() -> None:
    assert leave_no_room("A release needs at least three approvals", "A release needs at most two approvals")
    assert not leave_no_room("Keep at least 3 backups", "Keep at most 10 backups")


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_get_an_answer(one: str, other: str) -> None:
    assert are_opposite_bounds(one, other) == are_opposite_bounds(other, one)
