"""Runs the real program, as a user would, with a data folder of the test's own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
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
