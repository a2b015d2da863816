"""Pronouns at the start of a sentence: which become a name, and which stay."""

from __future__ import annotations

import pytest

from nightgarden.remember.extract.antecedents import named


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("write a reply to Marco. he is our landlord, always formal", "Marco is our landlord, always formal"),
        ("plan a menu for Ana's birthday. she's allergic to nuts", "Ana is allergic to nuts"),
        ("Mail Ana. she is off on Fridays. she hates calls.", "Ana hates calls."),
        ("Remind Mr. Abernathy of his books. He reads no e-mail.", "Mr. Abernathy reads no e-mail."),
        ("Schreib eine Antwort an Marco. Er ist unser Vermieter", "Marco ist unser Vermieter"),
        ("Rufe Petra an. sie hat freitags frei", "Petra hat freitags frei"),
        ("écris une réponse à Paul. il est notre propriétaire", "Paul est notre propriétaire"),
        ("escribe a Lucía. ella es alérgica a los frutos secos", "Lucía es alérgica a los frutos secos"),
        ("scrivi a Marco. lui è il padrone di casa", "Marco è il padrone di casa"),
        ("schrijf aan Marco. hij is onze huisbaas", "Marco is onze huisbaas"),
        ("help me tune the search endpoint. it must stay below 200 ms", "The search endpoint must stay below 200 ms"),
    ],
)
def test_a_pronoun_that_can_only_mean_one_becomes_its_name(text: str, last: str) -> None:
    assert named(text).endswith(f". {last}")


@pytest.mark.parametrize(
    "text",
    [
        "The importer is slow. It must run as root.",
        "Ask Dana and Marco. he decides",
        "Talk to Dana first. I told Marco already. he is fine",
        "Book a table for Friday. she is allergic to nuts",
        "answer in German. he is our landlord",
        "make a button for the form. it must be green",
        "Fix the bug in the importer. it must run as root",
        "Write to Marco about the flat. it must be short.",
        "Write to Marco. it's raining anyway",
        "Schreib den Bericht für die Abteilung. Er muss kurz sein.",
        "Sende die Rechnung an Marco. Sie muss heute raus.",
        "Schreib den Brief an Marco. Er ist unser wichtigster.",
        "écris le mail à Paul. il est urgent",
        "schrijf de brief aan Marco. hij is dringend",
        "écris la réponse à Paul. il faut rester poli",
        "he is late",
        "",
    ],
)
def test_a_pronoun_that_may_mean_something_else_stays(text: str) -> None:
    assert named(text) == text
