"""Commands that only look something up start without numpy and without the rules of any language."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import environment

_RUN = """
import json, os, sys
from nightgarden.surfaces.cli.main import main
try:
    code = main(sys.argv[1:])
except SystemExit as error:
    code = error.code
heavy = [name for name in sorted(sys.modules) if name.startswith(tuple(os.environ["HEAVY"].split()))]
print(json.dumps({"code": code or 0, "heavy": heavy}), file=sys.stderr)
"""
HEAVY = ("numpy", "onnxruntime", "asyncpg", "nightgarden.remember.language", "nightgarden.store.vectors")


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("list",),
        ("history",),
        ("flagged",),
        ("tag", "--help"),
        ("schedule", "list"),
        ("completion", "bash"),
    ],
    ids=" ".join,
)
def test_a_command_that_looks_something_up_loads_nothing_heavy(words: tuple[str, ...], tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", _RUN, *words],
        env=environment(tmp_path, NIGHTGARDEN_DAEMON_ON_DEMAND="false", HEAVY=" ".join(HEAVY)),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    told = json.loads(ran.stderr.splitlines()[-1])
    assert told == {"code": 0, "heavy": []}, ran.stderr
