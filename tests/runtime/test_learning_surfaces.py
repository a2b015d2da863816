"""Missions, core memory, tiers, captures and notebook where users and agents touch them: command line, REST, MCP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from nightgarden.surfaces import client
from tests.cli.command import Ran, run
from tests.runtime.running import Home, wait_for
from tests.runtime.test_http import Site

RULE = "Database migrations must never lock the orders table for more than a second, it breaks the checkout."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    return folder


def test_the_command_line_takes_a_mission_from_start_to_undo(tmp_path: Path, project: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()

    def ng(*words: str, stdin: bytes = b"") -> Ran:
        return run(home, *words, cwd=project, stdin=stdin)

    assert "mission:release-2-1" in ng("mission", "start", "Release 2.1").out
    assert ng("mission", "note", "The signing key is on the blue stick").code == 0
    ended = ng("mission", "end", "--outcome", "success", "--json").json
    assert len(ended["report"]["stored"]) == 1
    assert "blue stick" in ng("list").out
    assert ng("mission", "end", "release-2-1", "--outcome", "failure").code == 2
    assert ng("undo", ended["report"]["cycle"]).code == 0
    assert "blue stick" not in ng("list").out
    payload = json.dumps([{"id": 1, "user": {"login": "ana"}, "body": RULE}]).encode()
    assert len(ng("capture", "pr", "--json", stdin=payload).json["stored"]) == 1
    assert ng("capture", "pr", stdin=b'[{"id": 1, "bo').code == 2
    (candidate,) = ng("candidates", "--json").json["candidates"]
    assert ng("promote", candidate["id"][-8:]).code == 0
    assert ng("notebook", "sync").code == 0
    assert ng("core", "edit", "--focus", "the release").code == 0
    assert "the release" in ng("briefing").out
    assert "for what is being done here: the release" in ng("recall").out


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Home]:
    home = Home(tmp_path_factory.mktemp("learning") / "home")
    home.start()
    yield home
    home.kill_all()


def test_rest_takes_a_webhook_and_leaves_pinning_to_the_user(home: Home) -> None:
    site = Site(home)
    event = {"action": "created", "pull_request": {"number": 1}, "comment": {"id": 7, "body": RULE}}
    status, report, _ = site.ask("POST", "/api/v1/capture_pr", {"event": event})
    assert (status, len(report["stored"])) == (200, 1)
    assert site.ask("POST", "/api/v1/capture_pr", {"event": event})[1]["known"] == 1
    status, told, _ = site.ask("POST", "/api/v1/capture_pr", {"payload": "<html>"})
    assert status == 400
    assert "HTML" in json.dumps(told)
    memory = report["stored"][0]
    assert site.ask("POST", "/api/v1/pin", {"id": memory})[0] == 403
    assert site.ask("POST", "/api/v1/promote", {"id": memory})[0] == 403  # outside text
    status, core, _ = site.ask("POST", "/api/v1/core_update", {"focus": "the checkout"})
    assert (status, core["version"], core["by"]) == (200, 1, "agent")
    assert site.ask("GET", "/api/v1/core")[1]["core"]["focus"] == "the checkout"


def test_the_daemon_writes_the_notebook_after_the_garden_changed(home: Home, tmp_path: Path) -> None:
    project = tmp_path / "shop"
    project.mkdir()

    def ask(op: str, **arguments: object) -> object:
        return client.ask(op, arguments, directory=str(project), timeout_ms=20_000, home=str(home.path))

    ask("notebook_sync")
    ask("remember", content="Orders are numbered by year", category="convention", importance="high", confidence=0.9)
    page = project / ".nightgarden" / "memory" / "conventions.md"
    wait_for(lambda: "numbered by year" in page.read_text(), "the page with the new line", seconds=90)
