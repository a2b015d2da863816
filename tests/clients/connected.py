"""A client that our own installer connected, in a fresh home, with its daemon: what the tests ask and look at."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nightgarden
from tests.clients.drive import ClaudeCodeClient, CodexClient, Desk, OpenCodeClient, Ran
from tests.clients.model_server import ModelServer, ToolCall

WAIT_SECONDS = 60
# Looks for sessions often, so that a test need not wait a minute for what a user would not notice. Memories count also
# when they come late: other tests share the machine, and `make bench-hooks` measures the times.
_SETTINGS = "[daemon]\nwatch_seconds = 5\n[turn]\ndeadline_ms = 5000\n"
_PATIENCE = {"NIGHTGARDEN_HOOK_PATIENCE": "4"}


def wait_until(true: Callable[[], bool], what: str) -> None:
    until = time.monotonic() + WAIT_SECONDS
    while not true():
        assert time.monotonic() < until, f"it never came that {what}"
        time.sleep(0.1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """One client with our plugin in it."""

    name: str
    desk: Desk
    client: ClaudeCodeClient | CodexClient | OpenCodeClient

    def ask(self, prompt: str, *more: str) -> Ran:
        """In a new session. Codex runs hooks that a person trusted; the flag stands for that person."""
        trust = ["--dangerously-bypass-hook-trust"] if self.name == "codex" else []
        ran = self.client.ask(prompt, *trust, *more)
        assert ran.returncode == 0, ran.stderr[-2000:] + ran.stdout[-2000:]
        return ran

    def nightgarden(self, *arguments: str) -> Ran:
        ran = self.desk.run(Path(sys.executable), ["-m", "nightgarden", *arguments], {})
        assert ran.returncode == 0, ran.stderr + ran.stdout
        return ran

    def memories(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.nightgarden("list", "--json").stdout)["memories"]
        return found

    def sessions(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.nightgarden("sessions", "list", "--json").stdout)["sessions"]
        return found

    def wait_until_read(self, count: int) -> None:
        """Until so many sessions were read for memories."""
        wait_until(
            lambda: sum(session["extraction"] != "none" for session in self.sessions()) >= count,
            f"{count} sessions were read",
        )

    def daemon_pid(self) -> int:
        return int(json.loads((self.data / "daemon" / "address.json").read_text())["pid"])

    @property
    def data(self) -> Path:
        return self.desk.home / ".local" / "share" / "nightgarden"

    def shell(self, command: str) -> ToolCall:
        """The client's own tool that runs a command."""
        match self.name:
            case "codex":
                return ToolCall(name="exec_command", arguments={"cmd": command})
            case "opencode":
                return ToolCall(name="bash", arguments={"command": command, "description": "does it"})
            case _:
                return ToolCall(name="Bash", arguments={"command": command, "description": "does it"})


@contextmanager
def connect(name: str, model: ModelServer) -> Iterator[Connected]:
    """A short path, because a socket's path must be short. Everything that was started is stopped at the end."""
    with tempfile.TemporaryDirectory(prefix="ng", ignore_cleanup_errors=True) as folder:
        home = Path(folder).resolve() / "home"
        project = home / "project"
        project.mkdir(parents=True)
        source = str(Path(nightgarden.__file__).parents[1])
        desk = Desk(home=home, project=project, more_env={"PYTHONPATH": source, "XDG_RUNTIME_DIR": folder, **_PATIENCE})
        client = _client(name, desk, model.url)
        settings = home / ".config" / "nightgarden" / "config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(_SETTINGS)
        connected = Connected(name=name, desk=desk, client=client)
        connected.nightgarden("start")
        try:
            connected.nightgarden("connect", name, "--yes")
            yield connected
        finally:
            desk.run(Path(sys.executable), ["-m", "nightgarden", "stop"], {})


def _client(name: str, desk: Desk, url: str) -> ClaudeCodeClient | CodexClient | OpenCodeClient:
    match name:
        case "claude-code":
            return ClaudeCodeClient(desk=desk, server_url=url)
        case "codex":
            codex = CodexClient(desk=desk, server_url=url)
            codex.configure()
            return codex
        case _:
            opencode = OpenCodeClient(desk=desk, server_url=url)
            opencode.configure()
            return opencode


def put_back_in_time(path: Path, *, hours: int) -> None:
    """As if nobody had written there for so long."""
    then = time.time() - 3600 * hours
    os.utime(path, (then, then))
