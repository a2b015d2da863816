"""The plugin folder, with commands that work on this machine. Pure but for reading the files of the package."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import nightgarden.surfaces as surfaces
from nightgarden.surfaces.connect.start_command import hook_command, hook_words, mcp_env, mcp_words
from nightgarden.surfaces.hooks.process import DEADLINE, DEADLINES
from nightgarden.surfaces.mcp.conversation import HOOK_TOOL

_FOLDER = Path(surfaces.__file__).parent / "plugin"
_OPENCODE = Path(surfaces.__file__).parent / "plugin_opencode" / "nightgarden.js"
FILES = (
    ".claude-plugin/plugin.json",
    ".claude-plugin/marketplace.json",
    "README.md",
    ".mcp.json",
    "hooks/hooks.json",
    "skills/nightgarden/SKILL.md",
    "commands/ambient.md",
    "commands/recall.md",
    "commands/remember.md",
    "commands/tend.md",
)


# Events that hold up a prompt or a tool, and what is read of them. The others happen where no server is connected yet
# or any more, or start the daemon when it is away, which HTTP cannot.
_TOOL = ("tool_name", "tool_input")
_HELD_UP = {
    "UserPromptSubmit": ("prompt",),
    "PreToolUse": _TOOL,
    "PostToolUse": (*_TOOL, "tool_response"),
    "PostToolUseFailure": (*_TOOL, "error"),
    "SubagentStart": (),
}
_PIPE_SECONDS = 5  # as for a process: our end keeps its own, shorter time
_SERVER = "plugin:nightgarden:nightgarden"  # as Claude Code names the server of our plugin


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpAddress:
    """Where the daemon listens, and its token."""

    url: str
    token: str


Carrier = Literal["pipe", "http", "process"]
"""How a prompt or a tool call of Claude Code reaches us: through the session's MCP server, over loopback HTTP, or by a
process of its own."""
CARRIERS: tuple[Carrier, ...] = ("pipe", "http", "process")


def plugin_files(data: Path, carrier: Carrier, http: HttpAddress | None = None) -> dict[str, str]:
    """Every file of the plugin by its path in the folder. `http` is needed for that carrier only."""
    files = {name: (_FOLDER / name).read_text("utf-8") for name in FILES}
    hooks = hooks_for("claude-code", data)
    for event in _HELD_UP if carrier != "process" else ():
        for group in hooks[event]:
            group["hooks"] = [_through_pipe(event) if http is None else _over_http(event, http)]
    files["hooks/hooks.json"] = _write({"hooks": hooks})
    servers = json.loads(files[".mcp.json"])
    words = mcp_words()
    servers["mcpServers"]["nightgarden"] |= {"command": words[0], "args": words[1:], "env": mcp_env(data)}
    files[".mcp.json"] = _write(servers)
    return files


def _through_pipe(event: str) -> dict[str, Any]:
    """Through the MCP server of the session, which runs anyway: no process to start, no port, no token."""
    fields = ("session_id", "transcript_path", "cwd", *_HELD_UP[event])
    sent = {"event": event, "client": "claude-code", **{name: f"${{{name}}}" for name in fields}}
    return {"type": "mcp_tool", "server": _SERVER, "tool": HOOK_TOOL, "input": sent, "timeout": _PIPE_SECONDS}


def _over_http(event: str, http: HttpAddress) -> dict[str, Any]:
    return {
        "type": "http",
        "url": f"{http.url}/hooks/claude-code/{event}",
        "headers": {"Authorization": f"Bearer {http.token}"},
        "timeout": 1 + DEADLINES.get(event, DEADLINE) // 1000,  # whole seconds, more than the daemon takes for itself
    }


def hooks_for(client: str, data: Path) -> dict[str, list[dict[str, Any]]]:
    """The hooks of the shipped folder, each with the command of this machine."""
    shipped: dict[str, list[dict[str, Any]]] = json.loads((_FOLDER / "hooks/hooks.json").read_text("utf-8"))["hooks"]
    for event, groups in shipped.items():
        for group in groups:
            for hook in group["hooks"]:
                hook["command"] = hook_command(event, client, data)
    return shipped


def skill() -> str:
    return (_FOLDER / "skills/nightgarden/SKILL.md").read_text("utf-8")


def opencode_plugin(home: Path) -> str:
    """The OpenCode plugin, which is told where the daemon's address lies and how to start the hook."""
    script = _OPENCODE.read_text("utf-8")
    words = json.dumps(hook_words(home))
    script = script.replace('const PROGRAM = ["nightgarden", "hook"]', f"const PROGRAM = {words}")
    return script.replace('const HOME = "~/.local/share/nightgarden"', f"const HOME = {json.dumps(str(home))}")


def _write(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
