"""What a client itself says of our part in it: whether it loads our server, and whether its user trusts our hooks.

Reading the client's files tells what was written, not what the client makes of it: it may ignore a file it cannot
parse, or a folder that its user has not trusted. Only a client whose program is on the PATH can be asked.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from nightgarden._version import __version__
from nightgarden.machine import programs
from nightgarden.machine.bounded_toml import read_toml
from nightgarden.machine.plain_files import read_plain
from nightgarden.surfaces.connect.clients import CLIENTS, ConfigSpot
from nightgarden.surfaces.connect.start_command import is_hook_command
from nightgarden.surfaces.connect.step import SETTINGS_BYTES_MAX

ASK_SECONDS_MAX = 45.0  # a client starts in one to four seconds, on a busy machine in many more
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_HOOKS_ID = 2
_NOT_TRUSTED = "Codex skips our hooks until you trust them; start codex, look at them under /hooks and trust them"


def ask_client(name: str, spot: ConfigSpot) -> str | None:
    """What is wrong as the client sees it, with the fix; None: nothing, or it cannot be asked."""
    asked = _ASKED.get(name)
    program = shutil.which(CLIENTS[name].program) if asked is not None else None
    if asked is None or program is None:
        return _NOT_TRUSTED if name == "codex" and not _trusted_on_file(spot) else None
    title = CLIENTS[name].title
    try:
        return asked(program, spot)
    except TimeoutError:
        return (
            f"{title} did not say within {ASK_SECONDS_MAX:g} s what it loads; try again when the machine is less busy"
        )
    except (OSError, ValueError) as error:
        return f"{title} could not be asked what it loads ({error}); does `{CLIENTS[name].program}` run?"


def _claude(program: str, spot: ConfigSpot) -> str | None:
    line = _server_line([program, "mcp", "list"], spot)
    if line is None:
        folder = (
            f"start claude once in {spot.project} and trust the folder"
            if spot.project
            else "its settings.json may have an error or a comment in it, which makes Claude Code ignore the whole file"
        )
        return f"Claude Code does not load our plugin: {folder}"
    return None if "Connected" in line else f"Claude Code cannot use our MCP server ({_after_dash(line)})"


def _opencode(program: str, spot: ConfigSpot) -> str | None:
    line = _server_line([program, "mcp", "list"], spot)
    if line is None:
        return "OpenCode does not load our MCP server; look for an error in its opencode.json"
    return None if "connected" in line else f"OpenCode cannot use our MCP server ({line.strip()})"


def _gemini(program: str, spot: ConfigSpot) -> str | None:
    line = _server_line([program, "mcp", "list"], spot)
    if line is None:
        return "Gemini CLI does not load our MCP server; look for an error in its settings.json"
    if spot.project is not None and "Disabled" in line:
        return f"Gemini CLI uses no MCP server in a folder that you have not trusted: start gemini in {spot.project}"
    return None if "Disconnected" not in line else f"Gemini CLI cannot use our MCP server ({_after_dash(line)})"


def _copilot(program: str, spot: ConfigSpot) -> str | None:
    line = _server_line([program, "mcp", "list"], spot)
    return None if line else "Copilot CLI does not load our MCP server; look for an error in its mcp-config.json"


def _codex(program: str, spot: ConfigSpot) -> str | None:
    ours = [hook for hook in _codex_hooks(program, spot) if is_hook_command(str(hook.get("command", "")))]
    if not ours:
        trust = f"; start codex once in {spot.project} and trust the folder" if spot.project else ""
        return f"Codex does not load our hooks{trust or ', look for an error in its hooks.json'}"
    if any(hook.get("trustStatus") not in ("trusted", "managed") for hook in ours):
        return _NOT_TRUSTED
    if not all(hook.get("enabled") for hook in ours):
        return "our hooks are switched off in Codex; start codex and switch them on under /hooks"
    return None


def _codex_hooks(program: str, spot: ConfigSpot) -> list[dict[str, Any]]:
    where = _where(spot)
    messages = [
        {"id": 1, "method": "initialize", "params": {"clientInfo": {"name": "nightgarden", "version": __version__}}},
        {"method": "initialized"},
        {"id": _HOOKS_ID, "method": "hooks/list", "params": {"cwds": [str(where)]}},
    ]
    given = "".join(json.dumps(message) + "\n" for message in messages).encode()
    line = programs.converse(
        [program, "app-server"], cwd=where, env=_env(), given=given, until=_is_list, seconds=ASK_SECONDS_MAX
    )
    try:
        return [hook for each in json.loads(line)["result"]["data"] for hook in each["hooks"]]
    except (KeyError, TypeError):
        raise ValueError("it does not know the request hooks/list, an older version perhaps") from None


def _trusted_on_file(spot: ConfigSpot) -> bool:
    """Whether the user trusted some version of our hooks: which one only Codex can tell."""
    folder = CLIENTS["codex"].folder(spot)
    hooks = (spot.project / ".codex" if spot.project else folder) / "hooks.json"
    try:
        text = read_plain(folder / "config.toml", bytes_max=SETTINGS_BYTES_MAX).decode("utf-8")
        settings = read_toml(text)
    except (OSError, ValueError, RecursionError):
        return False
    found = settings.get("hooks", {})
    state = found.get("state", {}) if isinstance(found, dict) else {}
    ours = [each for key, each in state.items() if key.startswith(f"{hooks}:")] if isinstance(state, dict) else []
    return any(isinstance(each, dict) and "trusted_hash" in each for each in ours)


def _is_list(line: bytes) -> bool:
    try:
        message = json.loads(line)
    except ValueError:
        return False
    return isinstance(message, dict) and message.get("id") == _HOOKS_ID


def _server_line(words: list[str], spot: ConfigSpot) -> str | None:
    """What the client says of the server with our name."""
    done = programs.run(words, cwd=_where(spot), env=_env(), seconds=ASK_SECONDS_MAX)
    said = _COLOURS.sub("", (done.stdout + done.stderr).decode("utf-8", "replace"))  # Gemini CLI lists on the second
    return next((line for line in said.splitlines() if "nightgarden" in line), None)


def _after_dash(line: str) -> str:
    return line.rpartition(" - ")[2].strip()


def _where(spot: ConfigSpot) -> Path:
    return spot.project or spot.user


def _env() -> dict[str, str]:
    """As a client is started by somebody whose shell does not say where our data is."""
    return {name: value for name, value in os.environ.items() if name != "NIGHTGARDEN_HOME"}


_ASKED: dict[str, Callable[[str, ConfigSpot], str | None]] = {
    "claude-code": _claude,
    "codex": _codex,
    "opencode": _opencode,
    "gemini-cli": _gemini,
    "copilot-cli": _copilot,
}
