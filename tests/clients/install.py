"""Installs the pinned clients from npm into a cache folder, once, also when several test runs start together.

It knows which versions the tests were written against; it does not know how the clients are run.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tests.clients.node import cache_folder, npm, path_with_node


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """One npm package at one version, and the program it brings, if any."""

    package: str
    version: str
    program: str = ""

    @property
    def folder_name(self) -> str:
        return f"{self.program or self.package.strip('@').replace('/', '-')}-{self.version}"


# Pinned: an unpinned Claude Code silently installs an older one under Node 20.
CLAUDE_CODE = Client(package="@anthropic-ai/claude-code", version="2.1.325", program="claude")
CODEX = Client(package="@openai/codex", version="0.166.0", program="codex")
OPENCODE = Client(package="opencode-ai", version="1.18.33", program="opencode")
# OpenCode installs this into its settings folder at its first start, which takes longer than all the rest of a test.
OPENCODE_PLUGIN = Client(package="@opencode-ai/plugin", version="1.18.33")
GEMINI = Client(package="@google/gemini-cli", version="0.61.0", program="gemini")
COPILOT = Client(package="@github/copilot", version="1.0.102", program="copilot")
INSPECTOR = Client(package="@modelcontextprotocol/inspector", version="2.12.0", program="mcp-inspector")
JSDOM = Client(package="jsdom", version="26.1.0")  # runs the dashboard's page where no browser is installed
NODE = Client(package="node", version="24.21.0", program="node")  # the Inspector needs Node 22 or newer


def install(client: Client) -> Path:
    """The path of the client's program, installed first when it is not there yet."""
    return install_folder(client) / "node_modules" / ".bin" / client.program


def install_folder(client: Client) -> Path:
    """The folder with its package.json and node_modules."""
    cache = cache_folder()
    cache.mkdir(parents=True, exist_ok=True)
    home = cache / client.folder_name
    with (cache / f"{client.folder_name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (home / "node_modules" / ".bin" / client.program).exists():
            _install_whole(client, home)
    return home


def _install_whole(client: Client, home: Path) -> None:
    """Into a folder of its own first: an install that broke off never looks complete."""
    wanted = f"{client.package}@{client.version}"
    with tempfile.TemporaryDirectory(dir=home.parent, prefix=f"{client.folder_name}-") as half:
        fresh = Path(half) / "fresh"
        fresh.mkdir()
        (fresh / "package.json").write_text("{}")
        done = subprocess.run(
            [*npm(), "install", "--no-audit", "--no-fund", "--loglevel=error", "--save-exact", wanted],
            cwd=fresh,
            env={**os.environ, "PATH": path_with_node()},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        if done.returncode != 0:
            raise RuntimeError(f"npm could not install {wanted}:\n{done.stderr[-2000:]}")
        if home.exists():
            shutil.rmtree(home)
        fresh.rename(home)
