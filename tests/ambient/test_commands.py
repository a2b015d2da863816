"""The command `ambient` as a shell sees it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nightgarden.ambient.work.worktree import worktrees_folder
from nightgarden.surfaces.cli.main import main


@pytest.fixture
def said(home: Path, project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    monkeypatch.setenv("NIGHTGARDEN_EMBEDDING_MODEL", "off")
    monkeypatch.chdir(project)

    def say(*words: str, code: int = 0) -> str:
        capsys.readouterr()
        assert main(list(words)) == code
        return capsys.readouterr().out

    return say


def test_a_cycle_is_run_shown_trusted_and_taken_back(said: Any) -> None:
    assert "disabled" in said("ambient", "status")
    said("remember", "The staging database listens on port 5433")
    told = said("ambient", "run", "--follow")
    assert "complete" in told
    assert "done tend:" in told
    shape = json.loads(said("ambient", "show", "--json"))
    assert shape["status"] == "complete"
    assert shape["next_wake_at"]
    assert json.loads(said("ambient", "log", "--json"))["cycles"][0]["id"] == shape["id"]
    assert "1 of 5 cycles complete, 1 of 1 approved" in said("ambient", "trust", shape["id"][-8:])
    assert "trusted by you; it also needs safety.proactive = true in your settings" in said("ambient", "trust")
    assert "does not run now: disabled" in said("ambient", "explain")
    assert "no cycle is running" in said("ambient", "stop")
    assert "paused: holiday" in said("ambient", "pause", "--reason", "holiday")
    said("ambient", "resume")
    assert "● running" not in said("ambient", "status")
    said("ambient", "show", "nothing", code=2)


def test_a_task_for_the_agent_is_queued_done_and_listed(said: Any) -> None:
    said("schedule", "add", "tend gaps", "--in", "0.01", "--target", "ambient")
    assert "tend gaps" in said("ambient", "queue")
    said("schedule", "add", "go on", "--in", "5", "--target", "resume", code=2)


def test_switched_off_memory_stops_even_a_command(said: Any) -> None:
    said("off")
    said("ambient", "run", code=1)
    said("on")


def test_the_doctor_finds_worktrees_that_were_left_behind(said: Any, home: Path) -> None:
    folder = worktrees_folder({"NIGHTGARDEN_HOME": str(home)}) / "left"
    folder.mkdir(parents=True)
    assert "1 left behind" in said("doctor", code=1)
    said("doctor", "--repair")
    assert not folder.exists()
