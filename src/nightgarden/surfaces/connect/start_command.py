"""How clients start us: by absolute paths, because a client's PATH is not the user's shell's, and with the data folder
said each time, because a client's environment is not the user's shell's either."""

from __future__ import annotations

from pathlib import Path

from nightgarden.machine import programs


def hook_words(data: Path) -> list[str]:
    return programs.hook_words(str(data))


def mcp_words() -> list[str]:
    return programs.own_words("mcp")


def mcp_env(data: Path) -> dict[str, str]:
    """What our server needs of the environment, for clients that give it none of theirs."""
    return {"NIGHTGARDEN_HOME": str(data)}


def status_command(data: Path) -> str:
    return programs.one_line([*hook_words(data), "StatusLine", "claude-code"])


def hook_command(event: str, client: str, data: Path) -> str:
    """As one line for a shell."""
    return programs.one_line([*hook_words(data), event, client])


def is_hook_command(command: str) -> bool:
    """Whether a command in a client's file is ours, from whatever place and in whatever version we were installed."""
    return (
        "nightgarden" in command
        and ("hook" in command)
        and any(mark in command for mark in ("process.py", "nightgarden hook"))
    )
