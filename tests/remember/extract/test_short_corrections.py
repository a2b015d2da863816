"""A message that does nothing but put something right changes what was said before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nightgarden.domain.session import Message
from nightgarden.remember.extract.correction import corrected
from nightgarden.remember.extract.extraction import extract
from nightgarden.remember.extract.short_corrections import read_short_correction

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def kept(*said: str) -> list[str]:
    """The user and the assistant in turn."""
    messages = [
        Message(id=str(n), role="assistant" if n % 2 else "user", text=text, at=NOW + timedelta(minutes=n))
        for n, text in enumerate(said)
    ]
    return [draft.content for draft in extract(messages)]


@pytest.mark.parametrize(
    ("statement", "said", "right"),
    [
        ("Remember: the retry count is 5.", "hm, make it 3", "The retry count is 3"),
        ("Remember: the retry count is five.", "no wait, four", "The retry count is four"),
        ("Remember that we deploy on Mondays.", "Tuesdays, sorry", "We deploy on Tuesdays"),
        ("Remember: codes have six-digit numbers.", "sorry, eight-digit", "Codes have eight-digit numbers"),
        ("Remember: we use 2 spaces in YAML.", "oops, 4 spaces", "We use 4 spaces in YAML"),
        ("Merk dir: wir haben 5 Runner in der CI.", "mach 3 draus", "Wir haben 3 Runner in der CI"),
        ("Merk dir: Passwörter sind sechsstellig.", "Quatsch, achtstellig", "Passwörter sind achtstellig"),
        ("Merk dir: wir deployen mittwochs.", "nee stimmt nicht, donnerstags", "Wir deployen donnerstags"),
        ("Merk dir: unser QA-Server ist qa3.intern.", "Ach nein, sorry, qa4.intern", "Unser QA-Server ist qa4.intern"),
        (
            "Remember: mail goes through mx1.acme.dev.",
            "Oh no, sorry, relay.acme.dev",
            "Mail goes through relay.acme.dev",
        ),
        ("Remember: il limite di retry è 5.", "no aspetta, 3", "Il limite di retry è 3"),
        ("Remember: o limite é 5.", "não, espera, 3", "O limite é 3"),
        ("Remember: the limit per sprint is 42.", "forget the 42, I misread it, it's 39", "The limit per sprint is 39"),
        ("Remember: Acme delivers CSV only.", "Forget the CSV thing, they deliver XML.", "Acme delivers XML only"),
        ("Remember: we indent with tabs.", "forget the tabs thing, it's four spaces", "We indent with four spaces"),
    ],
)
def test_the_right_value_takes_the_place_of_the_wrong_one(statement: str, said: str, right: str) -> None:
    assert kept(statement, "Noted.", said) == [right]


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("Remember: our invoices are always in pounds.", "forget the whole pounds thing"),
        ("Merk dir: Kommentare schreiben wir auf Deutsch.", "vergiss das mit den Kommentaren"),
    ],
)
def test_what_is_forgotten_by_name_is_gone(statement: str, said: str) -> None:
    assert kept(statement, "Noted.", said) == []


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("Noted.", "make it faster"),
        ("Noted.", "sorry, gotta run"),
        ("Noted.", "wait, 3 tests fail"),
        ("Noted.", "ignore the 3 failing tests"),
        ("I'll write the tests in 2 files.", "make it 3"),  # a figure that the assistant brought up
        ("How many workers do you want?", "make it 3"),
    ],
)
def test_what_corrects_something_else_leaves_the_statement_alone(answer: str, said: str) -> None:
    assert kept("Remember: the retry limit is 5.", answer, said)[0] == "The retry limit is 5"


def test_what_the_assistant_is_about_to_set_is_put_right() -> None:
    assert kept("It does not answer", "I'll set the port to 8080.", "no wait, 8081") == [
        "Set the port to 8081 (not 8080)"
    ]
    assert kept("It gives up early", "I'll set the retry count to 3.", "make it 4") == [
        "Set the retry count to 4 (not 3)"
    ]


def test_more_of_something_is_an_errand() -> None:
    assert kept("Write some docs", "I added 3 examples to the README.", "make it 4") == []


@given(st.text(max_size=120))
def test_any_message_gets_an_answer(text: str) -> None:
    found = read_short_correction(text)
    assert found is None or found.value


def test_a_word_that_another_only_ends_with_counts_nothing() -> None:
    assert corrected("The storey plan is fixed", "three-storey") is None
