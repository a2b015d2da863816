"""A garden in another language than English: `doctor` and `init` name the model that reads it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from nightgarden.surfaces.cli.commands.models import tell_of_missing_model
from tests.cli.command import run
from tests.conftest import Open

GERMAN = [
    "Die Rechnungen gehen am ersten Werktag raus",
    "Anna prüft alles unter payments",
    "Wir benutzen PostgreSQL 16 statt MySQL",
    "Montags wird nicht ausgeliefert",
    "Der Staging-Server läuft auf Port 5433",
    "Die Tests laufen nur nachts auf dem alten Rechner",
    "Jonas hat die Schlüssel für den Keller",
    "Neue Bilder kommen in den Ordner assets",
    "Das Büro in Köln ist freitags geschlossen",
    "Kunden werden immer mit Sie angesprochen",
]
ENGLISH = [f"The gardener called g{n:03} waters bed number {n} in the morning" for n in range(10)]


@pytest.mark.parametrize(
    ("texts", "model", "told"),
    [(GERMAN, "minilm", True), (ENGLISH, "minilm", False), (GERMAN[:9], "minilm", False), (GERMAN, "off", False)],
    ids=["German", "English", "hardly any", "no model wanted"],
)
async def test_doctor_and_init_name_the_multilingual_model_where_it_would_help(
    home: Path, project: Path, open_garden: Open, texts: list[str], model: str, told: bool
) -> None:
    async with open_garden() as garden:
        for text in texts:
            await garden.remember(text, allow=("not-lasting",))
    environment = {"NIGHTGARDEN_EMBEDDING_MODEL": model}
    for words in (["doctor"], ["init", "--yes"]):
        done = run(home, *words, cwd=project, env=environment)
        assert done.code == 0, done.err
        assert ("models fetch --multilingual" in done.out) is told, (words, done.out)


@pytest.mark.parametrize(
    ("model", "told"), [("multilingual", "models fetch --multilingual`"), ("minilm", "models fetch`"), ("off", "")]
)
def test_a_model_that_is_wanted_and_not_here_is_named_with_what_brings_it(
    home: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    model: str,
    told: str,
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "environment"))
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", model)
    tell_of_missing_model()
    said = capsys.readouterr().out
    assert told in said
    assert ("search goes by words only" in said) is bool(told)
