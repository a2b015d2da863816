"""Where a statement holds, by its own words, and that what others prefer is not taken for what the user prefers."""

from __future__ import annotations

from pathlib import Path

import pytest

from nightgarden import Saved
from nightgarden.domain.memory import GLOBAL
from nightgarden.models.classifier_files import FOLDER_VARIABLE
from tests.conftest import Open

EVERYWHERE = [
    "In all my repos the main branch is protected",
    "For every project of mine: no semicolons in JavaScript",
    "In allen meinen Projekten sind Zeilen höchstens 100 Zeichen lang",
    "Dans tous mes dépôts, la branche main est protégée",
    "En todos mis proyectos usamos tabuladores",
    "Never apologise, just fix it",
    "Don't use my first name",
    "Call me Sam",
    "Tutoie-moi",
    "Sieze mich bitte",
    "No te disculpes",
]
PROJECT = [
    "Don't write comments in German",
    "Kommentare im Code sind auf Deutsch",
    "User and their colleagues hate Jira so we use Linear",
    "Our customers prefer short answers from support",
    "Meine Kollegen mögen keine Emojis",
    "Nos clients préfèrent des réponses courtes",
    "Never apologise to customers in error messages",
    "Always call super in tearDown",
    "In all repos of the team main is protected",
]


@pytest.mark.parametrize("text", EVERYWHERE)
async def test_what_is_said_of_all_projects_or_of_how_to_answer_holds_everywhere(open_garden: Open, text: str) -> None:
    async with open_garden() as garden:
        verdict = await garden.remember(text)
        assert isinstance(verdict, Saved)
        assert verdict.memory.scope == GLOBAL


@pytest.mark.parametrize("text", PROJECT)
async def test_what_is_said_of_others_or_of_code_is_the_projects(
    open_garden: Open, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    async with open_garden() as garden:
        verdict = await garden.remember(text, allow=("not-lasting",))
        assert isinstance(verdict, Saved)
        assert verdict.memory.scope != GLOBAL


@pytest.mark.parametrize("text", ["Tutoie-moi", "Duz mich", "Tutéame"])
async def test_a_short_order_on_how_to_speak_is_no_chatter(
    open_garden: Open, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    async with open_garden() as garden:
        assert isinstance(await garden.remember(text), Saved)


@pytest.mark.parametrize(
    ("own", "others"),
    [
        ("I prefer short answers", "Our customers prefer short answers from support"),
        ("Ich mag kurze Antworten", "Unsere Kunden mögen kurze Antworten"),
        ("Prefers dark mode", "Most users prefer dark mode"),
        ("Je préfère les réponses courtes", "Nos clients préfèrent les réponses courtes"),
    ],
)
async def test_what_others_prefer_is_never_one_with_what_the_user_prefers(
    open_garden: Open, home: Path, monkeypatch: pytest.MonkeyPatch, own: str, others: str
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    allow = ("not-lasting",)
    for number, (first, second) in enumerate(((own, others), (others, own))):
        async with open_garden(home / f"{number}.db") as garden:
            await garden.remember(first, allow=allow)
            assert isinstance(await garden.remember(second, allow=allow), Saved)
