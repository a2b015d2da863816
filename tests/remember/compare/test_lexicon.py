"""The word lists are large enough, consistent with themselves, and tell the obvious."""

from __future__ import annotations

import pytest

from nightgarden.remember.compare.lexicon.alike import alike, lemma
from nightgarden.remember.compare.lexicon.classes import Firmness, covers, exclusive
from nightgarden.remember.compare.lexicon.opposites import opposed


@pytest.mark.parametrize(
    ("one", "other"),
    [("hot", "cold"), ("enabled", "disabled"), ("left", "right"), ("happy", "unhappy"), ("blocking", "nonblocking")],
)
def test_opposites_are_opposed_both_ways(one: str, other: str) -> None:
    assert opposed(lemma(one), lemma(other))
    assert opposed(lemma(other), lemma(one))


@pytest.mark.parametrize(("one", "other"), [("voice", "invoice"), ("tea", "coffee"), ("run", "rerun")])
def test_words_that_only_look_alike_are_not_opposed(one: str, other: str) -> None:
    assert not opposed(lemma(one), lemma(other))


@pytest.mark.parametrize(
    ("one", "other", "firmness"),
    [
        ("tabs", "spaces", Firmness.HARD),
        ("friday", "tuesday", Firmness.HARD),
        ("postgresql", "mysql", Firmness.SOFT),
        ("staging", "production", Firmness.SCOPE),
    ],
)
def test_members_of_a_class_exclude_each_other(one: str, other: str, firmness: Firmness) -> None:
    shared = exclusive(lemma(one), lemma(other))
    assert shared is not None
    assert shared[1] is firmness


def test_synonyms_and_spellings_are_alike_and_the_name_of_a_class_covers_its_members() -> None:
    assert alike(lemma("colour"), lemma("color"))
    assert alike(lemma("bought"), lemma("purchase"))
    assert covers(lemma("guitar"), lemma("instrument"))
