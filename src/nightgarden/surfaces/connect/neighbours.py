"""Other memory tools that a client has already. They are named to the user, never touched."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from nightgarden.errors import BadInput
from nightgarden.machine.bounded_toml import read_toml
from nightgarden.machine.plain_files import read_plain
from nightgarden.surfaces.connect import jsonc
from nightgarden.surfaces.connect.clients import ConfigSpot
from nightgarden.surfaces.connect.step import SETTINGS_BYTES_MAX

# Names under which memory servers and plugins are commonly installed. A tool with another name is not noticed.
_MEMORY = re.compile(
    r"mem0|memory|memo\b|claude-mem|\bmem\b|letta|\bzep\b|graphiti|cognee|supermemory|recall|hindsight", re.I
)


def neighbours(client: str, spot: ConfigSpot) -> list[str]:
    """Names of other memory tools in the client's settings."""
    names = {name for name in _names(client, spot) if _MEMORY.search(name) and "nightgarden" not in name}
    return sorted(names)


def _names(client: str, spot: ConfigSpot) -> Iterable[str]:
    user, project = spot.user, spot.project or spot.user
    match client:
        case "claude-code":
            for path in (user / ".claude.json", user / ".claude" / "settings.json", project / ".mcp.json"):
                found = _json(path)
                yield from _keys(found.get("mcpServers"))
                yield from _keys(found.get("enabledPlugins"))
        case "codex":
            try:
                settings = read_plain(user / ".codex" / "config.toml", bytes_max=SETTINGS_BYTES_MAX)
                found = read_toml(settings.decode("utf-8"))
            except (OSError, ValueError, RecursionError):
                return
            yield from _keys(found.get("mcp_servers"))
            yield from _keys(found.get("plugins"))
        case "opencode":
            for name in ("opencode.json", "opencode.jsonc"):
                found = _json(user / ".config" / "opencode" / name)
                yield from _keys(found.get("mcp"))
                yield from (str(plugin) for plugin in found.get("plugin") or ())


def _json(path: Any) -> dict[str, Any]:
    try:
        found = jsonc.read(read_plain(path, bytes_max=SETTINGS_BYTES_MAX).decode("utf-8"))
    except (OSError, ValueError, RecursionError, BadInput):
        return {}
    return found if isinstance(found, dict) else {}


def _keys(value: Any) -> list[str]:
    return list(value) if isinstance(value, dict) else []
