"""What a turn is shown with the shipped networks and the local model: what helps with the work, said in other words."""

from __future__ import annotations

from pathlib import Path

import pytest

from nightgarden import Garden
from nightgarden.domain.memory import GLOBAL
from nightgarden.models.classifier_files import FOLDER_VARIABLE
from nightgarden.sessions.turn import TurnUpdate
from nightgarden.settings import Settings
from tests.conftest import Ticking

RULE = "Nothing goes to production after four in the afternoon"
OTHERS = (
    "Figures in reports have two decimals",
    "Oona reviews everything that touches billing",
    "The staging database is restored every Sunday night",
    "Commit messages start with the ticket number",
    "The importer drops umlauts from supplier names",
    "Screenshots for the manual are taken at 1280 by 800",
)


async def test_the_turn_brings_up_the_rule_it_would_break_and_chatter_brings_up_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(FOLDER_VARIABLE)
    async with Garden.open(tmp_path / "garden.db", settings=Settings(), clock=Ticking(), directory=tmp_path) as garden:
        for text in (RULE, *OTHERS):
            await garden.remember(text, scope=GLOBAL)
        await garden.settle()
        texts = []
        for number, said in enumerate(("deploy the new version this evening", "haha nice one, thanks a lot")):
            update = TurnUpdate(session_id=f"s{number}", text=said, scopes=(GLOBAL,))
            shown = await garden.turns.take(update, deadline_ms=20_000)
            texts.append("" if shown is None else shown.text)
    assert RULE in texts[0]
    assert texts[1] == ""
