"""What the gate does with what the classifier says of a text."""

from __future__ import annotations

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


def test_a_credential_whose_place_is_unclear_is_refused_whole() -> None:
    refused = refuse(STUDIO, classifier=Scripted(secret=0.97))
    assert isinstance(refused, Refused)
    assert [(f.start, f.end) for f in refused.findings] == [(0, len(STUDIO))]


def test_a_person_can_lift_the_rule() -> None:
    passed = refuse(STUDIO, classifier=Scripted(secret=0.97), allowed=frozenset({SECRET.id}))
    assert isinstance(passed, Passed)


def test_redacting_blacks_out_what_the_classifier_pointed_at() -> None:
    classifier = Scripted(secret=0.97, secret_words=("nine-four-one-two",))
    passed = refuse(STUDIO, classifier=classifier, redact_secrets=True)
    assert isinstance(passed, Passed)
    assert "nine-four-one-two" not in passed.text
    assert "studio" in passed.text


def test_chatter_is_refused_with_a_rule_that_can_be_lifted() -> None:
    refused = refuse("ok that worked, thanks", classifier=Scripted(junk=0.99))
    assert isinstance(refused, Refused)
    assert refused.rule is NOT_LASTING
    assert isinstance(
        refuse("ok that worked, thanks", classifier=Scripted(junk=0.99), allowed=frozenset({NOT_LASTING.id})), Passed
    )


def test_doubt_about_worth_lets_it_in() -> None:
    assert isinstance(refuse("the office closes at six", classifier=Scripted(junk=0.6)), Passed)
