"""A task's whole way: scheduled by an agent over MCP, due, seen in hooks, status and lists, closed over HTTP."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import environment, run
from tests.runtime.running import Home, wait_for
from tests.runtime.test_http import Site

TASK = "look whether the nightly build passed"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def call_tool(home: Home, project: Path, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """One call through the stdio server that a client starts."""
    messages = (
        {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {}}},
        {"id": 2, "method": "tools/call", "params": {"name": name, "arguments": arguments}},
    )
    server = subprocess.Popen(
        [sys.executable, "-m", "nightgarden", "mcp"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=project,
        env=environment(home.path, CLAUDE_CODE_SESSION_ID="s1"),
    )
    assert server.stdin is not None
    assert server.stdout is not None
    with server, server.stdin, server.stdout:
        for message in messages:
            server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
            server.stdin.flush()
            answer = json.loads(server.stdout.readline())
    result: dict[str, Any] = answer["result"]
    assert not result["isError"], result
    return dict(result["structuredContent"])


def hook(home: Home, project: Path, event: str, session: str, **data: str) -> str:
    """What a client's hook prints."""
    given = {"session_id": session, "cwd": str(project), **data}
    words = ("statusline",) if event == "StatusLine" else ("hook", event, "claude-code")
    return run(home.path, *words, cwd=project, stdin=json.dumps(given).encode()).out


def test_a_task_is_said_where_users_and_agents_look_and_outlives_the_daemon(home: Home, project: Path) -> None:
    home.start()
    task = call_tool(
        home, project, "memory_schedule", {"task": TASK, "wake_in_minutes": "0.01", "background": "flaky since Monday"}
    )

    def listed() -> list[dict[str, Any]]:
        return list(home.ask("scheduled", {"closed": True}, directory=str(project))["tasks"])

    wait_for(lambda: listed()[0]["state"] == "due", "that it is due")
    assert listed()[0]["session_id"] == "s1"
    assert "  schedule   1 due;" in run(home.path, "status", cwd=project).out
    assert "1 due" in hook(home, project, "StatusLine", "s1")
    assert TASK not in hook(home, home.path, "UserPromptSubmit", "elsewhere", prompt="go on")
    said = hook(home, project, "UserPromptSubmit", "s1", prompt="go on")
    context = json.loads(said)["hookSpecificOutput"]["additionalContext"]
    assert f"{TASK}; background: flaky since Monday" in context
    assert task["id"] in context
    assert TASK not in hook(home, project, "UserPromptSubmit", "s1", prompt="go on")
    assert TASK not in hook(home, project, "UserPromptSubmit", "s2", prompt="go on")
    wait_for(lambda: listed()[0]["state"] == "said", "that it is noted as said")

    home.stop()
    home.start()
    assert TASK not in hook(home, project, "UserPromptSubmit", "s2", prompt="go on")
    assert TASK in hook(home, project, "SessionStart", "s3", source="startup")
    assert TASK in hook(home, project, "SessionStart", "s4", source="startup")
    assert TASK not in hook(home, project, "SubagentStart", "s4")
    assert TASK not in hook(home, project, "UserPromptSubmit", "s4", prompt="go on")
    assert "said" in run(home.path, "schedule", "list", cwd=project).out

    site = Site(home)
    status, closed, _ = site.ask("POST", "/api/v1/schedule_close", {"id": task["id"], "outcome": "done"})
    assert (status, closed["state"]) == (200, "done")
    assert TASK not in hook(home, project, "SessionStart", "s5", source="startup")
    assert run(home.path, "status", "--json", cwd=project).json["due"] == 0
    assert "due" not in hook(home, project, "StatusLine", "s5")
    assert [each["state"] for each in listed()] == ["done"]


def test_without_a_daemon_a_task_is_kept_and_said_by_the_next_one(home: Home, project: Path) -> None:
    add = run(
        home.path, "schedule", "add", TASK, "--in", "0.01", "--json", cwd=project, env={"NIGHTGARDEN_DIRECT": "1"}
    )
    assert add.json["state"] == "waiting"
    home.start()
    wait_for(lambda: home.ask("status")["due"] == 1, "that it is due")
    assert TASK in hook(home, project, "UserPromptSubmit", "s1", prompt="thanks")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((TASK, "--in", "soon"), "try 30, 90m, 2h or 3d"),
        ((TASK, "--at", "2020-01-01"), "name a later moment"),
        ((TASK, "--at", "noon"), "is no moment in ISO 8601"),
        ((TASK,), "one of the arguments --in --wake-at/--at is required"),
        ((TASK, "--in", "5", "--at", "2030-01-01"), "not allowed with argument"),
    ],
)
def test_the_command_says_what_is_wrong(home: Home, words: tuple[str, ...], said: str) -> None:
    ran = run(home.path, "schedule", "add", *words)
    assert ran.code == 2
    assert said in ran.err


def test_a_task_with_a_secret_is_refused(home: Home) -> None:
    ran = run(home.path, "schedule", "add", "password: correct-horse-Battery9!", "--in", "5")
    assert ran.code == 1
    assert "not scheduled (secret)" in ran.err


def test_the_command_takes_lengths_and_local_moments_and_closes(home: Home) -> None:
    for given in ("90m", "2h", "3d", "1.5h"):
        assert run(home.path, "schedule", "add", f"errand {given}", "--in", given).code == 0
    listed = run(home.path, "schedule", "list", "--json").json["tasks"]
    assert [task["task"] for task in listed] == ["errand 90m", "errand 1.5h", "errand 2h", "errand 3d"]
    local = listed[3]["wake_at"][:16]
    at = run(home.path, "schedule", "add", "errand at", "--at", local, "--json", env={"TZ": "Etc/GMT-2"}).json
    assert at["wake_at"] < listed[3]["wake_at"]
    assert run(home.path, "schedule", "cancel", at["id"]).out == "cancelled: errand at\n"
    assert run(home.path, "schedule", "done", at["id"]).code == 2
    assert run(home.path, "schedule", "done", "nothing").code == 2
    assert "4 tasks" in run(home.path, "schedule", "list").out
    assert "5 tasks" in run(home.path, "schedule", "list", "--all").out
