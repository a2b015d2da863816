"""A set of sessions written in the transcript formats of the three clients: five workflows that recur, and others."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from tests.sessions.transcripts import (
    NOON,
    OpenCodeDatabase,
    as_lines,
    claude_model,
    claude_user,
    codex_item,
    codex_line,
    codex_says,
    stamp,
    tool_result,
    tool_use,
)

WORKFLOWS = ("migration", "release", "deploy", "upgrade", "client")
_MARKS = {"<": "user", ">": "agent", "$": "run", "!": "fail", "~": "edit", "?": "read", "x": "stop", "T": "list"}
GAP_SECONDS = 5000  # between two sessions


@dataclass(kw_only=True)
class Script:
    """One session in shorthand."""

    name: str
    workflow: str
    client: str
    number: int
    lines: list[tuple[str, str]] = field(default_factory=list)

    @property
    def began(self) -> int:
        """Seconds after noon of the tests' day: all are some days old."""
        return (self.number - 100) * GAP_SECONDS

    @property
    def id(self) -> str:
        if self.client == "codex":
            return f"{self.number:08x}-0000-7000-8000-{self.number:012x}"
        return f"session-{self.name}"


def scripts() -> list[Script]:
    found: list[Script] = []
    for line in Path(__file__).with_name("sessions.txt").read_text("utf-8").splitlines():
        if line.startswith("## "):
            name, workflow, client = line[3:].split()
            found.append(Script(name=name, workflow=workflow, client=client, number=len(found)))
        elif line and not line.startswith("#"):
            found[-1].lines.append((_MARKS[line[0]], line[1:].strip()))
    return found


def write(home: Path, project: Path, chosen: Sequence[Script]) -> None:
    """The transcripts of these sessions, as their clients would have left them."""
    database = OpenCodeDatabase(home) if any(each.client == "opencode" for each in chosen) else None
    for script in chosen:
        if script.client == "claude-code":
            path = home / ".claude" / "projects" / "-shop" / f"{script.id}.jsonl"
            records: list[dict[str, Any]] = [*_claude(script, project), {"type": "cost-state"}]
        elif script.client == "codex":
            path = (
                home / ".codex" / "sessions" / "2026" / "11" / "15" / f"rollout-2026-11-15T12-00-00-{script.id}.jsonl"
            )
            records = list(_codex(script, project))
        else:
            assert database is not None
            _opencode(database, script, project)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_lines(records))
        ended = (NOON + timedelta(seconds=script.began + 1000)).timestamp()
        os.utime(path, (ended, ended))
    if database is not None:
        database.close()


def _parts(script: Script) -> Iterator[tuple[str, str, str, int]]:
    """Kind, what was asked, what came of it, and when."""
    for number, (kind, text) in enumerate(script.lines):
        asked, _, output = text.partition(" => ")
        yield kind, asked, output, script.began + number * 10


def _items(text: str) -> list[dict[str, str]]:
    names = [part.strip() for part in text.split("|")]
    return [
        {"content": name.removeprefix("done: "), "status": "completed" if name.startswith("done: ") else "pending"}
        for name in names
    ]


def _claude(script: Script, project: Path) -> Iterator[dict[str, Any]]:
    for at, (kind, asked, output, second) in enumerate(_parts(script)):
        if kind == "user":
            yield claude_user(f"{script.name}-u{at}", asked, second, cwd=str(project))
        elif kind == "agent":
            yield claude_model(f"{script.name}-a{at}", asked, second=second, cwd=str(project))
        elif kind == "stop":
            yield claude_user(f"{script.name}-u{at}", "[Request interrupted by user]", second, cwd=str(project))
        else:
            called: dict[str, tuple[str, dict[str, Any]]] = {
                "run": ("Bash", {"command": asked, "description": "Run it"}),
                "fail": ("Bash", {"command": asked}),
                "edit": ("Edit", {"file_path": str(project / asked), "old_string": "a", "new_string": "b"}),
                "read": ("Read", {"file_path": str(project / asked)}),
                "list": ("TodoWrite", {"todos": _items(asked)}),
            }
            name, given = called[kind]
            call = tool_use(f"{script.name}-c{at}", name, given)
            yield claude_model(f"{script.name}-a{at}", call, second=second, stop="tool_use", cwd=str(project))
            text = f"Exit code 1\n{output}" if kind == "fail" else output
            result = tool_result(f"{script.name}-c{at}", text, is_error=kind == "fail")
            yield claude_user(f"{script.name}-r{at}", [result], second + 2, cwd=str(project))


def _codex(script: Script, project: Path) -> Iterator[dict[str, Any]]:
    yield codex_line("session_meta", {"id": script.id, "cwd": str(project)}, script.began)
    for at, (kind, asked, output, second) in enumerate(_parts(script)):
        call = f"{script.name}-c{at}"
        if kind in ("user", "agent"):
            yield codex_says("user" if kind == "user" else "assistant", asked, second)
        elif kind == "edit":
            patch = f"*** Begin Patch\n*** Update File: {asked}\n@@\n-a\n+b\n*** End Patch"
            yield codex_item(second, type="custom_tool_call", name="apply_patch", call_id=call, input=patch)
            yield codex_item(second + 1, type="custom_tool_call_output", call_id=call, output="Success.")
        else:
            given = json.dumps({"cmd": asked} if at % 2 else {"command": ["bash", "-lc", asked]})
            yield codex_item(second, type="function_call", name="exec_command", call_id=call, arguments=given)
            frame = f"Exit code: {int(kind == 'fail')}\nWall time: 0.5 seconds\nOutput:\n{output}"
            yield codex_item(second + 1, type="function_call_output", call_id=call, output=frame)
    yield codex_line("event_msg", {"type": "task_complete"}, script.began + 900)


def _opencode(database: OpenCodeDatabase, script: Script, project: Path) -> None:
    def milliseconds(second: int) -> int:
        return int(datetime.fromisoformat(stamp(second)).timestamp() * 1000)

    began = milliseconds(script.began)
    database.connection.execute(
        "INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", (script.id, None, "A talk", str(project), began, began)
    )
    for at, (kind, asked, output, second) in enumerate(_parts(script)):
        moment = milliseconds(second)
        role = "user" if kind == "user" else "assistant"
        info = {"role": role, "finish": "stop", "time": {"created": moment, "completed": moment + 1}}
        if kind in ("user", "agent"):
            part: dict[str, Any] = {"type": "text", "text": asked}
        else:
            tool = {"edit": "edit", "read": "read"}.get(kind, "bash")
            given = {"filePath": str(project / asked)} if kind in ("edit", "read") else {"command": asked}
            state = {"status": "completed", "input": given, "output": output, "metadata": {"exit": int(kind == "fail")}}
            part = {"type": "tool", "tool": tool, "state": state | {"time": {"start": moment, "end": moment + 900}}}
        message = f"msg_{script.name}_{at:03}"
        database.connection.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?)", (message, script.id, moment, moment, json.dumps(info))
        )
        database.connection.execute(
            "INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)",
            (f"prt_{script.name}_{at:03}", message, script.id, moment, moment, json.dumps(part)),
        )
