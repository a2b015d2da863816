"""The process that clients start: it never fails, never talks nonsense, and is light."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from nightgarden.surfaces.connect.start_command import hook_words
from nightgarden.surfaces.daemon.protocol import read_raw
from nightgarden.surfaces.hooks.process import SPOOL_FILES_MAX

EVENT = {"session_id": "s1", "prompt": "which port does staging use?"}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A data folder whose daemon is never started on demand."""
    home = tmp_path / "data"
    home.mkdir()
    (home / "config.toml").write_text("[daemon]\non_demand = false\n")
    return home


def hook(event: str, given: bytes, home: Path) -> subprocess.CompletedProcess[bytes]:
    env = {"PATH": os.environ["PATH"]}  # a client need not know where the data is
    done = subprocess.run(
        [*hook_words(home), event, "claude-code"], input=given, capture_output=True, env=env, timeout=30
    )
    assert (done.returncode, done.stderr) == (0, b"")
    return done


@pytest.mark.parametrize("given", [b"", b"{", b"[]", b"null", b"\xff\xfe", json.dumps(EVENT).encode()])
@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "NoSuchEvent"])
def test_it_ends_well_and_says_nothing_whatever_it_is_given(event: str, given: bytes, home: Path) -> None:
    assert hook(event, given, home).stdout == b""


def test_what_must_not_be_lost_is_spooled_without_a_word_that_was_said(home: Path) -> None:
    said = {**EVENT, "last_assistant_message": "a secret", "cwd": str(home), "reason": "it ran out of a secret"}
    hook("Stop", json.dumps(said).encode(), home)
    hook("UserPromptSubmit", json.dumps(said).encode(), home)
    (spooled,) = (home / "spool").glob("*.json")
    event = json.loads(spooled.read_text())
    assert event["op"] == "hook"
    assert event["arguments"]["data"] == {"session_id": "s1", "cwd": str(home)}
    assert event["arguments"]["spooled"] is True
    assert spooled.stat().st_mode & 0o077 == 0


def test_the_spool_is_bounded(home: Path) -> None:
    (home / "spool").mkdir()
    for number in range(SPOOL_FILES_MAX):
        (home / "spool" / f"{number}.json").touch()
    hook("Stop", json.dumps(EVENT).encode(), home)
    assert len(list((home / "spool").iterdir())) == SPOOL_FILES_MAX


def test_a_daemon_that_hangs_costs_no_more_than_the_deadline(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "daemon").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        monkeypatch.chdir(home)  # a short path, as sockets want it
        listening.bind("daemon/s")
        listening.listen()
        (home / "daemon" / "address.json").write_text(json.dumps({"socket": "daemon/s"}))
        began = time.monotonic()
        hook("UserPromptSubmit", json.dumps(EVENT).encode(), home)
        assert time.monotonic() - began < 5  # a quarter of a second, and a busy machine
    assert "no answer" in (home / "daemon" / "hook-failed").read_text()


def test_without_a_daemon_the_status_line_says_so(home: Path) -> None:
    assert "asleep" in hook("StatusLine", json.dumps(EVENT).encode(), home).stdout.decode()


def test_it_imports_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['x']; import nightgarden.surfaces.hooks.process; "
        "heavy = {'typing', 'dataclasses', 'pathlib', 'asyncio', 'argparse', 'numpy', 'subprocess', 'tomllib'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    source = str(Path(__file__).parents[2] / "src")
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, env={"PYTHONPATH": source}, check=True
    )
    assert done.stdout.strip() == "[]"


class Daemon:
    """Stands at the other end of the socket: takes one request, gives the answer it was told to."""

    def __init__(self, home: Path, answer: bytes) -> None:
        (home / "daemon").mkdir(exist_ok=True)
        self._answer = answer
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind("daemon/s")
        self._listening.listen()
        (home / "daemon" / "address.json").write_text(json.dumps({"pid": 1, "socket": "daemon/s", "http": None}))
        self.asked: list[dict[str, Any]] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                with connection, connection.makefile("rb") as lines:
                    self.asked.append(json.loads(lines.readline()))
                    connection.sendall(self._answer)

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join(10)


def test_the_usual_way_imports_no_json_and_passes_the_event_on_as_it_came(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    said = "zwei Zeilen:\n„ja“".encode()
    daemon = Daemon(home, b"plain %d\n%b" % (len(said), said))
    try:
        event = {**EVENT, "prompt": 'a "quoted"\nword', "cwd": "/somewhere"}
        given = json.dumps(event, indent=1, ensure_ascii=False).encode()
        words = hook_words(home)
        env = {"NIGHTGARDEN_HOME": str(home), "PATH": os.environ["PATH"]}
        done = subprocess.run(
            [words[0], "-X", "importtime", *words[1:], "UserPromptSubmit", "claude-code"],
            input=given,
            capture_output=True,
            env=env,
            timeout=30,
        )
    finally:
        daemon.close()
    assert done.stdout == said
    imported = {line.rsplit(b"|", 1)[-1].strip() for line in done.stderr.splitlines()}
    assert not imported & {b"json", b"socket", b"re", b"typing", b"pathlib", b"collections"}
    (asked,) = daemon.asked
    read_raw(asked)
    assert asked["arguments"] == {"client": "claude-code", "event": "UserPromptSubmit", "data": event}
    assert asked["plain"] is True


@pytest.mark.parametrize("broken", [b"plain 500\nshort", b"plain x\n", b"", b"nonsense\n"])
def test_an_answer_that_breaks_off_is_silence(broken: bytes, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home)
    daemon = Daemon(home, broken)
    try:
        assert hook("UserPromptSubmit", json.dumps(EVENT).encode(), home).stdout == b""
    finally:
        daemon.close()
