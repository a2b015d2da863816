"""Real daemons for tests: starting them, seeing their processes, and waiting for states with a bound."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from nightgarden.errors import DaemonAway, DaemonSlow
from nightgarden.surfaces import client
from nightgarden.surfaces.daemon.folder import DaemonFolder
from nightgarden.surfaces.daemon.holder import stop_holder
from tests.cli.command import environment

T = TypeVar("T")
SECONDS_MAX = 60.0  # a bound for a machine under load; states come within a second on a quiet one


def wait_for(state: Callable[[], T], what: str, seconds: float = SECONDS_MAX) -> T:
    """The state's value, once it is true."""
    until = time.monotonic() + seconds
    while not (value := state()):
        assert time.monotonic() < until, f"not seen within {seconds} s: {what}"
        time.sleep(0.005)
    return value


class Home:
    """A data folder, and whatever runs for it."""

    def __init__(self, path: Path, settings: str = "") -> None:
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        (path / "config.toml").write_text('[embedding]\nmodel = "off"\n' + settings, "utf-8")
        self.folder = DaemonFolder(path)

    def spawn(self) -> None:
        """Starts a daemon and does not wait."""
        assert client.start_in_background(str(self.path), even_if_disabled=True)
        client.reap()

    def start(self) -> int:
        """Starts a daemon and waits until it answers; its process."""
        self.spawn()
        return int(wait_for(self.ping, "an answer to ping")["pid"])

    def serve(self) -> subprocess.Popen[bytes]:
        """One in the foreground, as a child of this test."""
        command = [sys.executable, "-m", "nightgarden", "serve"]
        env = environment(self.path)
        process = subprocess.Popen(command, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait_for(self.ping, "an answer to ping")
        return process

    def ping(self) -> dict[str, Any] | None:
        with suppress(DaemonAway, DaemonSlow):
            return dict(client.ask("ping", home=str(self.path), timeout_ms=2000))
        return None

    def ask(self, op: str, arguments: dict[str, Any] | None = None, **more: Any) -> Any:
        return client.ask(op, arguments, home=str(self.path), **({"timeout_ms": 30_000} | more))

    def stop(self) -> None:
        stop_holder(self.folder)

    def processes(self) -> list[int]:
        """Every living process that was started for this data folder."""
        mark = f"NIGHTGARDEN_HOME={self.path}".encode()
        found = []
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit() or int(entry.name) == os.getpid():
                continue
            with suppress(OSError):
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
        client.reap()
        return found

    def wait_until_gone(self, seconds: float = SECONDS_MAX) -> None:
        wait_for(lambda: not self.processes(), "the end of all processes", seconds)

    def kill_all(self) -> None:
        """Whatever a test left, each ended by its own number, also one that is just being forked."""
        wait_for(lambda: not self._killed(), "the end of all processes")

    def _killed(self) -> list[int]:
        found = self.processes()
        for process in found:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        return found
