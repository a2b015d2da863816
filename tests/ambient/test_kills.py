"""kill -9 at any write of a cycle: it is gone on with, nothing is done twice, nothing is lost.

`python -m bench.ambient kills 300` does the same at 300 random points.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXPECTED = {
    "running": "",
    "next_wake": True,
    "count": 10,
    "cycles": ["complete"],
    "tasks": [["check-ci", "done"], ["tend gaps", "done"]],
    "memories": ["The nightly build takes 40 minutes on the small runner", "The staging database listens on port 5433"],
    "directives": ["consumed"],
    "extraction": ["done"],
}


def run_victim(folder: Path, number: int, when: str) -> subprocess.CompletedProcess[bytes]:
    project = folder / "project"
    project.mkdir(exist_ok=True)
    words = [sys.executable, "-m", "tests.ambient.victim", str(folder / "garden.db"), str(project), str(number), when]
    return subprocess.run(words, cwd=ROOT, capture_output=True, check=False, timeout=120)


def check(folder: Path, number: int, when: str) -> dict[str, Any] | None:
    """Kills one, lets the next one live, and compares what is left. None: it ended before that write."""
    killed = run_victim(folder, number, when)
    if killed.returncode != -signal.SIGKILL:
        assert killed.returncode == 0, killed.stderr.decode()
        return None
    done = run_victim(folder, 0, "after")
    assert done.returncode == 0, done.stderr.decode()
    left: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert left.pop("resumes") <= 1
    assert left == EXPECTED, (number, when)
    return left


@pytest.mark.parametrize(
    ("number", "when"), [(2, "after"), (11, "before"), (24, "after"), (43, "before"), (58, "after")]
)
def test_a_cycle_that_is_killed_is_gone_on_with(
    number: int, when: str, tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check(tmp_path, number, when) is not None
