"""What is done about two statements, given what the rules and the classifier say of them."""

from __future__ import annotations

import pytest

from nightgarden.domain.classify import RelationScores
from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.guards import Signs, signs
from nightgarden.remember.compare.relation import DETAIL, EXACT, OTHER_NUMBER, SAME_WORDS, perhaps, surely
from nightgarden.remember.relations import Evidence, weigh
from tests.remember.scripted import scores

SURE, MAYBE = surely(OTHER_NUMBER, ""), perhaps(OTHER_NUMBER, "")
SAME = Comparison(relation=Relation.SAME, rule=SAME_WORDS)
ADDS = Comparison(relation=Relation.ADDS, rule=DETAIL)


@pytest.mark.parametrize(
    ("ruled", "learned", "wanted"),
    [
        (ADDS, scores(same=0.99), Relation.SAME),
        (ADDS, scores(same=0.9), Relation.ADDS),  # a second copy is cheaper than a wrong merge
        (ADDS, scores(changes=0.99), Relation.CONTRADICTS_MAYBE),  # what only the classifier sees is flagged
        (ADDS, scores(changes=0.7), Relation.CONTRADICTS_MAYBE),
        (ADDS, scores(narrows=0.9), Relation.ADDS),
        (ADDS, scores(excepts=0.9), Relation.ADDS),
        (SURE, scores(changes=0.9), Relation.CONTRADICTS_SURE),
        (SURE, scores(same=0.99), Relation.CONTRADICTS_SURE),  # never merged against a rule
        (SURE, scores(excepts=0.9), Relation.CONTRADICTS_MAYBE),  # an exception replaces nothing
        (SURE, scores(narrows=0.9), Relation.CONTRADICTS_MAYBE),
        (SURE, scores(compatible=0.9), Relation.CONTRADICTS_SURE),  # another number is exact
        (MAYBE, scores(compatible=0.9), Relation.ADDS),
        (MAYBE, scores(changes=0.99), Relation.CONTRADICTS_MAYBE),
        (SAME, scores(same=0.6), Relation.SAME),
        (SAME, scores(changes=0.99), Relation.CONTRADICTS_MAYBE),  # the rules would have merged an opposite
        (SAME, scores(compatible=0.99), Relation.ADDS),
    ],
)
def test_rules_and_classifier_together(ruled: Comparison, learned: RelationScores, wanted: Relation) -> None:
    assert weigh(ruled, Evidence(scores=learned, cosine=0.9)).relation is wanted


def test_without_a_classifier_the_rules_stand_alone() -> None:
    for ruled in (SURE, MAYBE, SAME, ADDS):
        assert weigh(ruled, Evidence(scores=None)) is ruled


def test_the_same_text_is_the_same_whatever_the_classifier_says() -> None:
    exact = Comparison(relation=Relation.SAME, rule=EXACT)
    assert weigh(exact, Evidence(scores=scores(changes=1.0))) is exact


def test_the_classifier_alone_merges_only_what_is_near_and_has_nothing_exact_against_it() -> None:
    sure = scores(same=0.99)
    assert weigh(ADDS, Evidence(scores=sure, cosine=0.6)).relation is Relation.ADDS
    assert weigh(ADDS, Evidence(scores=sure, cosine=0.9, signs=Signs(other_numbers=True))).relation is Relation.ADDS


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ("Dormant files are reviewed every twelve months", "We look at dormant files every six months", False),
        ("The limit is 0.5 %", "The limit is 0.1 %", False),
        ("Clients may use the back stair", "No client uses the back stair", False),
        ("Mirja reviews what Tuan draws", "Tuan reviews what Mirja draws", False),
        ("Backups run twice a day", "Backups run 2 times a day", True),
        ("Anna owns the ledger service", "The ledger service is owned by Anna", True),
    ],
)
def test_numbers_denials_and_the_order_of_names_forbid_a_merge(one: str, other: str, may: bool) -> None:
    assert signs(one, other).mergeable is may
