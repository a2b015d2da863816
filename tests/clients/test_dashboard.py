"""The dashboard's page and script, run against a living daemon as a person uses it."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.safety.permissions import Permissions
from tests.cli.command import run
from tests.clients.install import JSDOM, install_folder
from tests.clients.node import path_with_node
from tests.runtime.running import Home
from tests.safety.test_commands import proposal

_SCRIPT = Path(__file__).parent / "dashboard.js"
_MIND = '[mind]\nkind = "local"\nbase_url = "http://127.0.0.1:9/v1"\nmodel = "nobody-answers"\n'


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    home.start()
    yield home
    home.stop()


def play(home: Home, story: str) -> dict[str, Any]:
    """What was seen in the page while a person did what the story says."""
    opened = run(home.path, "open", "--print")
    assert opened.code == 0, opened.err
    done = subprocess.run(
        ["node", str(_SCRIPT), str(install_folder(JSDOM)), opened.out.strip(), story],
        env={**os.environ, "PATH": path_with_node()},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(json.loads(done.stdout))


def test_in_the_dashboard_a_person_decides_forgets_after_a_question_and_takes_back(home: Home, tmp_path: Path) -> None:
    for text in (
        "Never deploy on Fridays",
        "We deploy on Fridays",
        "The wiki is at docs.example.org",
    ):
        home.ask("remember", {"content": text}, directory=str(tmp_path))
    seen = play(home, "decide")
    live = [each["content"] for each in home.ask("list", {}, directory=str(tmp_path))["memories"]]
    assert not seen["token_in_sight"]
    assert seen["waiting"] == "1"
    assert seen["flagged"] == "We deploy on Fridays"
    assert seen["against"] == "Never deploy on Fridays"
    assert seen["kept_after_no"]
    assert seen["said"] == "Forgotten: The wiki is at docs.example.org"
    assert "created: The wiki is at docs.example.org" in seen["past"]
    assert "archived: The wiki is at docs.example.org" in seen["past"]
    assert seen["found"] == "The wiki is at docs.example.org"
    assert [question.splitlines()[0] for question in seen["questions"]] == [
        "Forget this?",
        "Forget this?",
        "Take this back?",
    ]
    assert seen["problem"] == ""
    assert sorted(live) == ["Never deploy on Fridays", "We deploy on Fridays"]


def test_in_the_dashboard_a_person_chooses_a_project_edits_pins_tags_and_erases(home: Home, tmp_path: Path) -> None:
    told = {
        "boathouse": ["The boats are painted with varnish of type B7"],
        "apiary": ["The smoker is refilled with pine needles", "The hives are opened after nine"],
    }
    for project, contents in told.items():
        (tmp_path / project).mkdir()
        for text in contents:
            home.ask("remember", {"content": text, "scope": "project"}, directory=str(tmp_path / project))
    seen = play(home, "manage")
    assert not seen["where_on_overview"]
    assert seen["projects"] == ["all", "none: holds everywhere", "apiary", "boathouse"]
    assert seen["of_project"] == told["boathouse"]
    assert seen["edited"] == ["<b>Hives</b> are opened after ten in the morning"]
    assert seen["tags"] == ["#bees", "#morning"]
    assert "apiary · pinned" in seen["about"]
    assert seen["tags_left"] == ["#bees"]
    assert seen["offered_tags"] == ["all", "bees"]
    assert seen["tagged"] == seen["edited"]
    assert not seen["journal_of_other"]
    assert not seen["journal_of_first"]
    assert "password" in seen["refused"]
    assert seen["still_open"]
    assert seen["closed"]
    assert not seen["may_at_once"]
    assert not seen["may_after_wrong"]
    assert seen["questions"] == []
    assert seen["problem"] == ""
    left = [each["content"] for each in home.ask("list", {"scope": "all"})["memories"]]
    assert sorted(left) == ["<b>Hives</b> are opened after ten in the morning", told["boathouse"][0]]
    assert home.ask("list", {"scope": "all", "archived": True})["memories"] == []


def test_the_dashboard_shows_how_the_ambient_agent_is_doing(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", _MIND + "[ambient]\nenabled = true\n")

    async def leave_a_request() -> None:
        async with Garden.open(home.path / "garden.db", directory=home.path) as garden:
            await Permissions(garden).ask(proposal())

    asyncio.run(leave_a_request())
    assert run(home.path, "ambient", "run").code == 0
    assert run(home.path, "ambient", "pause", "--reason", "holiday").code == 0
    home.start()
    try:
        home.ask("schedule", {"task": "Compare the mirrors", "wake_in_minutes": 600, "target": "ambient"})
        home.ask("schedule", {"task": "Tell the user of the fair", "wake_in_minutes": 600})
        seen = play(home, "ambient")
    finally:
        home.stop()
    assert "It is paused: holiday" in seen["state"]
    assert "Next wake: " in seen["state"]
    assert "Work on code: not yet: 1 of 5 cycles complete" in seen["state"]
    assert seen["budget"] == "Budget: you 0%, agent 0%, left 100%"
    assert seen["parts"] == ["you", "agent", "left"]
    assert seen["queue"] == ["Compare the mirrors"]
    assert len(seen["cycles"]) == 1
    assert "complete" in seen["cycles"][0]
    assert seen["pending"] == ["run git push origin x"]
    assert seen["tended"] == "nothing needed changing"
    assert seen["problem"] == ""
