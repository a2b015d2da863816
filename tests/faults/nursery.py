"""A process that has imported the product and does nothing but fork: each child does one thing and ends, or is ended.

    python -m tests.faults.nursery

Starting Python and importing the product takes longer than most operations, and a kill at a random moment would fall
into that most of the time. The nursery itself opens no garden and has no threads, so forking it is safe. A line of JSON
in, a line of JSON out: `start` answers with the child's process, `wait` with how it ended and what it returned.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nightgarden.surfaces.daemon.serve
from nightgarden.store.sqlite.rescue import rescue
from nightgarden.surfaces.daemon.__main__ import main as be_daemon
from tests.faults.damage import Damaged, damage
from tests.faults.operations import EVERY, OPERATIONS, contents, opened, settings_of, soundness, take_notes
from tests.faults.victim import Points, watch

assert nightgarden.surfaces.daemon.serve  # imported here so that no child has to
SECONDS_MAX = 120  # of a child; whatever takes longer hangs


def _prepare(home: Path, name: str) -> None:
    asyncio.run(EVERY[name].prepare(home))


def _run(home: Path, name: str, point: int) -> int:
    points = Points(point)
    watch(points, home)
    EVERY[name].run(home)
    return points.count


def _judge(home: Path, name: str) -> list[str]:
    try:
        return asyncio.run(EVERY[name].judge(home))
    except Exception as error:  # noqa: BLE001 - a garden that cannot be opened or used is what is looked for
        return [f"{type(error).__name__}: {error}"]


def _serve(home: Path) -> None:
    settings_of(home)
    be_daemon([])


def _damage(home: Path, seed: int) -> dict[str, Any]:
    done = damage(home / "garden.db", random.Random(seed))
    try:
        said = rescue(home / "garden.db")
        left, wrong = asyncio.run(_left(home))
    except Exception as error:  # noqa: BLE001 - whatever it is, the repair failed
        return Damaged(kind=done, left=0, said="", wrong=[f"{type(error).__name__}: {error}"]).shape()
    return Damaged(kind=done, left=left, said=said, wrong=wrong).shape()


async def _left(home: Path) -> tuple[int, list[str]]:
    async with opened(home) as garden:
        return len(await contents(garden)), await soundness(garden, expected=0)


WORKS: dict[str, Callable[..., Any]] = {
    "prepare": _prepare,
    "run": _run,
    "judge": _judge,
    "serve": _serve,
    "take_notes": take_notes,
    "damage": _damage,
}


def _start(work: str, home: str, given: list[Any], result: Path) -> int:
    """Forks. The child never returns from here."""
    result.unlink(missing_ok=True)
    if child := os.fork():
        return child
    code = 1
    try:
        signal.alarm(SECONDS_MAX)
        silent = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1) if work != "serve" else (0, 1, 2):  # a daemon speaks of its own accord
            os.dup2(silent, stream)
        returned = WORKS[work](Path(home), *given)
        result.write_text(json.dumps(returned))
        code = 0
    except BaseException:  # noqa: BLE001 - a child's last words
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _warm_up() -> None:
    """Fills what is compiled and cached at first use, so that no child has to. Leaves no thread behind."""
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        asyncio.run(OPERATIONS["write"].prepare(home))
        OPERATIONS["write"].run(home)
        asyncio.run(OPERATIONS["tend"].judge(home))
    assert threading.active_count() == 1, threading.enumerate()


def main(result: Path) -> None:
    _warm_up()
    sys.stdin.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    for line in sys.stdin:
        request = json.loads(line)
        if request["do"] == "start":
            answer: Any = _start(request["work"], request["home"], request["given"], result)
        else:
            _, status = os.waitpid(request["process"], 0)
            code = os.waitstatus_to_exitcode(status)
            # One that was killed may have been about to write its result, and left half of it.
            answer = {"code": code, "returned": json.loads(result.read_text()) if code == 0 else None}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
