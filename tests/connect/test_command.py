"""init, connect, disconnect and doctor clients as a user types them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import nightgarden

SOURCE = str(Path(nightgarden.__file__).parents[1])


class Machine:
    """A user's home with Claude Code and Codex in it, and a daemon that nobody starts."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        (self.home / ".claude").mkdir(parents=True)
        (self.home / ".codex").mkdir()
        settings = self.home / ".config" / "nightgarden" / "config.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text("[daemon]\non_demand = false\n")

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        env = {"HOME": str(self.home), "PATH": os.defpath, "PYTHONPATH": SOURCE, "LANG": "C.UTF-8"}
        command = [sys.executable, "-m", "nightgarden", *arguments]
        return subprocess.run(
            command, env=env, cwd=self.home, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120
        )

    def settings(self) -> dict[str, bytes]:
        """The clients' files; our own data folder and caches left aside."""
        return {
            str(path.relative_to(self.home)): path.read_bytes()
            for folder in (".claude", ".codex", ".agents")
            for path in (self.home / folder).rglob("*")
            if path.is_file()
        }


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_a_user_looks_first_then_connects_asks_the_doctor_and_goes_back(machine: Machine) -> None:
    looked = machine.run("init", "--dry-run")
    assert looked.returncode == 0, looked.stderr
    assert "+++ " in looked.stdout
    assert machine.settings() == {}

    assert "left alone" in machine.run("init").stdout  # nobody is there to say yes
    assert machine.settings() == {}

    done = machine.run("init", "--yes")
    assert "a daemon that runs in the background (about 300 MB of memory" in done.stdout
    assert "Your sessions with Claude Code, earlier ones too, will be read on this machine" in done.stdout
    assert done.returncode == 0, done.stderr
    assert "/hooks and trust them" in done.stdout
    assert set(machine.settings()) == {
        ".claude/settings.json",
        ".codex/hooks.json",
        ".codex/config.toml",
        ".agents/skills/nightgarden/SKILL.md",
    }
    assert machine.run("init", "--yes").stdout.count("connected already") == 2

    told = machine.run("doctor", "clients", "--json")
    assert told.returncode == 1
    sentences = {each["client"]: each["sentence"] for each in json.loads(told.stdout)["clients"]}
    assert "nightgarden start" in sentences["claude-code"]
    assert "trust" in sentences["codex"]

    (machine.home / ".claude" / "settings.json").write_text("{}")
    told = machine.run("doctor", "clients")
    assert "run `nightgarden connect claude-code`" in told.stdout

    for client in ("claude-code", "codex"):
        assert machine.run("disconnect", client, "--yes").returncode == 0
    assert set(machine.settings()) == {".claude/settings.json"}  # which the user had changed: it stays


def test_disconnecting_what_is_not_connected_says_so(machine: Machine) -> None:
    done = machine.run("disconnect", "codex", "--yes")
    assert done.returncode == 2
    assert "not connected" in done.stderr


def old_hook(event: str) -> dict[str, object]:
    """As a version before this one wrote it."""
    command = f"/old/python -I -S /old/nightgarden/surfaces/hooks/process.py {event} codex"
    return {"hooks": [{"type": "command", "command": command, "timeout": 5}]}


def test_what_an_earlier_version_installed_is_noticed_and_written_anew(machine: Machine) -> None:
    assert machine.run("init", "--yes").returncode == 0
    now = machine.settings()
    hooks, settings = machine.home / ".codex" / "hooks.json", machine.home / ".claude" / "settings.json"
    for repair in (["doctor", "--repair"], ["doctor", "clients", "--repair"], ["init", "--yes"]):
        hooks.write_text(json.dumps({"hooks": {"Stop": [old_hook("Stop")]}}))
        line = "/old/python -I -S /old/nightgarden/surfaces/hooks/process.py StatusLine claude-code"
        old = json.loads(settings.read_text()) | {"statusLine": {"type": "command", "command": line, "padding": 0}}
        settings.write_text(json.dumps(old))
        told = machine.run("doctor")
        assert told.returncode == 0
        for file, name in ((hooks, "codex"), (settings, "claude-code")):
            assert f"{name}: {file} does not have our part as it should be" in told.stderr
        assert "doctor clients --repair" in machine.run("doctor", "clients").stdout
        machine.run(*repair)
        assert "/old/" not in hooks.read_text() + settings.read_text()
        assert json.loads(hooks.read_text()).keys() == json.loads(now[".codex/hooks.json"]).keys()
        assert "does not have our part" not in machine.run("doctor").stderr
