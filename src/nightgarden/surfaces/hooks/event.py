"""One event of a client, whatever the client calls its parts. Pure; knows the three clients' field names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nightgarden.domain.client_events import EventName
from nightgarden.domain.gate import safe_id
from nightgarden.safety.read_action import EDITS, PATCHES, SHELLS, is_memory_tool
from nightgarden.sessions.readers.speech import unquoted

# Tools that may change something, as the three clients name them.
_MUTATING = SHELLS | PATCHES | EDITS
# Codex tells no exit code: an output counts as an error when one of its last lines begins or reads like one.
_ERROR = re.compile(
    r"^[ \t]*+(?:\w+: )*(?:error|fatal|panic|traceback|\w+(?:Error|Exception)\b)"
    r"|\b(?:cannot|could not|no such file|not found|permission denied|command failed)\b"
    r"|\bexit(?:ed with)?(?: code)? [1-9]"
    r"|^FAILED |\b[1-9][0-9]* (?:failed|errors?)\b",
    re.IGNORECASE | re.MULTILINE,
)
_LAST_LINES = 5
_AGENT_CHARS_MAX = 80
_OUTPUT_CHARS_MAX = 4000  # an error says what it is in its first and last lines


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """A tool that is about to run, or ran."""

    name: str
    input: Mapping[str, Any]
    output: str = ""

    @property
    def mutating(self) -> bool:
        return self.name.lower() in _MUTATING

    @property
    def guarded(self) -> bool:
        """Whether memory may have something against it: tools that may change things, and tools of others."""
        return self.mutating or self.name.startswith("mcp__")

    @property
    def searches_memory(self) -> bool:
        """One of our own tools, under whatever prefix the client gives an MCP server."""
        return is_memory_tool(self.name) or "memory_" in self.name

    @property
    def action(self) -> str:
        """All texts of the call, for tools that are not known by name."""
        return "\n".join(_texts(self.input))

    @property
    def looks_failed(self) -> bool:
        """For clients that do not say whether a tool failed."""
        return _ERROR.search("\n".join(self.output.strip().splitlines()[-_LAST_LINES:])) is not None

    @property
    def files(self) -> tuple[str, ...]:
        named = (self.input.get(key) for key in ("file_path", "filePath", "path", "notebook_path"))
        return tuple(name for name in named if isinstance(name, str) and name)


@dataclass(frozen=True, slots=True, kw_only=True)
class HookEvent:
    """What happened in a session."""

    client: str
    name: EventName
    session_id: str
    directory: str = ""
    prompt: str = ""
    attachments: int = 0
    reason: str = ""  # of SessionEnd: clear, logout, prompt_input_exit, other
    source: str = ""  # of SessionStart: startup, resume, clear, compact
    agent: str = ""  # the kind of agent that acts, where the client says it: a sub-agent, or one chosen by name
    answer: str = ""  # of Stop: the last thing the agent said
    spooled: bool = False  # it happened a while ago: nobody waits for the answer
    tool: ToolUse = field(default_factory=lambda: ToolUse(name="", input={}))


def directory_of(data: object) -> str | None:
    """Where an event happened, if it says so. A status line names its workspace instead."""
    if not isinstance(data, Mapping):
        return None
    workspace = data.get("workspace")
    named = data.get("cwd") or (workspace.get("current_dir") if isinstance(workspace, Mapping) else None)
    return named if isinstance(named, str) else None


def read_event(client: str, name: EventName, data: Mapping[str, Any], *, spooled: bool = False) -> HookEvent:
    """The event of a client's own JSON. Fields that are missing or of another type are empty."""
    return HookEvent(
        client=client,
        name=name,
        session_id=safe_id(_text(data, "session_id") or _text(data, "sessionID")),
        directory=directory_of(data) or "",
        prompt=unquoted(_text(data, "prompt")) if client == "opencode" else _text(data, "prompt"),
        attachments=_number(data, "attachments"),
        reason=_text(data, "reason"),
        source=_text(data, "source"),
        agent=_text(data, "agent_type")[:_AGENT_CHARS_MAX],
        answer=_text(data, "last_assistant_message"),
        spooled=spooled,
        tool=ToolUse(
            name=_text(data, "tool_name"),
            input=_fields(data, "tool_input"),
            output=_shorten(_output(data)),
        ),
    )


def _output(data: Mapping[str, Any]) -> str:
    found = data.get("error") or data.get("tool_response")
    return found if isinstance(found, str) else "\n".join(_texts(found if isinstance(found, dict) else {}))


def _shorten(text: str) -> str:
    half = _OUTPUT_CHARS_MAX // 2
    return text if len(text) <= _OUTPUT_CHARS_MAX else f"{text[:half]}\n{text[-half:]}"


def _texts(value: Any) -> list[str]:
    """All texts in a structure, in order: tools nest commands and edits differently."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list | tuple):
        return [text for each in value for text in _texts(each)]
    return []


def _text(data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    return value if isinstance(value, str) else ""


def _number(data: Mapping[str, Any], key: str) -> int:
    value = data.get(key)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0


def _fields(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}
