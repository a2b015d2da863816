"""What is read apart: a statement beside a request, two clauses, known troubles, and enumerations that are no steps."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from tests.remember.scripted import Scripted

from nightgarden.domain.classify import MessageScores
from nightgarden.domain.memory import Category
from nightgarden.domain.session import Message
from nightgarden.remember.category import category_by_form
from nightgarden.remember.compare.two_clauses import second_clause
from nightgarden.remember.draft import Draft
from nightgarden.remember.extract import extract
from nightgarden.remember.extract.troubles import happens_each_time, is_long_standing
from nightgarden.remember.shape import steps_of

AT = datetime(2026, 11, 1, tzinfo=UTC)


def drafts(text: str, classifier: Scripted) -> list[Draft]:
    return extract([Message(id="u", role="user", text=text, at=AT)], classifier=classifier)


class HiddenByTheRest(Scripted):
    """Keeps a sentence that it reads alone, and nothing of a message that says more."""

    def __init__(self, sentence: str) -> None:
        super().__init__(keep=lambda word: True)
        self._sentence = sentence

    def read_message(self, text: str, *, previous: str) -> MessageScores:
        self._score = 0.95 if text == self._sentence.rstrip(".") or text == self._sentence else 0.1
        return super().read_message(text, previous=previous)


@pytest.mark.parametrize(
    ("statement", "beside"),
    [
        ("The spring concert is in Leith Theatre.", "I need a budget table."),
        ("Das Konzert ist im Leith Theatre.", "Ich brauche eine Tabelle."),
        ("音乐会在城市剧院举行。", "我需要一张预算表。"),
    ],
)
def test_a_request_beside_a_statement_does_not_hide_it(statement: str, beside: str) -> None:
    hidden = HiddenByTheRest(statement)
    for text in (f"{statement} {beside}", f"{beside} {statement}"):
        assert [draft.content for draft in drafts(text, hidden)] == [statement.rstrip(".")]


@pytest.mark.parametrize("after", ["Ah no, that was last year.", "no wait, forget it", "Hm, was it the Usher Hall?"])
def test_a_statement_that_the_next_sentence_doubts_is_not_read_apart(after: str) -> None:
    statement = "The concert goes to Leith Theatre."
    assert drafts(f"{statement} {after}", HiddenByTheRest(statement)) == []


@pytest.mark.parametrize(
    ("said", "second"),
    [
        ("our API is on Go 1.22 and Petra is off on Fridays", "Petra is off on Fridays"),
        ("wir deployen donnerstags und die Staging-DB läuft auf 15", "die Staging-DB läuft auf 15"),
        ("la base est sur Postgres et Paul est absent le lundi", "Paul est absent le lundi"),
        ("la API usa Go y Ana está libre los viernes", "Ana está libre los viernes"),
        ("il server gira su Go e Paolo è in ferie ad agosto", "Paolo è in ferie ad agosto"),
        ("de API draait op Go en Petra is vrij op vrijdag", "Petra is vrij op vrijdag"),
        ("ceiling 5500 for all speakers, and the vowels are on tier 2", "the vowels are on tier 2"),
        ("the deploy is on Monday, the release notes are due Friday", "the release notes are due Friday"),
    ],
)
def test_two_main_clauses_about_different_things_are_two_statements(said: str, second: str) -> None:
    cut = second_clause(said)
    assert cut is not None
    assert said[cut[1] :] == second
    assert len(drafts(said, Scripted(keep=lambda word: True))) == 2


@pytest.mark.parametrize(
    "said",
    [
        "if the queue is full and the worker is down, page Anna",
        "we use Postgres because the team knows it and the ops people like it",
        "Anna said that the API is down and Bob is ill",
        "the API is on Go and it must stay there",
        "I like tea and I drink coffee",
        "our docs and the wiki are in English",
        "my wife and I live in Leeds",
        "all PRs need two approvals and a ticket",
        "wir nutzen Postgres und Redis",
        "la API usa Go y Rust",
        "our API is old, the new one is in Go",
        "we deploy on Mondays, and only after QA has signed",
    ],
)
def test_what_belongs_together_stays_one_statement(said: str) -> None:
    assert second_clause(said) is None


@pytest.mark.parametrize(
    "said",
    [
        "test_dst_gap is flaky, has been for ages",
        "der Test ist flaky, schon immer",
        "le test est instable depuis des mois",
        "el test es inestable desde hace meses",
        "la stampante è instabile da sempre",
    ],
)
def test_a_trouble_that_has_been_so_for_long_is_kept(said: str) -> None:
    assert is_long_standing(said)
    kept = drafts(said, Scripted())
    assert [(draft.category, draft.content.lower()) for draft in kept] == [(Category.GOTCHA, said.lower())]


@pytest.mark.parametrize(
    "said",
    [
        "I've been stuck on this for ages",
        "people have argued about tabs for years",
        "the letter wandered through the office for weeks",
        "can you fix it? it has been broken for months",
        "ich warte schon immer auf dich",
        "has been for ages",
    ],
)
def test_what_merely_took_long_is_no_trouble_that_stays(said: str) -> None:
    assert drafts(said, Scripted()) == []


def test_what_happens_each_time_needs_less_to_be_kept_than_a_fault_of_today() -> None:
    for said, kept in (
        ("the printer on floor 2 jams when you print A3", True),
        ("der Drucker klemmt, wenn man A3 druckt", True),
        ("la impresora se atasca cada vez que se imprime en A3", True),
        ("the printer on floor 2 is jammed", False),
        ("it crashes every time I click save", False),
        ("the deploy failed, could you look every time", False),
    ):
        assert happens_each_time(said) is kept, said
        weak = Scripted(keep=lambda word: True, weak=True, category=Category.GOTCHA, deep=True)
        assert bool(drafts(said, weak)) is kept, said
    when = "when the tests pass, push the branch"
    assert drafts(when, Scripted(keep=lambda word: True, weak=True, category=Category.PROCEDURE, deep=True)) == []


@pytest.mark.parametrize(
    "text",
    [
        "Steps: 1. Thursday 2. 50, max 200 3. only on staging",
        "Schritte: 1. donnerstags 2. 50 3. nur auf Staging",
        "Étapes : 1. jeudi 2. 25 Mo 3. oui",
        "What page size should the list use? 50, max 200",
    ],
)
def test_mere_values_are_no_steps(text: str) -> None:
    assert category_by_form(text) is not Category.PROCEDURE
    assert steps_of(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "Deploy steps: 1. build 2. test 3. push",
        "Release process: 1. on Monday freeze the branch 2. tag 3. ship it",
        "Schritte: 1. Tests laufen lassen 2. taggen 3. im Admin freigeben",
        "Étapes : 1. lancer les tests 2. pousser",
        "How do you release? run the tests, tag it, push",
    ],
)
def test_short_steps_are_steps(text: str) -> None:
    found = steps_of(text)
    assert found is not None
    assert len(found.procedure.steps) >= 2


@pytest.mark.parametrize("said", ["good that you", "even I can", "we talked about the"])
def test_a_fragment_whose_end_is_missing_is_not_kept(said: str) -> None:
    assert drafts(said, Scripted(keep=lambda word: True)) == []


@pytest.mark.parametrize(
    "said",
    [
        "Her successor is Prof. Amann and she gets the report",
        "Wir nehmen den Median und das 90. Perzentil",
        "That is our service for events (go 1.22)",
        "Im Team ist vereinbart, dass Variablennamen englisch sind",
    ],
)
def test_abbreviations_ordinals_and_brackets_do_not_cut_a_statement(said: str) -> None:
    assert [draft.content for draft in drafts(f"{said}.", Scripted(keep=lambda word: True))] == [said]
