"""What the deep network reads together with a turn, and what follows from it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nightgarden.recall.helpful import READ_MAX, helpful, read_with_turn
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
