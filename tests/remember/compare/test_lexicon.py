"""The word lists are large enough, consistent with themselves, and tell the obvious."""

from __future__ import annotations

import pytest

from nightgarden.remember.compare.lexicon.alike import alike, lemma
from nightgarden.remember.compare.lexicon.classes import exclusive
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


@pytest.mark.parametrize(("one", "other"), [("tabs", "spaces"), ("friday", "tuesday"), ("postgresql", "mysql")])
def test_values_of_one_kind_exclude_each_other(one: str, other: str) -> None:
    assert exclusive(lemma(one), lemma(other))


def test_places_and_words_of_other_kinds_do_not() -> None:
    assert not exclusive(lemma("staging"), lemma("production"))
    assert not exclusive(lemma("tabs"), lemma("friday"))


def test_synonyms_and_spellings_are_alike() -> None:
    assert alike(lemma("colour"), lemma("color"))
    assert alike(lemma("bought"), lemma("purchase"))
