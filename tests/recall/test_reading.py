"""What the deep network reads together with a turn, and what follows from it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.domain.classify import TurnReading
from nightgarden.recall.helpful import READ_MAX, helpful, read_with_turn, shares_of_turn
from nightgarden.recall.showing import MEMORIES_MAX, helping
from tests.recall.test_showing import result
from tests.remember.scripted import Scripted


def reader(**scores: float) -> Scripted:
    return Scripted(helps=lambda turn, memory: scores.get(memory, 0.01), deep=True)


def test_what_the_network_finds_helpful_is_shown_before_what_the_occasion_likes_better() -> None:
    two = [result("rule"), result("stranger")]
    likely = read_with_turn("ship it", two, {"rule": 0.15, "stranger": 0.3}, reader(rule=0.97, stranger=0.02))
    assert [each.id for each in helping(two, likely)] == ["rule"]


def test_only_the_likeliest_by_occasion_are_read_and_the_rest_is_not_shown() -> None:
    asked: list[str] = []

    def helps(turn: str, memory: str) -> float:
        asked.append(memory)
        return 0.99

    many = [result(f"m{n:02}") for n in range(3 * READ_MAX)]
    likely = {each.id: 0.9 - n / 100 for n, each in enumerate(many)}
    found = read_with_turn("ship it", many, likely, Scripted(helps=helps, deep=True))
    assert asked == [f"m{n:02}" for n in range(READ_MAX)]
    assert {id for id, share in found.items() if share == 0.0} == {each.id for each in many[READ_MAX:]}


@given(
    st.floats(0.0, 1.0),
    st.floats(0.0, 1.0),
    st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0)),
)
def test_more_of_either_evidence_never_makes_a_memory_less_likely(
    occasion: float, other: float, reading: tuple[float, float]
) -> None:
    less, more = sorted(reading)
    one = [result("one")]
    found = [read_with_turn("t", one, {"one": occasion}, reader(one=each))["one"] for each in (less, more)]
    assert found[0] <= found[1]
    low, high = sorted((occasion, other))
    found = [read_with_turn("t", one, {"one": each}, reader(one=less))["one"] for each in (low, high)]
    assert found[0] <= found[1]
    assert all(0.0 <= each <= 1.0 for each in found)


def test_at_most_a_few_are_shown_however_many_help() -> None:
    many = [result(f"m{n}") for n in range(READ_MAX)]
    likely = read_with_turn("t", many, dict.fromkeys((each.id for each in many), 0.9), Scripted(helps=lambda *_: 0.99))
    assert len(helping(many, likely)) <= MEMORIES_MAX


def test_what_a_pattern_fired_is_never_taken_out() -> None:
    fired = result("fired", fired=True)
    assert helpful("t", [fired, result("other")], Scripted(helps=lambda *_: 0.0)) == [fired]


def read_turn(*vector: float, nothing: float) -> TurnReading:
    return TurnReading(model_name="m", vector=np.array(vector, dtype=np.float32), nothing=nothing)


def test_what_a_turn_read_alone_says_is_shared_among_the_memories_and_nothing() -> None:
    vectors = {"rule": np.array([1.0, 0.0]), "stranger": np.array([0.0, 1.0])}
    shares = shares_of_turn(read_turn(8.0, 1.0, nothing=2.0), vectors)
    assert shares["rule"] > 0.99 > 0.01 > shares["stranger"]
    quiet = shares_of_turn(read_turn(8.0, 1.0, nothing=20.0), vectors)
    assert max(quiet.values()) < 0.01
    assert shares_of_turn(read_turn(8.0, 1.0, nothing=2.0), {}) == {}


@given(st.lists(st.floats(-900, 900), min_size=1, max_size=12), st.floats(-900, 900))
def test_shares_of_a_turn_are_shares_whatever_the_network_says(matches: list[float], nothing: float) -> None:
    vectors = {str(n): np.array([match]) for n, match in enumerate(matches)}
    shares = shares_of_turn(read_turn(1.0, nothing=nothing), vectors)
    assert all(0.0 <= share <= 1.0 for share in shares.values())
    assert sum(shares.values()) <= 1.0 + 1e-6


def test_what_the_turn_alone_asks_for_is_read_although_the_occasion_ranks_it_low() -> None:
    many = [result(f"m{n:02}") for n in range(3 * READ_MAX)]
    likely = {each.id: 0.3 - n / 100 for n, each in enumerate(many)}
    wanted = many[-1].id
    found = read_with_turn("ship it", many, likely, reader(**{wanted: 0.97}), by_turn={wanted: 0.95})
    assert [each.id for each in helping(many, found)] == [wanted]
    assert read_with_turn("ship it", many, likely, reader(**{wanted: 0.97}))[wanted] == 0.0
