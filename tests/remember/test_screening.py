"""What the gate does with what the classifier says of a text."""

from __future__ import annotations

import pytest

from nightgarden.domain.secrets import SECRET
from nightgarden.domain.verdict import Refused
from nightgarden.remember.refuse import NOT_LASTING, Passed, refuse
from tests.remember.scripted import Scripted

STUDIO = "the alarm at the studio is nine-four-one-two since June, Mira set it"


def test_a_credential_in_plain_words_is_refused_and_its_place_named() -> None:
    refused = refuse(STUDIO, classifier=Scripted(secret=0.97, secret_words=("nine-four-one-two",)))
    assert isinstance(refused, Refused)
    assert refused.rule is SECRET
    assert [STUDIO[f.start : f.end] for f in refused.findings] == ["nine-four-one-two"]


def test_a_suspicion_without_a_word_that_stands_out_lets_it_in() -> None:
    assert isinstance(refuse(STUDIO, classifier=Scripted(secret=0.55)), Passed)


def test_near_certainty_needs_no_word_that_stands_out_and_takes_the_whole_text_for_it() -> None:
    refused = refuse(STUDIO, classifier=Scripted(secret=0.97))
    assert isinstance(refused, Refused)
    assert [STUDIO[f.start : f.end] for f in refused.findings] == [STUDIO]


def test_a_word_shaped_like_a_password_needs_little_suspicion() -> None:
    text = "Mhairi signs in to the franking site with Piper@Dawn since May"
    refused = refuse(text, classifier=Scripted(secret=0.2))
    assert isinstance(refused, Refused)
    assert refused.rule is SECRET


def test_a_colour_is_no_credential_but_figures_alone_may_be() -> None:
    for word, kept in (("#E4572E", True), ("#fa0", True), ("#482913", False)):
        text = f"The orange of the client is {word} in every layout"
        answer = refuse(text, classifier=Scripted(secret=0.97, secret_words=(word,)))
        assert isinstance(answer, Passed) is kept


@pytest.mark.parametrize(
    ("text", "pointed_at", "kept"),
    [
        ("curl -u lager:$LAGER_PW http://erp.intern/api", "lager:$LAGER_PW", True),
        ("postgres://ledger_rw@pg.int:5432/books, login in Vault", "postgres://ledger_rw@pg.int:5432/books", True),
        ("the pattern is postgres://plots:<password>@db:5432/x there", "postgres://plots:<password>@db:5432/x", True),
        ("postgres://USER:PASSWORD@HOST:5432/DBNAME is the shape", "postgres://USER:PASSWORD@HOST:5432/DBNAME", True),
        ("AKIAIOSFODNN7EXAMPLE is the dummy from the docs", "AKIAIOSFODNN7EXAMPLE", True),
        ("the sandbox wants maverick and LoneStar$Oats41", "LoneStar$Oats41", False),
        ("at the door they ask for recon:Egusi40 first", "recon:Egusi40", False),
    ],
)  # fmt: skip
def test_what_only_stands_for_a_credential_is_none(text: str, pointed_at: str, kept: bool) -> None:
    answer = refuse(text, classifier=Scripted(secret=0.97, secret_words=(pointed_at,)))
    assert (isinstance(answer, Passed) or answer.rule is not SECRET) is kept


def test_a_person_can_lift_the_rule() -> None:
    classifier = Scripted(secret=0.97, secret_words=("nine-four-one-two",))
    passed = refuse(STUDIO, classifier=classifier, allowed=frozenset({SECRET.id}))
    assert isinstance(passed, Passed)


def test_redacting_blacks_out_what_the_classifier_pointed_at() -> None:
    classifier = Scripted(secret=0.97, secret_words=("nine-four-one-two",))
    passed = refuse(STUDIO, classifier=classifier, redact_secrets=True)
    assert isinstance(passed, Passed)
    assert "nine-four-one-two" not in passed.text
    assert "studio" in passed.text


def test_chatter_is_refused_with_a_rule_that_can_be_lifted() -> None:
    refused = refuse("ok that worked, thanks a lot for it", classifier=Scripted(junk=0.999))
    assert isinstance(refused, Refused)
    assert refused.rule is NOT_LASTING
    assert isinstance(
        refuse("ok that worked, thanks a lot", classifier=Scripted(junk=1.0), allowed=frozenset({NOT_LASTING.id})),
        Passed,
    )


def test_what_holds_something_to_keep_is_never_taken_for_chatter() -> None:
    asked = Scripted(junk=1.0, keep=lambda word: word == "vegetarian")
    assert isinstance(refuse("I'm vegetarian", classifier=asked), Passed)


def test_doubt_about_worth_lets_it_in() -> None:
    assert isinstance(refuse("the office closes at six", classifier=Scripted(junk=0.3)), Passed)
