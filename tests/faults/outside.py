"""A user who has nothing but the program: its commands, what `connect` writes, MCP, and the files it leaves.

Knows no module of the product but the entry of its command line, so that these tests run against any version.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SECONDS_MAX = 60  # a bound: whatever takes longer hangs
# Runs a command that ends itself before the n-th event of a kind: a statement of SQLite that begins with given words,
# or a file that is renamed. With 0 it runs to its end and says how many there were.
_ENDING = """
import os, signal, sqlite3, sys
kind, chosen, count = sys.argv[1], int(sys.argv[2]), 0
def passed():
    global count
    count += 1
    if count == chosen:
        os.kill(os.getpid(), signal.SIGKILL)
class Watched(sqlite3.Connection):
    def execute(self, sql, *more):
        if kind != "rename" and sql.lstrip().upper().startswith(kind):
            passed()
        return super().execute(sql, *more)
inner = sqlite3.connect
sqlite3.connect = lambda *given, **named: inner(*given, **({"factory": Watched} | named))
sys.addaudithook(lambda event, given: passed() if event == "os.rename" and kind == "rename" else None)
from nightgarden.surfaces.cli.main import main
code = main(sys.argv[3:])
print(f"passed {count}", file=sys.stderr)
sys.exit(code)
"""
_PLANT = """
import asyncio, sys
from nightgarden import Garden
async def plant():
    async with Garden.open(sys.argv[1] + "/garden.db", directory=sys.argv[2]) as garden:
        for number in range(int(sys.argv[3])):
            await garden.remember(f"Bed g{number:03}x is watered by keeper {number}")
asyncio.run(plant())
"""


class User:
    """One with a home, a data folder and a project, in a folder of the test."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "user"
        self.data = self.home / "data"
        self.project = folder / "project"
        for each in (self.home / ".claude", self.home / ".codex", self.project):
            each.mkdir(parents=True)

    @property
    def env(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        own = {"HOME": str(self.home), "NIGHTGARDEN_HOME": str(self.data), "NIGHTGARDEN_EMBEDDING_MODEL": "off"}
        return kept | own | {"NG_CLASSIFIER_FOLDER": os.devnull, "NIGHTGARDEN_DAEMON_ON_DEMAND": "false"}

    def start(self, words: list[str], cwd: Path | None = None, given: str = "") -> subprocess.CompletedProcess[str]:
        """A process of its own; raises TimeoutExpired when it hangs."""
        where = cwd or self.project
        return subprocess.run(
            words,
            cwd=where,
            env=self.env,
            input=given,
            capture_output=True,
            text=True,
            timeout=SECONDS_MAX,
            check=False,
        )

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return self.start([sys.executable, "-P", "-m", "nightgarden", *words], cwd)

    def plant(self, count: int) -> None:
        """Memories `Bed g…`, through the public API."""
        done = self.start([sys.executable, "-P", "-c", _PLANT, str(self.data), str(self.project), str(count)])
        assert done.returncode == 0, done.stderr

    def run_and_die(self, kind: str, chosen: int, *words: str) -> int:
        """Ends the command before the n-th event of that kind. Returns how many there were if it ran to its end."""
        done = self.start([sys.executable, "-P", "-c", _ENDING, kind, str(chosen), *words])
        if done.returncode == -signal.SIGKILL:
            return -1
        return int(done.stderr.rpartition("passed ")[2])

    def listed(self, *more: str, cwd: Path | None = None) -> list[dict[str, Any]]:
        done = self.run("list", "--json", "--limit", "100", *more, cwd=cwd)
        return list(json.loads(done.stdout)["memories"]) if done.returncode == 0 else []

    def beds(self) -> int:
        return sum(memory["content"].startswith("Bed g") for memory in self.listed())

    def files_with(self, text: str) -> list[Path]:
        return [path for path in self.files() if text.lower().encode() in path.read_bytes().lower()]

    def files(self) -> Iterator[Path]:
        return (path for path in self.home.rglob("*") if path.is_file() and not path.is_symlink())

    def mcp(self, tool: str, arguments: dict[str, Any], cwd: Path | None = None) -> str:
        """What the MCP server that `connect` configured answers to one call."""
        assert self.run("connect", "claude-code", "--yes").returncode == 0
        entry = json.loads((self.data / "plugin" / ".mcp.json").read_text())["mcpServers"]["nightgarden"]
        calls: list[dict[str, Any]] = [
            {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}}},
            {"id": 2, "method": "tools/call", "params": {"name": tool, "arguments": arguments}},
        ]
        given = "".join(json.dumps({"jsonrpc": "2.0", **call}) + "\n" for call in calls)
        return self.start([entry["command"], *entry["args"]], cwd, given).stdout
