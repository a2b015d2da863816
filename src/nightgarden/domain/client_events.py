"""The names of the clients, and of the events that their hooks bring."""

from __future__ import annotations

from typing import Literal, get_args

EventName = Literal[
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "PostCompact",
    "Stop",
    "SessionEnd",
    "SubagentStart",
    "StatusLine",
]
EVENT_NAMES: tuple[EventName, ...] = get_args(EventName)
CLIENTS = ("claude-code", "codex", "opencode")
