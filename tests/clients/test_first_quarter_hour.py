"""The first quarter of an hour, as a newcomer has it: install the wheel, connect a real client, tell it something, ask
in another session, look, take it back, disconnect; and nothing is left behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.clients.connected import wait_until
from tests.clients.drive import ClaudeCodeClient, Desk
from tests.clients.install import CLAUDE_CODE, install
from tests.clients.model_server import ModelServer
from tests.clients.node import path_with_node

_REPO = Path(__file__).resolve().parents[2]
FACT = "By the way, our staging database runs on port 5433."
QUESTION = "Which port does the staging database use?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Machine:
    """A machine with Claude Code and an installed nightgarden, both new."""

    desk: Desk
    program: Path

    def say(self, *words: str) -> str:
        """What a command prints."""
        ran = self.desk.run(self.program, list(words), {})
        assert ran.returncode == 0, ran.stderr + ran.stdout
        return ran.stdout

    def memories(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = json.loads(self.say("list", "--json"))["memories"]
        return found

    def naming_us(self) -> set[str]:
        """Files below the home that speak of us, but for our own folders and what the client writes for itself: its
        transcripts, its logs and its counters of use."""
        home = self.desk.home
        apart = [home / ".local/share/nightgarden", home / ".config/nightgarden"]
        apart += [home / ".claude/projects", home / ".cache", home / ".claude.json"]
        return {
            str(path.relative_to(home))
            for path in home.rglob("*")
            if path.is_file()
            and not any(path.is_relative_to(each) for each in apart)
            and ("nightgarden" in path.name or b"nightgarden" in path.read_bytes())
        }


def install_wheel(folder: Path) -> Path:
    """Builds the wheel and installs it into a new environment; the program. What it depends on is taken from the
    environment of the tests, which saves a download of 200 MB."""
    wheels, venv = folder / "wheels", folder / "venv"
    for command in (
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(wheels)],
        [sys.executable, "-m", "venv", "--without-pip", str(venv)],
    ):
        subprocess.run(command, cwd=_REPO, check=True, capture_output=True, timeout=300)
    (wheel,) = wheels.glob("nightgarden-*.whl")
    python = venv / "bin" / "python"
    command = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(python),
        "install",
        "-q",
        "--no-deps",
        "--no-index",
        str(wheel),
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    (packages,) = (venv / "lib").glob("python*/site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return venv / "bin" / "nightgarden"


@contextmanager
def new_machine(model: ModelServer) -> Iterator[tuple[Machine, ClaudeCodeClient]]:
    with tempfile.TemporaryDirectory(prefix="ng", ignore_cleanup_errors=True) as folder:
        home = Path(folder).resolve() / "home"
        project = home / "project"
        project.mkdir(parents=True)
        program = install_wheel(Path(folder))
        path = os.pathsep.join([str(program.parent), str(install(CLAUDE_CODE).parent), path_with_node()])
        env = {"PATH": path, "XDG_RUNTIME_DIR": folder, "NIGHTGARDEN_HOOK_PATIENCE": "4"}
        desk = Desk(home=home, project=project, more_env=env)
        settings = home / ".config" / "nightgarden" / "config.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text("[daemon]\nwatch_seconds = 5\n[turn]\ndeadline_ms = 5000\n")  # the machine is shared
        machine = Machine(desk=desk, program=program)
        try:
            yield machine, ClaudeCodeClient(desk=desk, server_url=model.url)
        finally:
            desk.run(program, ["stop"], {})


@pytest.mark.xdist_group("claude-code")
def test_install_connect_tell_ask_look_take_back_and_leave_nothing_behind(model: ModelServer) -> None:
    with new_machine(model) as (machine, claude):
        assert claude.ask("hello").returncode == 0  # Claude Code was here first, and keeps its settings
        before = machine.naming_us()
        assert "Start here" in machine.say()

        assert "would be created" in machine.say("init", "--dry-run")
        assert machine.naming_us() == before
        said = machine.say("init", "--yes")
        assert "Found Claude Code" in said
        assert "The daemon was started" in said
        assert "running already" in machine.say("start")  # it answers once `init` has said so
        assert "will be read on this machine" in said

        assert claude.ask(FACT).returncode == 0
        wait_until(lambda: any("5433" in each["content"] for each in machine.memories()), "the fact is remembered")
        [known] = [each for each in machine.memories() if "5433" in each["content"]]

        assert shown_to_the_model(model, claude) is True
        assert "5433" in machine.say("recall", "staging database port")
        assert "5433" in machine.say("surfaced")
        assert "created:" in machine.say("history", known["id"][-8:])

        machine.say("forget", known["id"][-8:])
        assert shown_to_the_model(model, claude) is False
        assert "brought back" in machine.say("undo")
        assert "5433" in machine.say("list")

        said = machine.say("disconnect", "claude-code", "--yes")
        assert "what was remembered stays" in said
        assert "nightgarden stop" in said
        machine.say("stop")
        assert machine.naming_us() == before
        assert machine.desk.run(machine.program, ["status"], {}).returncode == 3


def shown_to_the_model(model: ModelServer, claude: ClaudeCodeClient) -> bool:
    """Whether the fact reaches the model when a new session asks for it."""
    asked = len(model.asked)
    assert claude.ask(QUESTION).returncode == 0
    return any("5433" in request.everything for request in model.asked[asked:])
