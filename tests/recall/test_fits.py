"""From Python as on the command line: an answer says whether anything in it fits what was asked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import run
from tests.conftest import Open

KNOWN = ("Das Standup ist um 10 Uhr", "The staging server is now called otter, heron is gone")


@pytest.mark.parametrize(
    ("question", "fits"),
    [
        ("wann ist das Standup?", True),
        ("which server is staging?", True),
        ("purple elephants dance quickly", False),
        ("quelle heure est-il à Tokyo ?", False),
    ],
)
async def test_one_gate_serves_python_and_the_command_line(
    home: Path, project: Path, open_garden: Open, question: str, fits: bool
) -> None:
    async with open_garden() as garden:
        for text in KNOWN:
            await garden.remember(text)
        found = await garden.recall(question)
        assert found.fits is fits
        only = await garden.recall(question, gated=True)
        assert [each.id for each in only.results] == [each.id for each in found.results if each.fits]
        assert bool(only.results) is fits
    told = run(home, "recall", question, "--json", cwd=project, env={"NIGHTGARDEN_EMBEDDING_MODEL": "off"})
    shown = {each["id"]: each["fits"] for each in json.loads(told.out)["results"]}
    assert shown == {each.id: each.fits for each in found.results}
