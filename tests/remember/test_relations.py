"""What is done about two statements, given what the rules and the classifier say of them."""

from __future__ import annotations

import pytest

from nightgarden.domain.classify import RelationScores
from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.relation import DETAIL, EXACT, OTHER_NUMBER, SAME_WORDS, perhaps, surely
from nightgarden.remember.relations import weigh
from tests.remember.scripted import scores

SURE, MAYBE = surely(OTHER_NUMBER, ""), perhaps(OTHER_NUMBER, "")
SAME = Comparison(relation=Relation.SAME, rule=SAME_WORDS)
ADDS = Comparison(relation=Relation.ADDS, rule=DETAIL)


@pytest.mark.parametrize(
    ("ruled", "learned", "wanted"),
    [
        (ADDS, scores(same=0.97), Relation.SAME),
        (ADDS, scores(same=0.6), Relation.ADDS),  # a second copy is cheaper than a wrong merge
        (ADDS, scores(changes=0.99), Relation.CONTRADICTS_SURE),
        (ADDS, scores(changes=0.7), Relation.CONTRADICTS_MAYBE),
        (ADDS, scores(narrows=0.9), Relation.ADDS),
        (ADDS, scores(excepts=0.9), Relation.ADDS),
        (SURE, scores(changes=0.9), Relation.CONTRADICTS_SURE),
        (SURE, scores(same=0.99), Relation.CONTRADICTS_MAYBE),  # never merged against a rule
        (SURE, scores(excepts=0.9), Relation.CONTRADICTS_MAYBE),  # an exception replaces nothing
        (SURE, scores(compatible=0.9), Relation.CONTRADICTS_MAYBE),
        (MAYBE, scores(compatible=0.9), Relation.ADDS),
        (MAYBE, scores(changes=0.99), Relation.CONTRADICTS_SURE),
        (SAME, scores(changes=0.99), Relation.CONTRADICTS_SURE),
        (SAME, scores(compatible=0.99), Relation.ADDS),
    ],
)
def test_rules_and_classifier_together(ruled: Comparison, learned: RelationScores, wanted: Relation) -> None:
    assert weigh(ruled, learned).relation is wanted


def test_without_a_classifier_the_rules_stand_alone() -> None:
    for ruled in (SURE, MAYBE, SAME, ADDS):
        assert weigh(ruled, None) is ruled


def test_the_same_text_is_the_same_whatever_the_classifier_says() -> None:
    exact = Comparison(relation=Relation.SAME, rule=EXACT)
    assert weigh(exact, scores(changes=1.0)) is exact


def test_what_the_user_forbade_falls_only_where_both_see_a_reversal() -> None:
    assert weigh(ADDS, scores(changes=0.999), protected=True).relation is Relation.CONTRADICTS_MAYBE
    assert weigh(SURE, scores(changes=0.999), protected=True).relation is Relation.CONTRADICTS_SURE
