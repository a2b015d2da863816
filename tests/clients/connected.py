"""A client that our own installer connected, in a fresh home, with its daemon: what the tests ask and look at."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nightgarden
from tests.clients.drive import ClaudeCodeClient, CodexClient, Desk, OpenCodeClient, Ran
from tests.clients.model_server import ModelServer, ToolCall

WAIT_SECONDS = 180  # states come within seconds on a quiet machine; a busy one takes a minute to start a client
# Looks for sessions often, so that a test need not wait a minute for what a user would not notice. Memories count also
# when they come late: other tests share the machine, and `make bench-hooks` measures the times.
_SETTINGS = "[daemon]\nwatch_seconds = 5\n"
_PATIENT_SETTINGS = "[turn]\ndeadline_ms = 5000\n"
_WRITES_TO = {"claude-code": ".claude/projects", "codex": ".codex/sessions"}
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

    def go_on(self, first: Ran, prompt: str) -> Ran:
        """In the session of an earlier run."""
        match self.name:
            case "claude-code":
                return self.ask(prompt, "--resume", str(first.events()[0]["session_id"]))
            case "codex":
                return self.ask(prompt, "resume", str(first.events()[0]["thread_id"]))
            case _:
                return self.ask(prompt, "--session", str(first.events()[0]["sessionID"]))

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
def connect(name: str, model: ModelServer, *, patient: bool = True) -> Iterator[Connected]:
    """`patient` is for tests; who measures times wants what users have.

    A short path, because a socket's path must be short. Everything that was started is stopped at the end."""
    with tempfile.TemporaryDirectory(prefix="ng", ignore_cleanup_errors=True) as folder:
        home = Path(folder).resolve() / "home"
        project = home / "project"
        project.mkdir(parents=True)
        source = str(Path(nightgarden.__file__).parents[1])
        desk = Desk(
            home=home,
            project=project,
            more_env={"PYTHONPATH": source, "XDG_RUNTIME_DIR": folder, **(_PATIENCE if patient else {})},
        )
        client = _client(name, desk, model.url)
        settings = home / ".config" / "nightgarden" / "config.toml"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(_SETTINGS + (_PATIENT_SETTINGS if patient else ""))
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcripts:
    """Where a client writes down what is said: files of lines, or OpenCode's database."""

    name: str
    home: Path

    def hold(self, words: str) -> bool:
        if self.name != "opencode":
            return any(words in path.read_text() for path in self._files())
        if not self._database.exists():
            return False
        found = self._ask("SELECT count(*) FROM part WHERE data LIKE ?", f"%{words}%")
        return bool(found)

    def put_back_in_time(self, *, hours: int) -> None:
        """As if nobody had written there for so long."""
        if self.name == "opencode":
            for table in ("session", "message", "part"):
                self._ask(f"UPDATE {table} SET time_updated = time_updated - ?", hours * 3_600_000)
            return
        then = time.time() - 3600 * hours
        for path in self._files():
            os.utime(path, (then, then))

    @property
    def _database(self) -> Path:
        return self.home / ".local" / "share" / "opencode" / "opencode.db"

    def _files(self) -> list[Path]:
        return list((self.home / _WRITES_TO[self.name]).rglob("*.jsonl"))

    def _ask(self, sql: str, *values: object) -> int:
        """The number it finds; 0 while the client is still making its tables, or when it changes something."""
        with closing(sqlite3.connect(self._database, timeout=10)) as connection, connection:
            try:
                row = connection.execute(sql, values).fetchone()
            except sqlite3.OperationalError:
                return 0
            return int(row[0]) if row else 0
