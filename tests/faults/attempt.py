"""One attempt: a fresh copy of a prepared garden, an operation that is killed in a process of its own, a judgement."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightgarden.errors import NightgardenError
from nightgarden.surfaces import client
from tests.faults.damage import Damaged
from tests.faults.operations import ON_POSTGRES, ack
from tests.faults.postgres import KillableServer

ROOT = Path(__file__).resolve().parents[2]
DAEMON_SECONDS_MAX = 30


def environment() -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NIGHTGARDEN_")}
    cache = {name: value for name, value in os.environ.items() if name == "NIGHTGARDEN_TEST_CACHE"}
    by_rules = {"NG_CLASSIFIER_FOLDER": os.devnull}  # "pond 7 holds carp" is not judged by its worth
    return kept | cache | by_rules | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}", "COLUMNS": "100"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a child ended, and what it returned."""

    code: int
    returned: Any

    @property
    def killed(self) -> bool:
        return self.code == -signal.SIGKILL


class Laboratory:
    """Attempts in one folder, by children of one nursery, and with one PostgreSQL server if it is given."""

    def __init__(self, folder: Path, nursery: subprocess.Popen[str], server: KillableServer | None) -> None:
        self._folder = folder
        self._nursery = nursery
        self._server = server

    def _ask(self, **request: Any) -> Any:
        assert self._nursery.stdin is not None
        assert self._nursery.stdout is not None
        self._nursery.stdin.write(json.dumps(request) + "\n")
        self._nursery.stdin.flush()
        answer = self._nursery.stdout.readline()
        assert answer, f"the nursery ended at {request}"
        return json.loads(answer)

    def _start(self, work: str, home: Path, *given: Any) -> int:
        return int(self._ask(do="start", work=work, home=str(home), given=given))

    def _wait(self, process: int) -> Ended:
        return Ended(**self._ask(do="wait", process=process))

    def _done(self, work: str, home: Path, *given: Any) -> Any:
        ended = self._wait(self._start(work, home, *given))
        assert ended.code == 0, f"{work} {given} ended with {ended.code}"
        return ended.returned

    def _fresh(self, name: str) -> Path:
        home = self._folder / "attempt"
        shutil.rmtree(home, ignore_errors=True)
        shutil.copytree(self._folder / f"{name}-template", home)
        if self._server and (home / "address").exists():
            (home / "address").write_text(self._server.make_database("attempt", template=name))
        if self._server and (home / "target").exists():
            (home / "target").write_text(self._server.make_database("attempt"))
        return home

    def prepare(self, name: str) -> None:
        """A garden to begin each attempt of an operation with; made once."""
        home = self._folder / f"{name}-template"
        if home.exists():
            return
        home.mkdir()
        if name in ON_POSTGRES:
            assert self._server
            role = "target" if name.startswith("migrate") else "address"
            (home / role).write_text(self._server.make_database(name))
        self._done("prepare", home, name)

    def count_points(self, name: str) -> tuple[int, float]:
        """How many exact points the operation has, and how many seconds it takes."""
        home = self._fresh(name)
        began = time.monotonic()
        points = int(self._done("run", home, name, 0))
        return points, time.monotonic() - began

    def kill_at_point(self, name: str, point: int) -> tuple[bool, list[str]]:
        """Whether it was killed, and what is wrong afterwards."""
        home = self._fresh(name)
        ended = self._wait(self._start("run", home, name, point))
        return ended.killed, self._judge(home, name)

    def kill_after(self, name: str, seconds: float) -> tuple[bool, list[str]]:
        """The same at a moment."""
        home = self._fresh(name)
        process = self._start("run", home, name, 0)
        time.sleep(seconds)  # the moment itself, not a wait for a state
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)
        return self._wait(process).killed, self._judge(home, name)

    def kill_daemon(self, seconds: float) -> tuple[bool, list[str]]:
        """A daemon that takes notes from a client is killed so long after the first one."""
        home = self._fresh("write")
        process = self._start("serve", home)
        timer: threading.Timer | None = None
        number, until = 0, time.monotonic() + DAEMON_SECONDS_MAX
        while time.monotonic() < until and (timer is None or timer.is_alive()):
            text = f"Pond {number} holds carp of kind {number}"
            try:
                client.ask("remember", {"text": text}, directory=str(home), home=str(home), timeout_ms=5000)
            except NightgardenError:
                time.sleep(0.002)  # between two tries to reach one that starts, or that is gone
                continue
            ack(home, text)
            number += 1
            if timer is None:
                timer = threading.Timer(seconds, os.kill, (process, signal.SIGKILL))
                timer.start()
        if timer is None:
            os.kill(process, signal.SIGKILL)
            self._wait(process)
            return False, ["the daemon took no note"]
        timer.join()
        return self._wait(process).killed, self._judge(home, "write")

    def kill_server(self, seconds: float) -> tuple[bool, list[str]]:
        """A PostgreSQL server is killed so long after a client's first note, and started again; the client goes on."""
        assert self._server
        home = self._fresh("write on PostgreSQL")
        process = self._start("take_notes", home)
        until = time.monotonic() + DAEMON_SECONDS_MAX
        while not (home / "acked").exists() and time.monotonic() < until:
            time.sleep(0.002)  # until the first note is there
        time.sleep(seconds)  # the moment itself
        self._server.kill()
        self._server.start_again()
        (home / "back").touch()
        ended = self._wait(process)
        wrong = [] if ended.code == 0 else [f"the client could not go on ({ended.code})"]
        return True, wrong + self._judge(home, "write on PostgreSQL")

    def damage(self, seed: int) -> Damaged:
        """A sound garden is damaged by chance and repaired."""
        home = self._fresh("write")
        return Damaged(**self._done("damage", home, seed))

    def _judge(self, home: Path, name: str) -> list[str]:
        ended = self._wait(self._start("judge", home, name))
        return list(ended.returned) if ended.code == 0 else [f"looking at it afterwards ended with {ended.code}"]


@contextmanager
def laboratory(folder: Path, server: KillableServer | None = None) -> Iterator[Laboratory]:
    words = [sys.executable, "-m", "tests.faults.nursery", str(folder / "result")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(words, env=environment(), cwd=ROOT, **pipes) as nursery:  # type: ignore[call-overload]
        try:
            yield Laboratory(folder, nursery, server)
        finally:
            nursery.stdin.close()
