"""The OpenCode plugin in OpenCode's own runtime, before a daemon that takes its time: what is forbidden is stopped,
and its user is told."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nightgarden.surfaces.connect.plugin import opencode_plugin
from tests.clients.install import OPENCODE, install
from tests.runtime.running import Home

pytestmark = pytest.mark.xdist_group("opencode")

# Loads the plugin as the client does and asks about one tool; `busy` ms the client does something else first.
SCRIPT = """
const [file, busy] = process.argv.slice(2)
const { Nightgarden } = await import(file)
const client = { tui: { showToast: async ({ body }) => console.log(body.message) } }
const hooks = await Nightgarden({ directory: "/", client })
const asked = hooks["tool.execute.before"]({ sessionID: "s", tool: "bash" }, { args: { command: "rm -rf build" } })
const until = Date.now() + Number(busy)
while (Date.now() < until);
console.log(await asked.then(() => "ran", (error) => error.message))
process.exit(0)
"""


SAID = json.dumps({"deny": "stopped", "note": "a line for the user"})
STOPPED = "a line for the user\nstopped"


class SlowDaemon:
    """Says no to everything, after a while."""

    def __init__(self, home: Path, seconds: float) -> None:
        self._given_up = threading.Event()
        self._seconds = seconds
        (home / "daemon").mkdir()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(home / "daemon" / "s"))
        self._socket.listen()
        (home / "daemon" / "address.json").write_text(json.dumps({"socket": str(home / "daemon" / "s")}))
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        connection, _ = self._socket.accept()
        with connection, connection.makefile("rw") as lines:
            lines.readline()
            if not self._given_up.wait(self._seconds):
                lines.write(json.dumps({"id": 1, "ok": True, "result": {"stdout": SAID}}) + "\n")
                lines.flush()

    def close(self) -> None:
        self._given_up.set()
        self._thread.join()
        self._socket.close()


@pytest.fixture
def home() -> Iterator[Path]:
    """A short path, because a socket's path must be short."""
    with tempfile.TemporaryDirectory(prefix="ng", ignore_cleanup_errors=True) as folder:
        home = Home(Path(folder), "[daemon]\non_demand = false\n")
        yield home.path
        home.wait_until_gone()  # the hook that the plugin left behind; without its settings it would start a daemon


def before_a_tool(home: Path, *, busy_ms: int, patience: str = "") -> str:
    (home / "plugin.mjs").write_text(opencode_plugin(home))
    (home / "script.mjs").write_text(SCRIPT)
    env = {"HOME": str(home), "NIGHTGARDEN_HOME": str(home), "PATH": os.environ["PATH"], "BUN_BE_BUN": "1"}
    done = subprocess.run(
        [install(OPENCODE), str(home / "script.mjs"), str(home / "plugin.mjs"), str(busy_ms)],
        env=env | {"NIGHTGARDEN_HOOK_PATIENCE": patience},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("busy_ms", "daemon_seconds", "patience", "outcome"),
    [
        (0, 0.4, "", STOPPED),  # the daemon shares a busy machine
        (2500, 0.1, "", STOPPED),  # the client itself was busy past the deadline
        (0, 2.0, "4", STOPPED),  # a slow machine, whose user said so
        (0, 60.0, "", "ran"),  # it hangs: the client goes on
        (0, 60.0, "nonsense", "ran"),
    ],
)
def test_a_tool_waits_for_a_slow_daemon_and_not_for_a_hung_one(
    home: Path, busy_ms: int, daemon_seconds: float, patience: str, outcome: str
) -> None:
    daemon = SlowDaemon(home, daemon_seconds)
    try:
        assert before_a_tool(home, busy_ms=busy_ms, patience=patience) == outcome
    finally:
        daemon.close()
