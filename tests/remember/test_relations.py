"""What is done about two statements, given what the classifier and exact signs say of them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from nightgarden.domain.classify import RelationScores
from nightgarden.domain.memory import Category, Memory
from nightgarden.remember import relations
from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.guards import PairSigns, signs
from nightgarden.remember.compare.relation import DETAIL, OTHER_NUMBER, surely
from nightgarden.remember.likelihood import Likelihood
from nightgarden.remember.relations import (
    LEARNED_EXCEPTION,
    LEARNED_NARROWER,
    PairEvidence,
    may_fall,
    stands_until_reversed,
    weigh,
)
from tests.remember.scripted import scores

NOW = datetime(2026, 11, 15, tzinfo=UTC)


def weighed(evidence: PairEvidence) -> Comparison:
    found = weigh(evidence)
    assert found is not None
    return found


@pytest.fixture
def unweighted(monkeypatch: pytest.MonkeyPatch) -> None:
    """As likely as the classifier says: what follows from a likelihood is no matter of fitted weights."""
    monkeypatch.setattr(relations, "likelihood", lambda said, *_: Likelihood(same=said.same, changes=said.changes))


@pytest.mark.parametrize(
    ("learned", "wanted"),
    [
        (scores(same=0.99), Relation.SAME),
        (scores(same=0.5, compatible=0.5), Relation.ADDS),  # a second copy is cheaper than a wrong merge
        (scores(changes=0.99), Relation.CONTRADICTS_SURE),
        (
            scores(changes=0.6, compatible=0.2, narrows=0.1, unrelated=0.1),
            Relation.CONTRADICTS_MAYBE,
        ),  # likely is not sure: flagged
        (scores(changes=0.7, same=0.3), Relation.CONTRADICTS_MAYBE),
        (scores(narrows=0.95), Relation.ADDS),
        (scores(excepts=0.95), Relation.ADDS),
        (scores(compatible=0.99), Relation.ADDS),
    ],
)
@pytest.mark.usefixtures("unweighted")
def test_what_a_likelihood_is_enough_for(learned: RelationScores, wanted: Relation) -> None:
    assert weighed(PairEvidence(scores=learned)).relation is wanted


def test_what_nobody_has_read_is_not_weighed() -> None:
    assert weigh(PairEvidence(scores=None)) is None


@pytest.mark.parametrize("sign", ["other_numbers", "reordered", "opposed"])
def test_nothing_is_merged_that_has_something_exact_against_it(sign: str) -> None:
    sure = scores(same=0.999)
    assert weighed(PairEvidence(scores=sure)).relation is Relation.SAME
    assert weighed(PairEvidence(scores=sure, signs=PairSigns(**{sign: True}))).relation is not Relation.SAME


@pytest.mark.usefixtures("unweighted")
@pytest.mark.parametrize("sign", ["one_denies", "names_swapped", "other_directions"])
def test_a_merge_against_a_sign_needs_more(sign: str) -> None:
    likely = scores(same=0.75, compatible=0.25)
    assert weighed(PairEvidence(scores=likely)).relation is Relation.SAME
    assert weighed(PairEvidence(scores=likely, signs=PairSigns(**{sign: True}))).relation is not Relation.SAME


@pytest.mark.parametrize("denies", [False, True])
def test_what_shares_no_word_and_is_not_near_is_never_merged(denies: bool) -> None:
    """ "Never the word 'novel' in my papers" swallowed "British spelling in all manuscripts": the one denies, the other
    does not, and that was the only question asked."""
    sure, apart = scores(same=0.999), PairSigns(shared_terms=0, one_denies=denies)
    assert weighed(PairEvidence(scores=sure, cosine=0.56, signs=apart)).relation is not Relation.SAME
    assert weighed(PairEvidence(scores=sure, cosine=0.9, signs=apart)).relation is Relation.SAME


def test_what_shares_no_word_is_merged_from_afar_where_the_deep_networks_are_certain() -> None:
    certain, apart = replace(scores(same=0.98), deep=True), PairSigns(shared_terms=0)
    for cosine, merged in ((0.7, True), (0.6, False)):
        comparison = weighed(PairEvidence(scores=certain, cosine=cosine, signs=apart))
        assert (comparison.relation is Relation.SAME) is merged
    less = replace(certain, same=0.96, compatible=0.04)
    assert weighed(PairEvidence(scores=less, cosine=0.7, signs=apart)).relation is not Relation.SAME


def test_near_certainty_of_a_change_outweighs_a_sign_that_may_deceive() -> None:
    deceived = PairSigns(shared_terms=3, other_units=True)
    certain, likely = scores(changes=0.96, compatible=0.04), scores(changes=0.93, compatible=0.07)
    assert weighed(PairEvidence(scores=certain, signs=deceived)).relation is Relation.CONTRADICTS_SURE
    assert weighed(PairEvidence(scores=likely, signs=deceived)).relation is Relation.CONTRADICTS_MAYBE


@pytest.mark.parametrize(
    ("older", "newer", "reordered"),
    [
        ("We hold retro every second Friday.", "Every second Friday we hold retro.", False),
        ("My manager is Femke de Wit.", "Femke de Wit is my manager.", False),
        ("The compiler treats warnings as errors.", "The compiler treats errors as warnings.", True),
        ("Ana is taller than Ben", "Ben is taller than Ana", True),
    ],
)
def test_moving_one_half_turns_nothing_round(older: str, newer: str, reordered: bool) -> None:
    assert signs(older, newer).reordered is reordered


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Python is pinned on 3.11 in all our repos.", "Python is pinned on 3.12 in all our repos."),
        ("The twins have swimming on Wednesday at 16:30.", "The twins have swimming on Thursday at 16:30."),
        ("The dough rests for eighteen hours at 5 degrees", "The dough rests for twelve hours at 6 degrees"),
    ],
)
def test_a_day_or_a_number_is_no_place(older: str, newer: str) -> None:
    assert not signs(older, newer).older_narrower


def test_days_are_one_unit_however_many() -> None:
    assert not signs("Logs are kept for 14 days", "logs dropped to 3 days").other_units
    assert signs("Logs are kept for 14 days", "logs dropped to 3 GB").other_units


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("デプロイは毎週火曜日です", True),
        ("Wdrożenia są we wtorki, żadnych w piątki", True),
        ("Деплой по вторникам", True),
        ("Wir deployen dienstags, außer im März", False),
        ("El despliegue será los martes, ¿no?", False),
        ("Łukasz reviews everything under payments/", False),  # a name
    ],
)
def test_languages_that_no_network_learned_are_left_to_exact_signs(text: str, unread: bool) -> None:
    found = signs("We deploy on Tuesdays", text)
    assert found.unread is unread
    for learned in (scores(same=0.99), scores(changes=0.99)):
        if unread:
            assert weigh(PairEvidence(scores=learned, cosine=0.9, signs=found)) is None


@pytest.mark.parametrize(
    ("text", "category", "stands"),
    [
        ("Never deploy on Fridays", Category.NEGATIVE, True),
        ("Doesn't want the db faked in tests in this repo", Category.PREFERENCE, True),
        ("We do not use mocks here", Category.CONVENTION, True),
        ("Prefers squash merges on every branch he reviews, without a merge commit", Category.PREFERENCE, False),
        ("The API does not speak XML", Category.FACT, False),
    ],
)
def test_what_the_user_does_not_want_stands_until_it_is_reversed(text: str, category: Category, stands: bool) -> None:
    known = Memory(id="1", content=text, category=category, created_at=NOW, updated_at=NOW)
    assert stands_until_reversed(known) is stands
    passing = surely(OTHER_NUMBER)
    assert may_fall(known, passing, PairEvidence(scores=scores(changes=0.6, compatible=0.4))) is not stands
    assert may_fall(known, passing, PairEvidence(scores=scores(changes=0.95, same=0.05)))


def test_clear_special_cases_and_exceptions_are_named() -> None:
    assert weighed(PairEvidence(scores=scores(narrows=0.95))).rule is LEARNED_NARROWER
    assert weighed(PairEvidence(scores=scores(excepts=0.95))).rule is LEARNED_EXCEPTION
    assert weighed(PairEvidence(scores=scores(narrows=0.5, compatible=0.5))).rule is DETAIL


@pytest.mark.parametrize(
    ("one", "other", "may"),
    [
        ("Dormant files are reviewed every twelve months", "We look at dormant files every six months", False),
        ("The limit is 0.5 %", "The limit is 0.1 %", False),
        ("Backups run twice a day", "Backups run 2 times a day", True),
        ("Anna owns the ledger service", "The ledger service is owned by Anna", True),
        ("Tokens are revoked after two hours", "Once 120 minutes have passed tokens are revoked", True),
        ("Tokens are revoked after two hours", "Tokens are revoked after 2 minutes", False),
        ("The allowance is £320 a week", "One gets three hundred and twenty pounds weekly", True),
        ("Handover is on Wednesday at 10:00", "Handover: Wednesdays, 10 a.m.", True),
        ("Handover is at 3 am", "Handover is at 3 pm", False),
        ("Nach dreihundertzwanzig Tagen wird gelöscht", "Gelöscht wird nach 320 Tagen", True),
        ("The heap has 6 GB", "The heap has 6 MB", False),
        ("Uploads are limited", "Uploads are limited to 50 MB", False),
        ("Uploads are limited to 50 MB", "Uploads are limited", True),
        ("Traffic moves from blue to green", "Traffic moves from green to blue", False),
        ("Reviews are optional for docs", "Reviews are mandatory for docs", False),
    ],
)
def test_numbers_opposites_and_order_forbid_a_merge(one: str, other: str, may: bool) -> None:
    assert signs(one, other).mergeable is may


@pytest.mark.parametrize(
    ("older", "newer", "more"),
    [
        ("Priya is the PM for checkout; demos are on Thursdays", "Priya moved the demos to Wednesdays", True),
        ("Demos are on Thursdays", "Priya moved the demos to Wednesdays", False),
        ("Deploys run on Friday. The freeze starts in December.", "Deploys run on Monday now", True),
        ("Deploys run on Friday.", "Deploys run on Monday now", False),
    ],
)
def test_what_only_the_older_one_says_keeps_it_from_being_replaced(older: str, newer: str, more: bool) -> None:
    found = signs(older, newer)
    assert found.older_says_more is more
    evidence = PairEvidence(scores=scores(changes=0.999), cosine=0.8, signs=found)
    replaces = weighed(evidence).relation is Relation.CONTRADICTS_SURE
    assert replaces is not more


def test_a_clause_that_hangs_on_what_has_ended_ends_with_it(unweighted: None) -> None:
    older = "Darko is our backend guy – all API and server questions go to him"
    found = signs(older, "Darko left the company. Mirela took over the backend from him")
    assert found.older_says_more
    for likely, falls in ((0.85, False), (0.95, True)):  # of two that can be told apart the other stays
        evidence = PairEvidence(scores=scores(changes=likely), cosine=0.8, signs=found)
        assert (weighed(evidence).relation is Relation.CONTRADICTS_SURE) is falls


def test_a_told_change_needs_less_to_replace() -> None:
    def least(told: bool) -> int:
        """Of a hundred, the score for a change that is enough to replace."""
        return next(
            of_100
            for of_100 in range(50, 101)
            if weighed(told_change(of_100 / 100, told=told)).relation is Relation.CONTRADICTS_SURE
        )

    assert least(told=True) < least(told=False)


def told_change(score: float, *, told: bool) -> PairEvidence:
    signs = PairSigns(told_as_change=told, shared_terms=2)
    return PairEvidence(
        scores=scores(changes=score, compatible=(1.0 - score) / 2, narrows=(1.0 - score) / 2), signs=signs
    )


def test_the_small_network_replaces_nothing_that_is_about_something_else() -> None:
    stranger = PairEvidence(scores=scores(changes=0.999), cosine=0.6, signs=PairSigns(shared_terms=1))
    assert not weighed(stranger).contradicts


@pytest.mark.parametrize(
    ("one", "other", "doubtful"),
    [
        ("Clients may use the back stair", "No client uses the back stair", True),
        ("Mirja reviews what Tuan draws", "Tuan reviews what Mirja draws", True),
        ("The deed is scanned after it was registered", "The deed is scanned before it was registered", True),
        ("Anna owns the ledger service", "The ledger service is owned by Anna", False),
    ],
)
def test_denials_names_and_directions_cast_doubt_on_a_merge(one: str, other: str, doubtful: bool) -> None:
    assert signs(one, other).doubtful is doubtful
