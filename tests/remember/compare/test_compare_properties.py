"""What holds for every pair of texts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nightgarden.remember.compare import RULES, Relation, compare

SUBJECTS = ["User", "The team", "Anna", "The API", "Our project", "The old server"]
VERBS = ["uses", "likes", "needs", "supports", "prefers", "stores"]
OBJECTS = ["PostgreSQL", "green tea", "port 8080", "src/config.py", "long meetings", "Python 3.12", "the cache"]
PIECES = """1 12 - . , k h min $ am pm / : ` no not n't from to replaced by with switched instead of now left before
second of March v x port is the A Anna _ () 's % é 中 user uses React 12/13/14 31.12.99 5.5.5 99:99 0 # 1st nicht ne
pas sin"""
heaps = st.lists(st.sampled_from(PIECES.split()), max_size=14)
shapes = heaps.map(" ".join) | heaps.map("".join)
cosines = st.none() | st.floats(min_value=-1, max_value=1)
statements = st.builds(" ".join, st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(VERBS), st.sampled_from(OBJECTS)))


@given(st.text(max_size=200), st.text(max_size=200), cosines)
def test_any_two_texts_are_compared_without_an_error(old: str, new: str, cosine: float | None) -> None:
    assert compare(old, new, cosine=cosine).rule in RULES


@given(shapes, shapes, cosines)
def test_any_heap_of_values_and_small_words_is_compared_without_an_error(
    old: str, new: str, cosine: float | None
) -> None:
    assert compare(old, new, cosine=cosine).rule in RULES


@given(st.text(max_size=200), cosines)
def test_a_text_is_the_same_as_itself(text: str, cosine: float | None) -> None:
    assert compare(text, text, cosine=cosine).relation is Relation.SAME


@given(statements, st.sampled_from(["does not", "never", "no longer", "doesn't"]), cosines)
def test_a_negation_put_in_never_gives_the_same(statement: str, negation: str, cosine: float | None) -> None:
    verb = next(verb for verb in VERBS if f" {verb} " in statement)
    bare = verb if negation in ("never", "no longer") else verb.removesuffix("s")
    denied = statement.replace(f" {verb} ", f" {negation} {bare} ", 1)
    for old, new in ((statement, denied), (denied, statement)):
        assert compare(old, new, cosine=cosine).relation is Relation.CONTRADICTS_SURE


@given(statements, statements, cosines)
def test_without_words_of_change_the_order_of_the_two_does_not_matter_for_a_contradiction(
    one: str, other: str, cosine: float | None
) -> None:
    assert compare(one, other, cosine=cosine).contradicts == compare(other, one, cosine=cosine).contradicts


@given(statements, statements)
def test_a_higher_cosine_never_undoes_a_contradiction(one: str, other: str) -> None:
    if compare(one, other, cosine=None).contradicts:
        assert compare(one, other, cosine=1.0).contradicts
