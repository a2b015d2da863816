"""Directories that are hard to name, or are gone: the same project by every way, and words instead of a traceback."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from nightgarden import errors
from nightgarden.surfaces import client
from nightgarden.surfaces.connect.start_command import hook_words
from tests.cli.command import environment, run
from tests.runtime.running import Home, wait_for

DIRECT = {"NIGHTGARDEN_DIRECT": "1"}


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    folder = tmp_path / os.fsdecode(b"caf\xe9")
    folder.mkdir()
    return folder


def test_a_path_that_is_not_utf8_is_the_same_project_with_and_without_the_daemon(home: Home, odd: Path) -> None:
    home.start()
    assert run(home.path, "remember", "The coffee machine is on floor 3", cwd=odd, env=DIRECT).code == 0
    assert run(home.path, "remember", "The tea kettle is on floor 4", cwd=odd).code == 0
    for env in (DIRECT, {}):
        found = run(home.path, "list", "--json", cwd=odd, env=env).json["memories"]
        assert {each["content"][-7:] for each in found} == {"floor 3", "floor 4"}
    requests = home.ask("status")["requests"]
    assert (requests["remember"], requests["list"]) == (1, 1), requests


def test_a_hook_in_a_path_that_is_not_utf8_tells_the_same_project(home: Home, odd: Path) -> None:
    home.start()
    run(home.path, "remember", "The coffee machine is on floor 3", cwd=odd, env=DIRECT)
    event = {"session_id": "s", "cwd": str(odd).encode("utf-8", "replace").decode(), "source": "startup"}
    event["cwd"] = event["cwd"].replace("?", "\ufffd")
    words = [*hook_words(home.path), "SessionStart", "claude-code"]
    env = environment(home.path, NIGHTGARDEN_HOOK_PATIENCE="4")
    done = subprocess.run(words, cwd=odd, env=env, input=json.dumps(event).encode(), capture_output=True, check=True)
    assert b"floor 3" in done.stdout


def test_an_event_that_waits_keeps_its_path(home: Home, odd: Path) -> None:
    path = client.spool("hook", {"event": "Stop"}, directory=str(odd), home=str(home.path))
    assert os.fsencode(json.loads(Path(path).read_bytes())["directory"]) == os.fsencode(odd)


@pytest.mark.parametrize("daemon", [True, False])
def test_in_a_directory_that_was_removed_commands_say_so_and_what_needs_none_works(
    daemon: bool, home: Home, tmp_path: Path
) -> None:
    if daemon:
        home.start()

    def run_there(*words: str) -> subprocess.CompletedProcess[str]:
        gone = tmp_path / "gone"
        gone.mkdir()
        program = shlex.join([sys.executable, "-P", "-m", "nightgarden", *words])
        command = f"rmdir {shlex.quote(str(gone))} && exec {program}"
        env = environment(home.path)
        return subprocess.run(
            ["/bin/sh", "-c", command], cwd=gone, env=env, capture_output=True, text=True, check=False
        )

    for words in (["list"], ["recall", "x"], ["remember", "The build takes nine minutes"], ["doctor"]):
        done = run_there(*words)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
        assert "the working directory was removed" in done.stderr
    assert run_there("status").returncode == (0 if daemon else 3)
    assert run_there("list", "--directory", str(tmp_path)).returncode == 0
    assert run_there("start").returncode == 0
    wait_for(home.ping, "an answer")


@pytest.mark.parametrize("directory", ["~nosuchuser", "a\0b", "\ud800"])
def test_a_request_from_what_cannot_be_a_directory_is_refused_in_words(directory: str, home: Home) -> None:
    home.start()
    with pytest.raises(errors.BadInput, match="cannot be a directory"):
        home.ask("list", {}, directory=directory)
    assert home.ask("status")["faults"] == 0


def test_a_projects_file_that_is_nested_without_end_stops_nothing(home: Home, tmp_path: Path) -> None:
    (tmp_path / "p" / ".nightgarden").mkdir(parents=True)
    (tmp_path / "p" / ".nightgarden" / "config.toml").write_text("x = " + "[" * 5000 + "]" * 5000)
    assert run(home.path, "list", cwd=tmp_path / "p").code == 0
    assert "not valid TOML" in run(home.path, "doctor", cwd=tmp_path / "p").err
    home.start()
    assert home.ask("list", {}, directory=str(tmp_path / "p"))["memories"] == []
