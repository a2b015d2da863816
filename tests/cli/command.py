"""Runs the real program, as a user would, with a data folder of the test's own."""

from __future__ import annotations

import json
import os
import pty
import struct
import subprocess
import sys
import termios
from collections.abc import Mapping
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path
from typing import Any

SOURCE = Path(__file__).resolve().parents[2] / "src"
SECONDS_MAX = 120  # a bound for a stuck process; nothing takes this long


@dataclass(frozen=True)
class Ran:
    """What a run of the program gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def environment(home: Path, **more: str) -> dict[str, str]:
    """A clean one: nothing of the developer's own settings leaks in."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "NG_CLASSIFIER_FOLDER") if name in os.environ}
    paths = {"NIGHTGARDEN_HOME": str(home), "HOME": str(home), "PYTHONPATH": str(SOURCE)}
    return kept | paths | {"NIGHTGARDEN_EMBEDDING_MODEL": "off"} | more


def run(
    home: Path,
    *words: str | bytes,
    cwd: Path | None = None,
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
) -> Ran:
    """One command line. No run may ever show a traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "nightgarden", *words],
        cwd=cwd or home,
        env=environment(home, **(env or {})),
        input=stdin,
        capture_output=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    err = done.stderr.decode("utf-8", "replace")
    assert "Traceback" not in err, err
    return Ran(done.returncode, done.stdout.decode("utf-8", "replace"), err)


def on_terminal(home: Path, project: Path, *words: str, columns: int = 80, typed: bytes = b"") -> str:
    """What a terminal of this width shows."""
    leader, follower = pty.openpty()
    ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    program = subprocess.Popen(
        [sys.executable, "-m", "nightgarden", *words],
        cwd=project,
        env=environment(home, NIGHTGARDEN_DIRECT="1", NO_COLOR="1", TERM="xterm"),
        stdin=follower,
        stdout=follower,
        stderr=follower,
    )
    os.close(follower)
    os.write(leader, typed)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 65536)
        except OSError:  # Linux says so when the other end is closed
            break
        if not piece:
            break
        shown += piece
    program.wait(timeout=60)
    os.close(leader)
    return shown.decode().replace("\r\n", "\n")
