"""One attempt: a fresh copy of a prepared garden, an operation that is killed in a process of its own, a judgement."""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from pathlib import Path

from nightgarden.errors import NightgardenError
from nightgarden.store.sqlite.rescue import rescue
from nightgarden.surfaces import client
from tests.faults.operations import OPERATIONS, ack, contents, opened, soundness

ROOT = Path(__file__).resolve().parents[2]
SECONDS_MAX = 120
DAEMON_SECONDS_MAX = 30


def environment() -> Mapping[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NIGHTGARDEN_")}
    cache = {name: value for name, value in os.environ.items() if name == "NIGHTGARDEN_TEST_CACHE"}
    return kept | cache | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}", "COLUMNS": "100"}


def prepare(name: str, folder: Path) -> Path:
    """A garden to begin each attempt of an operation with."""
    home = folder / f"{name}-template"
    home.mkdir()
    asyncio.run(OPERATIONS[name].prepare(home))
    return home


def fresh(template: Path, folder: Path) -> Path:
    home = folder / "attempt"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(template, home)
    return home


def count_points(name: str, template: Path, folder: Path) -> tuple[int, float]:
    """How many exact points the operation has, and how many seconds it takes."""
    home = fresh(template, folder)
    began = time.monotonic()
    done = _run(name, home, 0)
    assert done.returncode == 0, done.stderr.decode("utf-8", "replace")
    return int((home / "points").read_text()), time.monotonic() - began


def kill_at_point(name: str, template: Path, folder: Path, point: int) -> tuple[bool, list[str]]:
    """Whether it was killed, and what is wrong afterwards."""
    home = fresh(template, folder)
    done = _run(name, home, point)
    return done.returncode == -signal.SIGKILL, _judge(name, home)


def kill_after(name: str, template: Path, folder: Path, seconds: float) -> tuple[bool, list[str]]:
    """The same at a moment."""
    home = fresh(template, folder)
    process = subprocess.Popen(
        _words(name, home, 0), env=environment(), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    return process.wait(SECONDS_MAX) == -signal.SIGKILL, _judge(name, home)


def kill_daemon(template: Path, folder: Path, seconds: float) -> tuple[bool, list[str]]:
    """A daemon that takes notes from a client is killed so long after the first one."""
    home = fresh(template, folder)
    env = {**environment(), "NIGHTGARDEN_HOME": str(home), "HOME": str(home), "NIGHTGARDEN_EMBEDDING_MODEL": "off"}
    process = subprocess.Popen(
        [sys.executable, "-m", "nightgarden", "serve"],
        env=env,
        cwd=home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    timer: threading.Timer | None = None
    number, until = 0, time.monotonic() + DAEMON_SECONDS_MAX
    while process.poll() is None and time.monotonic() < until:
        text = f"Pond {number} holds carp of kind {number}"
        try:
            client.ask("remember", {"text": text}, directory=str(home), home=str(home), timeout_ms=5000)
        except NightgardenError:
            time.sleep(0.01)  # between two tries to reach one that starts, or that is gone
            continue
        ack(home, text)
        number += 1
        if timer is None:
            timer = threading.Timer(seconds, process.kill)
            timer.start()
    if timer is not None:
        timer.join()
    else:
        process.kill()
        return False, ["the daemon took no note"]
    return process.wait(SECONDS_MAX) == -signal.SIGKILL, _judge("write", home)


def damage(template: Path, folder: Path, chance: random.Random) -> tuple[int, list[str]]:
    """Flips bits, overwrites a page or cuts the end off a sound garden, and repairs it. Returns how many memories are
    left of all, and what is wrong but for lost ones."""
    home = fresh(template, folder)
    garden = home / "garden.db"
    data = bytearray(garden.read_bytes())
    match chance.randrange(3):
        case 0:
            for _ in range(chance.choice((1, 1, 5, 20))):
                data[chance.randrange(100, len(data))] ^= 1 << chance.randrange(8)
        case 1:
            start = 4096 * chance.randrange(1, len(data) // 4096)
            data[start : start + 4096] = chance.randbytes(4096)
        case _:
            del data[-4096 * chance.randrange(1, max(2, len(data) // 40960)) :]
    garden.write_bytes(data)
    try:
        rescue(garden)
        return asyncio.run(_left(home))
    except Exception as error:  # noqa: BLE001 - whatever it is, the repair failed
        return 0, [f"{type(error).__name__}: {error}"]


async def _left(home: Path) -> tuple[int, list[str]]:
    async with opened(home) as garden:
        return len(await contents(garden)), await soundness(garden, expected=0)


def _judge(name: str, home: Path) -> list[str]:
    try:
        return asyncio.run(OPERATIONS[name].judge(home))
    except Exception as error:  # noqa: BLE001 - a garden that cannot be opened or used is what is looked for
        return [f"{type(error).__name__}: {error}"]


def _words(name: str, home: Path, point: int) -> list[str]:
    return [sys.executable, "-m", "tests.faults.victim", name, str(home), str(point)]


def _run(name: str, home: Path, point: int) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        _words(name, home, point), env=environment(), cwd=ROOT, capture_output=True, timeout=SECONDS_MAX, check=False
    )
