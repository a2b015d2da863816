"""Small transcripts in the formats of the real clients, as lines of JSON."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

NOON = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
# Files are as old as the machine says, so "later" is later than any day on which the tests run.
LATER = NOON + timedelta(days=36_500)


def stamp(second: int) -> str:
    return (NOON + timedelta(seconds=second)).isoformat().replace("+00:00", "Z")


def as_lines(records: Iterable[Mapping[str, Any]]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


# -- Claude Code -----------------------------------------------------------------------------------------------------
def claude_user(uuid: str, content: Any, second: int = 0, **more: Any) -> dict[str, Any]:
    message = {"role": "user", "content": content}
    return {"type": "user", "uuid": uuid, "timestamp": stamp(second), "cwd": "/garden", "message": message, **more}


def claude_model(uuid: str, *blocks: Any, second: int = 0, stop: str = "end_turn", **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
    message = {"role": "assistant", "model": "m", "stop_reason": stop, "content": content}
    return {"type": "assistant", "uuid": uuid, "timestamp": stamp(second), "cwd": "/garden", "message": message, **more}


def tool_use(call_id: str, name: str, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": name, "input": dict(given or {})}


def tool_result(call_id: str, text: Any, *, is_error: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": text, "is_error": is_error}


CLAUDE = [
    {"type": "queue-operation", "operation": "enqueue", "timestamp": stamp(0), "content": "use tabs, please"},
    claude_user("u1", "use tabs, please", 1),
    {"type": "attachment", "uuid": "x1", "attachment": {"type": "hook_context", "content": "<nightgarden-recall>"}},
    claude_model("a1", {"type": "thinking", "thinking": "tabs, hm"}, second=2, stop="tool_use"),
    claude_model("a2", "Looking.", tool_use("c1", "Bash"), second=3, stop="tool_use"),
    claude_user("u2", [tool_result("c1", "Exit code 2\nno such file", is_error=True)], 4),
    claude_model("a3", "There is no such file.", second=5),
    {"type": "system", "subtype": "compact_boundary", "uuid": "s1", "timestamp": stamp(6)},
    claude_user("u3", "This session is being continued from", 6, isCompactSummary=True),
    claude_user("u4", "<command-name>/compact</command-name>\n<command-args></command-args>", 7),
    claude_user("u5", "Caveat", 7, isMeta=True),
    claude_user("u6", "<task-notification>done</task-notification>", 8, origin={"kind": "task-notification"}),
    claude_user("u7", "thanks, naïve 日本 🌱\n> said another", 9),
    claude_model("a4", "You are welcome.", second=10),
    {"type": "cost-state", "totalCostUSD": 1},
]


def write_claude(home: Path, records: Iterable[Mapping[str, Any]] = CLAUDE, session_id: str = "s-1") -> Path:
    path = home / ".claude" / "projects" / "-garden" / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_lines(records))
    return path


# -- Codex -----------------------------------------------------------------------------------------------------------
THREAD = "01a1e13a-6c3b-7973-ba9a-83e30e66f8ef"


def codex_line(kind: str, payload: Mapping[str, Any], second: int = 0) -> dict[str, Any]:
    return {"timestamp": stamp(second), "type": kind, "payload": dict(payload)}


def codex_says(role: str, text: str, second: int, **more: Any) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return codex_line(
        "response_item",
        {"type": "message", "role": role, "content": [{"type": kind, "text": text}], **more},
        second,
    )


def codex_item(second: int, **payload: Any) -> dict[str, Any]:
    return codex_line("response_item", payload, second)


CODEX = [
    codex_line("session_meta", {"id": THREAD, "cwd": "/garden", "source": "exec"}),
    codex_line("event_msg", {"type": "task_started"}),
    codex_says("developer", "be nice", 1),
    codex_says("user", "<environment_context>\n<cwd>/garden</cwd>\n</environment_context>", 1),
    codex_says("user", "use spaces", 2),
    codex_line("event_msg", {"type": "user_message", "message": "use spaces"}, 2),
    codex_item(3, type="reasoning", summary=[{"type": "summary_text", "text": "hm"}]),
    codex_item(4, type="function_call", name="exec_command", call_id="c1", arguments="{}"),
    codex_item(
        5,
        type="function_call_output",
        call_id="c1",
        output="Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\nls: no such file\n",
    ),
    codex_says("assistant", "No such file.", 6),
    codex_line("compacted", {"message": "summary", "replacement_history": []}, 7),
    codex_line("event_msg", {"type": "task_complete"}, 8),
]


def write_codex(home: Path, records: Iterable[Mapping[str, Any]] = CODEX, thread: str = THREAD) -> Path:
    path = home / ".codex" / "sessions" / "2026" / "11" / "15" / f"rollout-2026-11-15T12-00-00-{thread}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_lines(records))
    return path


# -- own agents ------------------------------------------------------------------------------------------------------
PLAIN: list[dict[str, Any]] = [
    {"type": "session", "title": "Garden talk", "directory": "/garden", "started_at": stamp(0)},
    {"id": "1", "role": "user", "text": "we water at dawn", "at": stamp(1)},
    {"role": "assistant", "text": "noted", "at": stamp(2)},
    {"role": "assistant", "text": "noted", "at": stamp(2)},
    {"role": "tool", "tool_name": "shell", "text": "exit 1", "is_error": True, "at": stamp(3)},
    {"role": "Mira", "text": "at dusk, too", "at": stamp(4)},
    {"type": "end"},
]


def write_plain(home: Path, records: Iterable[Mapping[str, Any]] = PLAIN, session_id: str = "talk") -> Path:
    path = home / ".local" / "share" / "nightgarden" / "transcripts" / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_lines(records))
    return path


# -- OpenCode --------------------------------------------------------------------------------------------------------
_SCHEMA = """
CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, title TEXT NOT NULL, directory TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL,
    time_updated INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL,
    time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL, data TEXT NOT NULL);
"""


class OpenCodeDatabase:
    """A database as OpenCode keeps it, open as the client would have it: write-ahead log, not yet checkpointed."""

    def __init__(self, home: Path) -> None:
        self.path = home / ".local" / "share" / "opencode" / "opencode.db"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.connection = sqlite3.connect(self.path, isolation_level=None)
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA wal_autocheckpoint = 0")
        self.connection.executescript(_SCHEMA)
        self._milliseconds = int(NOON.timestamp() * 1000)

    def _tick(self) -> int:
        self._milliseconds += 1000
        return self._milliseconds

    def add_session(self, session_id: str, parent_id: str | None = None) -> None:
        now = self._tick()
        row = (session_id, parent_id, "A talk", "/garden", now, now)
        self.connection.execute("INSERT INTO session VALUES (?, ?, ?, ?, ?, ?)", row)

    def add_message(self, session_id: str, message_id: str, data: Mapping[str, Any] | str) -> None:
        now = self._tick()
        written = data if isinstance(data, str) else json.dumps(data)
        self.connection.execute(
            "INSERT INTO message VALUES (?, ?, ?, ?, ?)", (message_id, session_id, now, now, written)
        )

    def add_part(self, session_id: str, message_id: str, part_id: str, data: Mapping[str, Any] | str) -> None:
        now = self._tick()
        written = data if isinstance(data, str) else json.dumps(data)
        row = (part_id, message_id, session_id, now, now, written)
        self.connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", row)

    def finish(self, message_id: str, finish: str = "stop") -> None:
        now = self._tick()
        data = json.dumps({"role": "assistant", "finish": finish, "time": {"completed": now}})
        self.connection.execute("UPDATE message SET data = ?, time_updated = ? WHERE id = ?", (data, now, message_id))

    def say(self, session_id: str, number: int, user: str, model: str) -> None:
        asked, answered = f"msg_{number}a", f"msg_{number}b"
        self.add_message(session_id, asked, {"role": "user"})
        self.add_part(session_id, asked, f"prt_{number}a", {"type": "text", "text": user})
        self.add_message(session_id, answered, {"role": "assistant"})
        self.add_part(session_id, answered, f"prt_{number}b", {"type": "text", "text": model})
        self.finish(answered)

    def close(self) -> None:
        self.connection.close()
