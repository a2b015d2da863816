"""The dashboard's page and script, run against a living daemon as a person uses it."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

from tests.cli.command import run
from tests.clients.install import JSDOM, install_folder
from tests.clients.node import path_with_node
from tests.runtime.running import Home

_SCRIPT = Path(__file__).parent / "dashboard.js"


def test_in_the_dashboard_a_person_decides_forgets_after_a_question_and_takes_back(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.start()
    try:
        for text in (
            "Never deploy on Fridays",
            "Deploying on Fridays is fine for hotfixes",
            "The wiki is at docs.example.org",
        ):
            home.ask("remember", {"content": text}, directory=str(tmp_path))
        opened = run(home.path, "open", "--print")
        assert opened.code == 0, opened.err
        done = subprocess.run(
            ["node", str(_SCRIPT), str(install_folder(JSDOM)), opened.out.strip()],
            env={**os.environ, "PATH": path_with_node()},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        seen = json.loads(done.stdout)
        live = [each["content"] for each in home.ask("list", {}, directory=str(tmp_path))["memories"]]
    finally:
        home.stop()
    assert not seen["token_in_sight"]
    assert seen["waiting"] == "1"
    assert seen["flagged"] == "Deploying on Fridays is fine for hotfixes"
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
    assert sorted(live) == ["Deploying on Fridays is fine for hotfixes", "Never deploy on Fridays"]
