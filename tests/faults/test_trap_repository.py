"""Whatever is done in a repository full of traps, in none of the ways that users and clients start us does one run."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from nightgarden import Garden
from nightgarden.ambient.projects import AmbientProject
from nightgarden.ambient.work.worktree import Worktrees
from nightgarden.domain.client_events import EVENT_NAMES
from nightgarden.errors import NightgardenError
from nightgarden.scope import commit_at, resolve_place
from nightgarden.settings import load_settings
from nightgarden.surfaces.cli.parser import COMMANDS
from tests.faults.traps import BANK, Traps, build
from tests.runtime.running import Home, wait_for

PROGRAM = Path(sys.executable).with_name("nightgarden")  # as pip puts it on the PATH
SECONDS_MAX = 120
# A client's environment may be as bad as the repository's authors could wish for.
BAD = {"PYTHONPATH": ":.:", "PYTHONSTARTUP": "json.py", "PYTHONHOME": "", "LD_LIBRARY_PATH": ":.", "GIT_DIR": ".git"}
# Each command with arguments that let it go as far as it can; those that do not end by themselves are ended.
CALLS: dict[str, list[list[str]]] = {
    "init": [["--yes"], ["--dry-run"]],
    "connect": [["claude-code", "--yes", "--project"], ["codex", "--yes", "--project"], ["other", "--yes"]],
    "disconnect": [["codex", "--yes", "--project"]],
    "remember": [["The staging database listens on port 5433"], ["See pipe.toml", "--file", "loop"]],
    "recall": [["staging database"]],
    "list": [[]],
    "similar": [["nothing"]],
    "watch": [["--after", "nothing"]],
    "show": [["nothing"]],
    "edit": [["nothing", "--content", "x"]],
    "forget": [["nothing"]],
    "restore": [["nothing"]],
    "purge": [["nothing", "--yes"]],
    "feedback": [["nothing", "--helpful"]],
    "flagged": [[]],
    "tag": [["list"]],
    "link": [["nothing", "nothing"]],
    "related": [["nothing"]],
    "tend": [["--dry-run"]],
    "history": [[]],
    "undo": [["nothing"]],
    "turn": [["which port does staging use?"]],
    "briefing": [[]],
    "gaps": [[]],
    "schedule": [["list"]],
    "safety": [["check", "--", "ls"]],
    "initiative": [["status"], ["tick"], ["thoughts"], ["feeds"], ["log"], ["preview", "--no-fetch"], ["try"]],
    "ambient": [["status"], ["run"], ["log"], ["explain"]],
    "permissions": [["list"], ["log"], ["rules"], ["rules", "--allow", "make test"], ["approve", "nothing"]],
    "notifications": [["list"], ["test"], ["send"]],
    "directives": [["add", "look at the tests"], ["list"]],
    "episodes": [["list"]],
    "mission": [["start", "Release"], ["list"], ["end", "--outcome", "success"]],
    "core": [["show"], ["edit", "--focus", "the release"], ["history"]],
    "capture": [["errors"], ["file", "pipe.toml"], ["status"]],
    "digest": [[], ["--told"]],
    "candidates": [[]],
    "promote": [["nothing"]],
    "pin": [["nothing"]],
    "unpin": [["nothing"]],
    "notebook": [["sync"], ["status"], ["link", "--yes"], ["unlink"]],
    "procedures": [["list"]],
    "skills": [["list"], ["review"], ["reindex"]],
    "surfaced": [[]],
    "minds": [["list"]],
    "usage": [[]],
    "off": [["--project"]],
    "on": [["--project"]],
    "open": [["--print"]],
    "sessions": [["list"], ["scan"]],
    "export": [["-o", "{out}/export.jsonl"]],
    "import": [["{out}/export.jsonl"]],
    "backup": [[]],
    "restore-backup": [["latest", "--yes"]],
    "doctor": [[], ["--repair"], ["clients"]],
    "stats": [[]],
    "migrate-store": [["--to", "{out}/moved.db"]],
    "models": [["list"], ["fetch", "--into", "{out}/models"]],
    "serve": [[]],
    "start": [[]],
    "status": [[]],
    "restart": [[]],
    "stop": [[]],
    "logs": [[]],
    "service": [["install", "--dry-run"]],
    "mcp": [[]],
    "hook": [["SessionStart", "claude-code"]],
    "statusline": [[]],
    "completion": [["bash"]],
}
ENDLESS = ("serve",)


class Machine:
    """A user's home with the clients in it, who works in the repository."""

    def __init__(self, folder: Path) -> None:
        self.traps = build(folder)
        self.user = folder / "user"
        for name in (".claude", ".codex", ".config/opencode"):
            (self.user / name).mkdir(parents=True)
        self.data = Home(self.user / "data")
        self.out = folder / "out"
        self.out.mkdir()

    def env(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        kept = {"PATH": f":.:{os.defpath}", "HOME": str(self.user), "LANG": "C.UTF-8", "PIP_NO_INDEX": "1"}
        return kept | {"NIGHTGARDEN_HOME": str(self.data.path)} | dict(more or {})

    def run(self, *words: str, direct: bool = True) -> subprocess.CompletedProcess[bytes]:
        more = {"NIGHTGARDEN_DIRECT": "1"} if direct else {}
        return self.start([str(PROGRAM), *words], self.env(more))

    def start(
        self, words: Sequence[str], env: Mapping[str, str], given: bytes = b"{}", *, seconds: float = SECONDS_MAX
    ) -> subprocess.CompletedProcess[bytes]:
        """In the repository."""
        with subprocess.Popen(
            words, cwd=self.traps.root, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            if any(word in words for word in ENDLESS):
                wait_for(self.data.ping, "an answer of the daemon")
                process.send_signal(signal.SIGTERM)
            out, err = process.communicate(given, timeout=seconds)
        assert b"Traceback" not in err, (words, err.decode("utf-8", "replace"))
        return subprocess.CompletedProcess(words, process.returncode, out, err)


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    machine = Machine(tmp_path_factory.mktemp("t"))
    yield machine
    machine.data.kill_all()


@pytest.fixture(autouse=True)
def nothing_ran(machine: Machine) -> Iterator[None]:
    """No trap in any test, and nothing was written where the repository's links lead."""
    yield
    assert machine.traps.sprung() == []
    assert [path for path in machine.traps.victim.rglob("*") if path.name != ".git"] == []


def test_the_traps_work(tmp_path: Path) -> None:
    traps: Traps = build(tmp_path)
    subprocess.run([sys.executable, "-m", "json.tool"], cwd=traps.root, capture_output=True, check=False)
    (traps.root / ".git" / "commondir").unlink()
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    for words in (["rev-list", "--max-parents=0", "HEAD"], ["status"]):
        subprocess.run(["git", *words], cwd=traps.root, env=env, capture_output=True, check=False)
    assert {"git-monitor", "git-ssh"} <= set(traps.sprung())
    assert any(name.startswith("module-") for name in traps.sprung())


async def test_work_in_a_repository_that_wants_objects_fetched_runs_none_of_its_commands(tmp_path: Path) -> None:
    traps = build(tmp_path)
    git = traps.root / ".git"
    (git / "commondir").unlink()  # git itself cannot read it with this one
    (traps.root / ".nightgarden" / "config.toml").unlink()
    head = commit_at(traps.root)
    env = {"NIGHTGARDEN_HOME": str(tmp_path / "home"), "NIGHTGARDEN_EMBEDDING_MODEL": "off"}
    async with Garden.open(tmp_path / "home" / "garden.db", directory=traps.root) as garden:
        place = resolve_place(traps.root)
        project = AmbientProject(scope=place.scope, root=place.root, settings=load_settings(traps.root, env))
        worktrees = Worktrees(garden, env)
        await worktrees.open(project, "first", cycle="c1")
        await worktrees.drop("first", "not wanted")
        (git / "objects" / head[:2] / head[2:]).unlink()
        with pytest.raises(NightgardenError):
            await worktrees.open(project, "second", cycle="c2")
    assert traps.sprung() == []


def test_there_is_a_call_of_every_command() -> None:
    assert set(CALLS) == {name for name, _, _ in COMMANDS}


@pytest.mark.parametrize("command", CALLS)
def test_no_command_springs_a_trap(command: str, machine: Machine) -> None:
    for arguments in CALLS[command]:
        done = machine.run(command, *(word.format(out=machine.out) for word in arguments))
        assert done.returncode in (0, 1, 2, 3), done.stderr
    machine.data.stop()


def connected_hooks(machine: Machine) -> list[tuple[str, str]]:
    """The event and the command of every hook that connecting wrote, for Claude Code by a process each, and Codex."""
    for words in (["connect", "claude-code", "--hooks", "process", "--yes"], ["connect", "codex", "--yes"]):
        done = machine.run(*words)
        assert done.returncode == 0, done.stderr
    files = (machine.data.path / "plugin" / "hooks" / "hooks.json", machine.user / ".codex" / "hooks.json")
    line = json.loads((machine.user / ".claude" / "settings.json").read_text())["statusLine"]["command"]
    return [("StatusLine", line)] + [
        (event, hook["command"])
        for file in files
        for event, groups in json.loads(file.read_text())["hooks"].items()
        for group in groups
        for hook in group["hooks"]
    ]


def test_no_hook_springs_a_trap_with_or_without_a_daemon(machine: Machine) -> None:
    hooks = connected_hooks(machine)
    assert {event for event, _ in hooks} <= set(EVENT_NAMES) | {"StatusLine"}
    without_home = {name: value for name, value in machine.env(BAD).items() if name != "NIGHTGARDEN_HOME"}
    event = {"session_id": "s", "cwd": str(machine.traps.root), "prompt": "which port?", "tool_name": "Bash"}
    given = json.dumps({**event, "tool_input": {"command": "ls"}}).encode()
    for name, command in hooks:
        machine.data.stop()
        (machine.data.folder.path / "starting").unlink(missing_ok=True)
        for _ in range(2):
            done = machine.start(["/bin/sh", "-c", command], without_home, given)
            assert (done.returncode, done.stderr) == (0, b""), (name, command)
            if name != "StatusLine":  # which only looks
                wait_for(machine.data.ping, "the daemon that the hook started")
    assert not (machine.user / ".local" / "share" / "nightgarden").exists()  # all of it knew where the data is


def test_the_mcp_server_as_it_was_connected_springs_no_trap_and_knows_the_project(machine: Machine) -> None:
    connected_hooks(machine)
    machine.run("remember", "The staging database listens on port 5433")
    entry = json.loads((machine.data.path / "plugin" / ".mcp.json").read_text())["mcpServers"]["nightgarden"]
    env = {name: value for name, value in machine.env(BAD).items() if name != "NIGHTGARDEN_HOME"} | entry["env"]
    calls: list[dict[str, Any]] = [
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
        {"id": 2, "method": "tools/call", "params": {"name": "memory_recall", "arguments": {"query": "staging"}}},
    ]
    given = b"".join(json.dumps({"jsonrpc": "2.0", **call}).encode() + b"\n" for call in calls)
    machine.data.stop()
    done = machine.start([entry["command"], *entry["args"]], env, given)
    assert b"5433" in done.stdout


def test_the_daemon_has_nothing_of_the_one_who_started_it(machine: Machine) -> None:
    connected_hooks(machine)
    machine.data.stop()
    (machine.data.folder.path / "starting").unlink(missing_ok=True)
    odd = {"SECRET_OF_THE_CLIENT": "x", "NIGHTGARDEN_GUARD_MODE": "off", "NIGHTGARDEN_HOOK_PATIENCE": "4"}
    [command] = {
        command for event, command in connected_hooks(machine) if event == "SessionStart" and "claude" in command
    }
    machine.data.stop()
    (machine.data.folder.path / "starting").unlink(missing_ok=True)
    machine.start(["/bin/sh", "-c", command], machine.env({**BAD, **odd}), b'{"session_id": "s"}')
    pid = int(wait_for(machine.data.ping, "the daemon")["pid"])
    names = {pair.partition(b"=")[0].decode() for pair in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")}
    assert not names & (set(odd) | set(BAD))
    assert Path(f"/proc/{pid}/cwd").readlink() == Path("/")
    path = dict(pair.split(b"=", 1) for pair in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0") if pair)[b"PATH"]
    assert all(part.startswith(b"/") for part in path.split(b":"))


def test_its_settings_file_changes_no_protection_and_is_reported(machine: Machine) -> None:
    machine.data.stop()
    never = "Never run terraform destroy"
    assert machine.run("remember", never, "--category", "negative", "--scope", "global").returncode == 0
    mail = machine.run("remember", "Write to ann.miller@acme-bank.com about the invoices")
    assert mail.returncode != 0 or b"refused" in mail.stdout
    machine.data.start()
    event = {"session_id": "g", "cwd": str(machine.traps.root), "tool_name": "Bash"}
    given = json.dumps({**event, "tool_input": {"command": "terraform destroy"}}).encode()
    commands = {command for name, command in connected_hooks(machine) if name == "PreToolUse"}
    for command in commands:
        patient = machine.env() | {"NIGHTGARDEN_HOOK_PATIENCE": "8"}  # a busy machine; a late hook is silent
        assert b"deny" in machine.start(["/bin/sh", "-c", command], patient, given).stdout
    stats = json.loads(machine.run("stats", "--json").stdout)
    assert BANK not in json.dumps(stats)
    for words in (["status"], ["doctor"]):
        said = machine.run(*words).stderr.decode()
        for left_out in ("guard.mode", "garden.url", "mind.kind", "tend.loss_percent", "unknown section [surprise]"):
            assert left_out in said
    assert not (machine.traps.root / "garden.db").exists()
