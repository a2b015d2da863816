"""The kind that a bare text gets."""

from __future__ import annotations

import pytest

from nightgarden.domain.memory import Category
from nightgarden.remember.category import category_of
from tests.remember.scripted import Scripted

PLAIN_FORMS = [
    ("Never commit .env files", Category.NEGATIVE),
    ("Please don't use moment, it's deprecated", Category.NEGATIVE),
    ("Nobody may push to main", Category.NEGATIVE),
    ("Nie direkt auf main pushen", Category.NEGATIVE),
    ("Ne jamais pousser sur main", Category.NEGATIVE),
    ("Nunca hagas push directo a main", Category.NEGATIVE),
    ("To deploy, first run make build, then push the tag", Category.PROCEDURE),
    ("Deploy steps: 1. build 2. test 3. push", Category.PROCEDURE),
]


@pytest.mark.parametrize(("text", "category"), PLAIN_FORMS)
def test_a_plain_form_tells_the_kind_whatever_the_networks_say(text: str, category: Category) -> None:
    assert category_of(text, None) is category
    assert category_of(text, Scripted(category=Category.ENTITY)) is category


def test_what_is_told_to_be_kept_stops_nothing_on_the_networks_word_alone() -> None:
    assert category_of("You need no approval to push to main", Scripted(category=Category.NEGATIVE)) is Category.FACT


def test_a_procedure_on_the_networks_word_tells_how() -> None:
    sees_procedures = Scripted(category=Category.PROCEDURE)
    assert category_of("Migrations need the database container first", sees_procedures) is not Category.PROCEDURE
    assert category_of("To get a port changed, open a ticket", sees_procedures) is Category.PROCEDURE


@pytest.mark.parametrize("text", ["I prefer tabs", "Never mind, found it", "Wir haben uns für Svelte entschieden"])
def test_anything_else_is_what_the_networks_say_and_a_fact_without_them(text: str) -> None:
    assert category_of(text, Scripted(category=Category.DECISION)) is Category.DECISION
    assert category_of(text, None) is Category.FACT
