"""What of secrets and personal data stays out of sessions, whoever says it, and what is left to know without them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from nightgarden import Garden, Message, Refused, Session
from nightgarden.models.classifier_files import FOLDER_VARIABLE
from nightgarden.sessions.blackout import SENTENCES_MAX, pointed_at
from tests.conftest import BY_WORDS, Ticking

CLOCK = Ticking()


@pytest.fixture
async def garden(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[Garden]:
    monkeypatch.delenv(FOLDER_VARIABLE)
    async with Garden.open(tmp_path / "garden.db", settings=BY_WORDS, clock=Ticking(), directory=tmp_path) as made:
        yield made


async def kept(garden: Garden, *said: tuple[str, str], start: int = 0, title: str = "") -> list[str]:
    """What a session keeps of messages, each with its role."""
    messages = tuple(
        Message(id=f"m{start + n}", role=role, text=text, at=CLOCK.now()) for n, (role, text) in enumerate(said)
    )
    await garden.sessions.add(Session(id="s", title=title, messages=messages))
    return [message.text for message in (await garden.sessions.get("s")).messages]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("use the password Blumenkohl99 for staging", "Blumenkohl99"),
        ("la clave del wifi es girasol2024", "girasol2024"),
        ("mot de passe du serveur : Tournesol!9", "Tournesol!9"),
        ("The staging login is deploy / Gurkensalat77", "Gurkensalat77"),
        ("Ich habe mich auf heron mit Kaktusfeige33 angemeldet", "Kaktusfeige33"),
    ],
)
@pytest.mark.parametrize("role", ["user", "assistant"])
async def test_a_credential_is_blacked_out_whoever_says_it(garden: Garden, role: str, text: str, secret: str) -> None:
    (stored,) = await kept(garden, (role, text))
    assert secret not in stored
    assert secret not in str(await garden.recall("which login or password?"))


@pytest.mark.parametrize(
    "text",
    [
        "I updated the password validator so that it needs 12 characters. The tests pass.",
        "The login page now redirects to /dashboard after 3 seconds.",
        "La contraseña se guarda con argon2id y 64 bytes de sal.",
        "Le mot de passe doit avoir 12 caractères au moins.",
        "Der Login-Test ist grün, 14 Tests bestanden.",
        "I bumped React to 18.2.0 and TypeScript to ES2022, Python3 stays.",
    ],
)
async def test_talk_about_passwords_and_versions_stays_as_it_was_said(garden: Garden, text: str) -> None:
    assert await kept(garden, ("assistant", text)) == [text]


async def test_a_value_that_was_blacked_out_is_blacked_out_in_all_of_the_session(garden: Garden) -> None:
    said = "Das Passwort ist immer Sommer2024!, merk dir das"
    stored = await kept(garden, ("user", said), ("tool", "connected with Sommer2024! ok"), title=said)
    stored += await kept(garden, ("assistant", "Gemerkt, Sommer2024! also."), start=2)  # a later batch
    assert not any("Sommer2024" in text for text in stored)
    assert "Sommer2024" not in (await garden.sessions.get("s")).title


def test_of_a_long_reply_only_a_few_sentences_are_read() -> None:
    reply = "The login form has 3 fields.\n" * 500 + "\nlog in as admin with Blumenkohl99\n" + "We are done.\n" * 500
    pieces = [reply[start:end] for start, end in pointed_at(reply)]
    assert len(pieces) == SENTENCES_MAX
    assert not pointed_at("The deploy went through. All 214 tests pass.\n```\npassword = ask()\n```\n" * 50)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("my mail is petra.lang@firma-nord.de", "petra.lang"),
        ("Jonas' IBAN is DE89370400440532013000", "DE8937"),
        ("Mon numéro de sécu est 1 84 12 76 451 089 46", "451 089"),
        ("Die Firmenkarte hat die Nummer 4539-5787-6362-1486", "4539"),
    ],
)
async def test_personal_data_is_blacked_out_in_sessions(garden: Garden, text: str, number: str) -> None:
    for stored in await kept(garden, ("user", text), ("assistant", text), ("tool", text), title=text):
        assert number not in stored
    session = await garden.sessions.get("s")
    assert number not in session.title
    assert not (await garden.sessions.extract("s")).count("saved")


@pytest.mark.parametrize(
    "text",
    [
        "Das Passwort ist immer Sommer2024!, merk dir das",
        "The password is always hunter22, remember that",
        "Le mot de passe est toujours Tournesol!9, retiens-le",
        "La contraseña es siempre Girasol2024, recuérdalo",
        "Always log in with Blumenkohl99",
    ],
)
async def test_what_only_holds_a_secret_becomes_no_memory(garden: Garden, text: str) -> None:
    await kept(garden, ("user", text), ("user", "Remember: staging takes us as deploy with the password Turnip88"))
    await garden.sessions.extract("s")
    contents = [memory.content for memory in await garden.list(limit=None)]
    assert len(contents) == 1
    assert "as deploy" in contents[0]


@pytest.mark.parametrize(
    "name", ["the private key", "das Passwort", "la clave privada", "-----BEGIN RSA PRIVATE KEY-----"]
)
async def test_the_bare_name_of_a_credential_is_no_memory(garden: Garden, name: str) -> None:
    assert isinstance(await garden.remember(name), Refused)


@pytest.mark.parametrize(
    "text", ["Call Jonas at +49 171 5551234", "Ruf Jonas unter +49 171 5551234 an, wenn es brennt"]
)
async def test_a_telephone_number_meets_the_same_rule_in_each_language(garden: Garden, text: str) -> None:
    refused = await garden.remember(text)
    assert isinstance(refused, Refused)
    assert refused.rule.id == "personal-data"


async def test_a_published_test_card_is_no_secret_in_any_language(garden: Garden) -> None:
    for text in ("My credit card is 4111 1111 1111 1111", "La tarjeta de pruebas es 4242 4242 4242 4242"):
        assert not isinstance(await garden.remember(text), Refused)
    for text in ("My credit card is 4539 5787 6362 1486", "Meine Kreditkarte ist 4539 5787 6362 1486"):
        assert isinstance(await garden.remember(text), Refused)


async def test_a_refusal_names_all_rules_that_have_to_be_lifted(garden: Garden) -> None:
    refused = await garden.remember("Running the tests again")
    assert isinstance(refused, Refused)
    rules = [rule.id for rule in refused.to_lift]
    assert len(rules) > 1
    assert not isinstance(await garden.remember("Running the tests again", allow=rules), Refused)


async def test_marks_of_what_was_cut_out_do_not_nest(garden: Garden) -> None:
    (stored,) = await kept(garden, ("user", "postgres://app:S3cr3tPw@db.internal:5432/orders is the database"))
    assert stored == "postgres://app:[redacted: password in an address]@db.internal:5432/orders is the database"
