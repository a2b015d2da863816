"""How two statements relate where no network reads them: tables of rows, and what holds for every pair of texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.by_signs import compare_by_signs, is_exact
from nightgarden.remember.compare.guards import signs
from nightgarden.remember.compare.relation import EXACT

PAIRS = Path(__file__).parents[3] / "bench" / "data" / "memory_pairs.jsonl"
SAME = [
    ("User prefers dark mode", "user prefers  dark mode."),
    ("The default branch is main", "main is the default branch"),
    ("The port is 8080, as agreed with the proxy team", "The port is 8080"),
    ("The billing service is owned by Ben", "Ben owns the billing service"),
    ("Les logs sont gardés quatre-vingt-dix jours", "Les logs sont gardés 90 jours"),
]
ASKED = [
    ("API port is 8080", "API port is 9090", "other-number"),
    ("Standup is at 9:30", "Standup is at 10:00", "other-number"),
    ("The cache TTL is 5 minutes", "The cache TTL is 60 minutes", "other-number"),
    ("We deploy on Fridays", "We deploy on Mondays", "other-number"),
    ("User likes cilantro", "User does not like cilantro", "negation"),
    ("We deploy on Fridays", "Never deploy on Fridays", "negation"),
    ("The repository is public", "The repository is private", "opposite"),
    ("Telemetry is on", "Telemetry is off", "opposite"),
    ("All tests are slow", "Some tests are slow", "opposite"),
]
REPLACED = [
    ("The API timeout is 30 seconds", "The API timeout went from 30 to 45 seconds"),
    ("Wiederholungen: drei Versuche pro Aufruf", "fünf Versuche pro Aufruf statt drei Versuche"),
]
BOTH_HOLD = [
    ("User likes tea", "User likes coffee"),
    ("Anna works on auth", "Ben works on auth"),
    ("The project uses pytest", "The project uses hypothesis"),
    ("We deploy on Fridays", "We deploy on Fridays at 5 pm"),
    ("The blorp is grumious today", "The blorp is frabjous today"),
    ("The default branch is main", "The default branch is develop"),  # a network sees it; a synonym looks like this too
    ("The sync service is hosted in Dublin", "We deploy the sync service with Terraform"),
]
SUBJECTS = ["User", "The team", "Anna", "The API", "Our project", "The old server"]
VERBS = ["uses", "likes", "needs", "supports", "prefers", "stores"]
OBJECTS = ["PostgreSQL", "green tea", "port 8080", "src/config.py", "long meetings", "Python 3.12", "the cache"]
PIECES = """1 12 - . , k h min $ am pm / : ` no not n't from to replaced by with switched instead of now left before
second of March v x port is the A Anna _ () 's % é 中 user uses React 12/13/14 31.12.99 5.5.5 99:99 0 # 1st nicht ne
pas sin"""
heaps = st.lists(st.sampled_from(PIECES.split()), max_size=14)
shapes = heaps.map(" ".join) | heaps.map("".join)
texts = st.text(max_size=200) | shapes
cosines = st.none() | st.floats(min_value=-1, max_value=1)
statements = st.builds(" ".join, st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(VERBS), st.sampled_from(OBJECTS)))


def compare(old: str, new: str, *, cosine: float | None) -> Comparison:
    if is_exact(old, new):
        return Comparison(relation=Relation.SAME, rule=EXACT)
    return compare_by_signs(old, new, signs(old, new), cosine=cosine)


@pytest.mark.parametrize(("old", "new"), SAME)
def test_the_same_words_are_the_same(old: str, new: str) -> None:
    assert compare(old, new, cosine=0.95).relation is Relation.SAME


@pytest.mark.parametrize(("old", "new", "rule"), ASKED)
@pytest.mark.parametrize("cosine", [None, 0.99])
def test_a_sign_of_conflict_in_nearly_the_same_words_is_asked_about(
    old: str, new: str, rule: str, cosine: float | None
) -> None:
    answer = compare(old, new, cosine=cosine)
    assert (answer.relation, answer.rule.id) == (Relation.CONTRADICTS_MAYBE, rule)


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_what_names_the_value_that_it_ends_replaces(old: str, new: str) -> None:
    assert compare(old, new, cosine=None).relation is Relation.CONTRADICTS_SURE


@pytest.mark.parametrize(("old", "new"), BOTH_HOLD)
@pytest.mark.parametrize("cosine", [None, 0.97])
def test_without_a_sign_both_stand(old: str, new: str, cosine: float | None) -> None:
    assert compare(old, new, cosine=cosine).relation in (Relation.ADDS, Relation.UNRELATED)


def test_no_opposite_pair_is_merged_and_of_those_asked_about_most_are_contradictions() -> None:
    rows = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    asked: list[bool] = []
    for row in rows:
        answer = compare(row["old"], row["new"], cosine=0.95)  # one that says "the same" is the hardest case
        if row["label"] == "contradicts" and row["kind"] != "hard":  # these need knowledge of the world
            assert answer.relation is not Relation.SAME, row
        if answer.contradicts:
            asked.append(row["label"] == "contradicts")
    assert sum(asked) / len(asked) >= 0.75


@given(texts, texts, cosines)
def test_any_two_texts_are_compared_without_an_error(old: str, new: str, cosine: float | None) -> None:
    assert compare(old, new, cosine=cosine).relation in Relation


@given(texts, cosines)
def test_a_text_is_the_same_as_itself(text: str, cosine: float | None) -> None:
    assert compare(text, text, cosine=cosine).relation is Relation.SAME


@given(statements, st.sampled_from(["does not", "never", "no longer", "doesn't"]), cosines)
def test_a_negation_put_in_never_gives_the_same(statement: str, negation: str, cosine: float | None) -> None:
    verb = next(verb for verb in VERBS if f" {verb} " in statement)
    bare = verb if negation in ("never", "no longer") else verb.removesuffix("s")
    denied = statement.replace(f" {verb} ", f" {negation} {bare} ", 1)
    for old, new in ((statement, denied), (denied, statement)):
        assert compare(old, new, cosine=cosine).relation is not Relation.SAME


@given(statements, statements, cosines)
def test_without_words_of_change_the_order_of_the_two_does_not_matter_for_a_contradiction(
    one: str, other: str, cosine: float | None
) -> None:
    assert compare(one, other, cosine=cosine).contradicts == compare(other, one, cosine=cosine).contradicts


@given(statements, statements)
def test_a_higher_cosine_never_undoes_a_contradiction(one: str, other: str) -> None:
    if compare(one, other, cosine=None).contradicts:
        assert compare(one, other, cosine=1.0).contradicts
