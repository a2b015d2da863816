"""The process that clients start: it never fails, never talks nonsense, and is light."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from nightgarden.surfaces.connect.program import hook_words
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
    env = {"NIGHTGARDEN_HOME": str(home), "PATH": os.environ["PATH"]}
    done = subprocess.run([*hook_words(), event, "claude-code"], input=given, capture_output=True, env=env, timeout=30)
    assert (done.returncode, done.stderr) == (0, b"")
    return done


@pytest.mark.parametrize("given", [b"", b"{", b"[]", b"null", b"\xff\xfe", json.dumps(EVENT).encode()])
@pytest.mark.parametrize("event", ["UserPromptSubmit", "Stop", "NoSuchEvent"])
def test_it_ends_well_and_says_nothing_whatever_it_is_given(event: str, given: bytes, home: Path) -> None:
    assert hook(event, given, home).stdout == b""


def test_what_must_not_be_lost_is_spooled_without_a_word_that_was_said(home: Path) -> None:
    said = {**EVENT, "last_assistant_message": "a secret", "cwd": str(home), "transcript_path": "/t.jsonl"}
    hook("Stop", json.dumps(said).encode(), home)
    hook("UserPromptSubmit", json.dumps(said).encode(), home)
    (spooled,) = (home / "spool").glob("*.json")
    event = json.loads(spooled.read_text())
    assert event["op"] == "hook"
    assert event["arguments"]["data"] == {"session_id": "s1", "cwd": str(home), "transcript_path": "/t.jsonl"}
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
