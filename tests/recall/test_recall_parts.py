"""The pure parts of recall: fusion, support, triggers, diversity, the gate."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.domain.memory import Category, Memory, Procedure
from nightgarden.domain.ports import Hit
from nightgarden.recall import fuse
from nightgarden.recall.diverse import spread_out
from nightgarden.recall.file_arm import shared_files
from nightgarden.recall.gather import RecallCandidates
from nightgarden.recall.options import Fusion, RecallOptions
from nightgarden.recall.show_gate import count_worth_showing
from nightgarden.recall.support import NeighbourTurn, conversation_boosts, question_share
from nightgarden.recall.triggers import fire

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def memory(id: str = "m", **changes: object) -> Memory:
    values: dict[str, object] = {"content": "never force-push", "category": Category.NEGATIVE}
    return Memory(id=id, created_at=NOW, updated_at=NOW, **(values | changes))  # type: ignore[arg-type]


def test_text_that_matches_twice_as_well_has_twice_the_evidence() -> None:
    evidence = fuse.text_evidence([Hit("a", "memory", 8.0), Hit("b", "memory", 4.0)])
    assert evidence["a"] == pytest.approx(2 * evidence["b"])


def test_a_query_that_matches_little_leans_on_meaning() -> None:
    weak, strong = fuse.text_evidence([Hit("a", "memory", 2.0)]), fuse.text_evidence([Hit("a", "memory", 20.0)])
    assert weak["a"] < strong["a"]


def test_the_cosine_of_a_stranger_is_no_evidence_whatever_the_model() -> None:
    assert fuse.vector_evidence({"a": 0.5}, "bge-small-en-v1.5")["a"] == pytest.approx(0.0)
    assert fuse.vector_evidence({"a": 0.24}, "all-MiniLM-L6-v2")["a"] == pytest.approx(0.0)


@pytest.mark.parametrize("method", list(Fusion))
def test_what_both_arms_put_first_is_first_by_every_method(method: Fusion) -> None:
    fused = fuse.fuse({"text": {"a": 3.0, "b": 2.0, "c": 1.0}, "vector": {"a": 2.0, "c": 1.0}}, method)
    assert max(fused, key=lambda id: fused[id]) == "a"


@given(st.lists(st.floats(-30, 30), min_size=2, max_size=8))
def test_strength_keeps_the_order_of_evidence_and_can_be_turned_back(values: list[float]) -> None:
    strengths = [fuse.strength(value) for value in sorted(values)]
    assert strengths == sorted(strengths)
    assert fuse.evidence_of(fuse.strength(5.0)) == pytest.approx(5.0)


def test_the_turn_after_a_matching_question_gains_most() -> None:
    turns = [
        NeighbourTurn(
            id=str(n), session_id="s", position=n, said_by="Ann" if n % 2 else "Bob", asks=float(n == 1), words=12
        )
        for n in range(4)
    ]
    boosts = conversation_boosts(turns, {"1": 5.0}, RecallOptions())
    gained = {id: sum(boost.values()) for id, boost in boosts.items()}
    assert gained["2"] > gained["0"] > gained["3"]


def test_turns_of_another_session_support_nobody() -> None:
    turns = [
        NeighbourTurn(id=id, session_id=id, position=n, said_by="Ann", asks=1.0, words=9) for n, id in enumerate("ab")
    ]
    boosts = conversation_boosts(turns, {"a": 5.0}, RecallOptions())
    assert boosts["b"]["neighbour"] == boosts["b"]["answers"] == 0.0


@pytest.mark.parametrize(
    ("text", "share"), [("Where is it?", 1.0), ("It is here.", 0.0), ("", 0.0), ("どこですか？", 1.0)]
)
def test_how_much_of_a_text_is_questions(text: str, share: float) -> None:
    assert question_share(text) == share


@pytest.mark.parametrize(
    ("pattern", "text", "fires"),
    [
        ("force push", "let me force-push this branch", True),
        ("force push", "push by force", False),
        ("deploy production", "please deploy the app to production", True),
        ("/rm\\s+-rf/", "run rm  -rf build", True),
        (r"npm\s+install", "then npm install it", True),
        ("/(a+)+$/", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", False),
        ("/(/", "(", False),
        ("", "anything", False),
    ],
)
def test_a_pattern_fires_on_what_it_says_and_a_bad_one_never(pattern: str, text: str, fires: bool) -> None:
    assert bool(fire([memory(trigger_patterns=(pattern,))], text)) is fires


def test_a_procedure_fires_by_its_trigger_and_a_fact_never() -> None:
    steps = Procedure(name="release", trigger="cut a release", steps=("tag",))
    assert fire([memory(category=Category.PROCEDURE, procedure=steps)], "how do I cut a release?")
    assert not fire([memory(category=Category.FACT, trigger_patterns=("release",))], "cut a release")


def test_a_copy_loses_its_place_and_a_different_text_does_not() -> None:
    one, other = np.array([1.0, 0.0], np.float32), np.array([0.0, 1.0], np.float32)
    lost = spread_out(["a", "b", "c"], {"a": one, "b": one, "c": other}, {})
    assert set(lost) == {"b"}
    bare = spread_out(["a", "b", "c"], {}, {"a": "the port is 5432", "b": "The port is 5432!", "c": "tabs"})
    assert set(bare) == {"b"}


@pytest.mark.parametrize(
    ("strengths", "count"), [([], 0), ([0.2, 0.1], 0), ([0.9, 0.85, 0.2], 2), ([0.6, 0.5, 0.45], 3), ([0.9, 0.4], 1)]
)
def test_the_gate_lets_many_few_or_none_pass(strengths: list[float], count: int) -> None:
    assert count_worth_showing(strengths) == count


def test_what_a_pattern_fired_passes_the_gate() -> None:
    assert count_worth_showing([0.1], [True]) == 1


def test_files_are_the_same_when_one_path_ends_in_the_other() -> None:
    about = memory(file_paths=("src/app/main.py", "docs/main.py"))
    assert shared_files(about, ["/home/me/project/src/app/main.py"]) == ("src/app/main.py",)
    assert shared_files(about, ["other.py"]) == ()


def test_what_an_arm_said_is_told_for_the_items_asked_about_alone() -> None:
    found = RecallCandidates(
        hits={"text": [Hit("a", "memory", 4.0), Hit("b", "memory", 2.0)]},
        evidence={"text": {"a": 1.0, "b": 0.5}, "vector": {"b": 0.7}},
        cosines={"b": 0.6},
    )
    said = found.said_of(["b"])
    assert set(said) == {"b"}
    assert (said["b"]["text"].rank, said["b"]["text"].evidence) == (2, 0.5)
    assert (said["b"]["vector"].rank, said["b"]["vector"].score) == (0, 0.6)  # looked up, not found
