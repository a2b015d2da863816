"""How clients start us: by absolute paths, because a client's PATH is not the user's shell's."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

from nightgarden.surfaces.hooks import process


def hook_words() -> list[str]:
    """Python by path, alone and without site packages: 10 to 20 ms faster at every prompt."""
    return [sys.executable, "-I", "-S", str(Path(process.__file__).resolve())]


def mcp_words() -> list[str]:
    return [sys.executable, "-m", "nightgarden", "mcp"]


def status_words() -> list[str]:
    return [*hook_words(), "StatusLine", "claude-code"]


def hook_command(event: str, client: str) -> str:
    """As one line for a shell."""
    return one_line([*hook_words(), event, client])


def one_line(words: list[str]) -> str:
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)


def is_hook_command(command: str) -> bool:
    """Whether a command in a client's file is ours, from whatever place we were installed in."""
    return (
        "nightgarden" in command
        and ("hook" in command)
        and any(mark in command for mark in ("process.py", "nightgarden hook"))
    )
