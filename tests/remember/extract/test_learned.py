"""How scores of words become statements: whole sentences, clauses, and what a piece needs to stand alone."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from tests.remember.scripted import Scripted

from nightgarden.domain.classify import MessageScores
from nightgarden.domain.memory import Category
from nightgarden.domain.session import Message
from nightgarden.remember.extract import extract
from nightgarden.remember.extract.extraction import ERRAND_MAX
from nightgarden.remember.extract.learned import find_pieces
from nightgarden.remember.extract.rewrite import stand_alone
from nightgarden.remember.extract.utterance import REQUESTED
from nightgarden.remember.language import lexicon_of

AT = datetime(2026, 11, 1, tzinfo=UTC)


def keeping(*words: str, **more: object) -> Scripted:
    wanted = set(" ".join(words).split())
    return Scripted(keep=lambda word: word in wanted, **more)  # type: ignore[arg-type]


def pieces(text: str, classifier: Scripted, previous: str = "") -> list[str]:
    read = classifier.read_message(text, previous=previous)
    return [piece.text for piece in find_pieces(text, read, previous=previous, score_min=0.5, word_min=0.5)]


def test_a_sentence_most_of_which_is_kept_is_kept_whole() -> None:
    text = "Can you look at the flaky job? Invoices go out on the third working day."
    assert pieces(text, keeping("Invoices go out on the third working day")) == [
        "Invoices go out on the third working day."
    ]


def test_of_a_long_sentence_the_clause_that_says_it_is_kept() -> None:
    text = "please rerun the whole import for me when you find a minute today, Anna owns the ledger, and ping me after"
    assert pieces(text, keeping("Anna owns the ledger")) == ["Anna owns the ledger"]


def test_what_points_back_takes_the_sentence_before_it_along() -> None:
    text = "The importer is slow. It must run as root."
    assert pieces(text, keeping("It must run as root")) == ["The importer is slow. It must run as root."]


def test_a_bare_answer_takes_its_question_along() -> None:
    found = pieces("50, max 200", keeping("50", "max", "200"), previous="Sure. What page size should the list use?")
    assert found == ["What page size should the list use? 50, max 200"]


def test_a_question_and_its_answer_become_one_statement_where_that_is_safe() -> None:
    for question, said, noted in (
        ("Ok. What is the default page size?", "50, max 200", "The default page size is 50, max 200"),
        ("What should the webhook timeout be?", "8 seconds", "The webhook timeout should be 8 seconds"),
        (
            "And the default chunk size, so that I can write the doc comment?",
            "64 KiB",
            "The default chunk size: 64 KiB",
        ),
        ("Shall I open it in Jira?", "No, exceptions belong in Archer.", "exceptions belong in Archer."),
        ("Is the minimum still 1,000?", "no, five hundred", "Is the minimum still 1,000? no, five hundred"),
        ("| stl | ?", "oduya inherited ldg", "oduya inherited ldg"),
    ):
        assert pieces(said, keeping(re.sub("[,.]", "", said)), previous=question) == [noted]


def test_two_sentences_are_two_statements_so_that_one_can_change_without_the_other() -> None:
    text = "Commit messages begin with the ticket. Every visible string is made in Phrasely first."
    assert pieces(text, keeping(text)) == [
        "Commit messages begin with the ticket.",
        "Every visible string is made in Phrasely first.",
    ]


def test_a_fragment_goes_with_the_sentence_before_it() -> None:
    text = "The timetable program exports UTF-8. Still semicolons."
    assert pieces(text, keeping(text)) == [text]


def test_a_question_with_a_version_in_it_is_one_question() -> None:
    found = pieces("Tuesday at nine", keeping("Tuesday at nine"), previous="Noted. When does 5.8 go out?")
    assert found == ["When does 5.8 go out? Tuesday at nine"]


class SureOfTheWhole(Scripted):
    """Keeps every word of a message, but of one sentence read alone says that it holds nothing."""

    def __init__(self, empty_alone: str) -> None:
        super().__init__(keep=lambda word: True)
        self._empty_alone = empty_alone

    def read_message(self, text: str, *, previous: str) -> MessageScores:
        read = super().read_message(text, previous=previous)
        return replace(read, keeps=0.1) if text == self._empty_alone else read


def test_a_sentence_that_gains_only_by_the_one_beside_it_is_left_out() -> None:
    beside = "The export button does nothing in Safari."
    message = Message(id="1", role="user", text=f"{beside} Our sales floor is on iPads.", at=AT)
    assert [draft.content for draft in extract([message], classifier=SureOfTheWhole(beside))] == [
        "Our sales floor is on iPads"
    ]


def test_an_answer_goes_with_the_reason_after_it() -> None:
    text = "webp. The codec for avif was not compiled in."
    asked = "Shall I use WebP or AVIF?"
    assert pieces(text, keeping(text.replace(".", "")), previous=asked) == [
        "Shall the agent use WebP or AVIF? webp. The codec for avif was not compiled in."
    ]


def test_a_greeting_does_not_go_with_the_sentence_after_it() -> None:
    text = "Good afternoon. The laptop has R 4.4 on it."
    assert pieces(text, keeping(text.replace(".", ""), "4.4"))[-1] == "The laptop has R 4.4 on it."


def test_an_answer_that_says_what_it_is_about_needs_no_question() -> None:
    text = "the cluster is on spark 3.3"
    assert pieces(text, keeping(text), previous="Which version is on the machines?") == [text]


class FromHere(Scripted):
    """Keeps everything, and gives little to what stands before a word."""

    def __init__(self, here: str) -> None:
        super().__init__(keep=lambda word: True)
        self._here = here

    def read_message(self, text: str, *, previous: str) -> MessageScores:
        read, at = super().read_message(text, previous=previous), text.index(self._here)
        return replace(read, words=tuple(replace(word, keep=0.4 if word.end <= at else 0.95) for word in read.words))


@pytest.mark.parametrize(
    ("text", "here", "kept"),
    [
        ("write a netlify.toml, all our client sites sit on netlify", "all", "all our client sites sit on netlify"),
        ("I set aside $8,000 for staff training", "000", "I set aside $8,000 for staff training"),
        ("it went to Heather, who is our only editor", "who", "it went to Heather, who is our only editor"),
        (
            "I set aside money for tools and staff training this year",
            "and",
            "I set aside money for tools and staff training this year",
        ),
        ("the rent in Kingston, Jamaica, is 600 a month", "Jamaica", "the rent in Kingston, Jamaica, is 600 a month"),
    ],
)
def test_a_request_before_what_is_kept_is_left_out_and_nothing_is_cut_apart(text: str, here: str, kept: str) -> None:
    assert pieces(text, FromHere(here)) == [kept]


def test_what_is_too_weak_to_be_kept_and_speaks_of_a_change_is_tentative() -> None:
    text = "we are on Torch 2.4 as of today"
    message = Message(id="1", role="user", text=text, at=AT)
    news = keeping(text, weak=True, change=0.9)
    assert extract([message], classifier=news) == []
    drafts = extract([message], classifier=news, tentative=True)
    assert [(draft.content, draft.tentative) for draft in drafts] == [("We are on Torch 2.4 as of today", True)]
    plain = replace(message, text="we are on Torch 2.4 this week")  # no word for a change
    assert extract([plain], classifier=keeping(plain.text, weak=True), tentative=True) == []


def test_what_reads_like_a_rule_and_was_carried_out_is_a_candidate() -> None:
    said = Message(id="1", role="user", text="add a route for monthly totals", at=AT)
    edit = Message(id="2", role="tool", text="ok", at=AT, tool_name="Edit")
    wish = keeping(said.text, category=Category.CONVENTION)
    (alone,) = extract([said], classifier=wish)
    (carried_out,) = extract([said, edit], classifier=wish)
    assert alone.confidence > ERRAND_MAX == carried_out.confidence
    asked = replace(said, text="remember that totals are in cents")
    assert [draft.confidence for draft in extract([asked, edit], classifier=wish)] == [REQUESTED]


def test_nothing_kept_gives_nothing() -> None:
    assert pieces("thanks, that looks good to me", keeping()) == []


def test_what_is_about_the_person_says_so() -> None:
    text = "I only ever work in the evenings, so answer briefly"
    message = Message(id="1", role="user", text=text, at=AT)
    drafts = extract([message], classifier=keeping(text, category=Category.PREFERENCE, personal=0.9))
    assert [(draft.category, draft.personal) for draft in drafts] == [(Category.PREFERENCE, True)]


def test_what_the_user_asks_to_keep_is_kept_whatever_the_classifier_says() -> None:
    message = Message(id="1", role="user", text="Remember that the vault opens at nine", at=AT)
    assert [draft.content for draft in extract([message], classifier=keeping())] == ["The vault opens at nine"]


def test_what_the_user_says_of_themselves_in_a_second_sentence_begins_with_a_capital() -> None:
    text = "My name is Katarina. I'm colour blind, so rely on shapes in charts."
    kept = "User's name is Katarina. The user is colour blind, so rely on shapes in charts"
    assert stand_alone(text, lexicon_of(text)) == kept


@pytest.mark.parametrize(
    ("said", "noted"),
    [
        ("Übrigens verwenden wir im ganzen Projekt nur UTC", "Wir verwenden im ganzen Projekt nur UTC"),
        ("übrigens arbeitet Frau Kern nur vormittags bei uns", "Frau Kern arbeitet nur vormittags bei uns"),
        ("Übrigens, wir verwenden überall nur UTC", "Wir verwenden überall nur UTC"),
    ],
)
def test_a_german_statement_does_not_become_a_question_where_its_first_word_is_left_out(said: str, noted: str) -> None:
    assert stand_alone(said, lexicon_of(said)) == noted


def test_what_the_user_did_is_told_in_the_past_and_a_question_keeps_its_verb() -> None:
    for said, noted in (
        ("I sat down with our statistician and it's brms now", "User sat down with our statistician and it's brms now"),
        ("I rewrote the import last week", "User rewrote the import last week"),
        ("I proceed by ticket number", "User proceeds by ticket number"),
        ("how do I phrase it", "How does the user phrase it"),
        ("i cant flip it alone", "User cant flip it alone"),
        ("im not in on fridays", "User is not in on fridays"),
        ("ive moved it to gale-03", "User has moved it to gale-03"),
    ):
        assert stand_alone(said, lexicon_of(said)) == noted


def test_who_is_spoken_of_is_named_once() -> None:
    for said, noted in (
        ("I'm left-handed and hate modal dialogs", "User is left-handed and hates modal dialogs"),
        (
            "I use Libby for books, and I've got a limit of 5 loans",
            "User uses Libby for books and has got a limit of 5 loans",
        ),
        ("I prefer e-books, but I also enjoy print", "Prefers e-books, but also enjoys print"),
        (
            "we, I mean Olaf and I, review everything in payments/",
            "We, Olaf and the user, review everything in payments/",
        ),
        ("I like to read and drink tea", "Likes to read and drink tea"),
        ("I use pandas and work items are in Jira", "User uses pandas and work items are in Jira"),
        ("He knows his stuff, but I've never tried it", "He knows his stuff, but the user has never tried it"),
        ("I recently co-led a workshop", "User recently co-led a workshop"),
        ("I always carefully check diffs", "User always carefully checks diffs"),
        ("I rely on CI, how", "User relies on CI"),
        ("I met Kelly at the club, and my sister knows her", "User met Kelly at the club, and their sister knows her"),
    ):
        assert stand_alone(said, lexicon_of(said)) == noted


def test_requests_and_questions_are_cut_out_of_what_is_kept() -> None:
    for text, kept in (
        ("I've never used Zotero, so how do I get started?", "I've never used Zotero"),
        ("How can I sort them, given that we write in LaTeX?", "we write in LaTeX"),
        ("Kannst du das umbauen, wir nutzen Postgres 15, und hilf mir dann", "wir nutzen Postgres 15"),
        ("On n'utilise que des virgules, tu peux corriger le fichier ?", "On n'utilise que des virgules"),
        ("Could you always put the unit first?", "Could you always put the unit first?"),
    ):
        assert pieces(text, keeping(kept.removesuffix("?"))) == [kept], text


def test_a_mere_place_goes_with_the_answer_that_it_narrows() -> None:
    answer = "stdout, as JSON. Never to files."
    assert pieces(answer, keeping(re.sub("[,.]", "", answer)), previous="Where should logs of the worker go?") == [
        "Where should logs of the worker go? stdout, as JSON. Never to files."
    ]


def test_in_the_question_that_an_answer_needs_the_agent_is_not_taken_for_the_user() -> None:
    asked = "Got it. Which port should I use for your staging server?"
    assert pieces("8080 there.", keeping("8080 there"), asked) == [
        "Which port should the agent use for the user's staging server? 8080 there."
    ]
