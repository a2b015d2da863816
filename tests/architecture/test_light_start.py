"""Commands that only look something up start without numpy, without the rules of any language, and with few of our own
modules: what a garden could also do is loaded when it is first asked for."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

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
ours = sorted(name for name in sys.modules if name.startswith("nightgarden."))
print(json.dumps({"code": code or 0, "heavy": heavy, "ours": ours}), file=sys.stderr)
"""
HEAVY = ("numpy", "onnxruntime", "asyncpg", "nightgarden.remember.language", "nightgarden.store.vectors")
OURS_MAX = 120  # of more than 690; it takes 109 to open a garden and list what is in it


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
    assert run_here(words, tmp_path)["heavy"] == []


@pytest.mark.parametrize("words", [("list",), ("history",), ("flagged",)], ids=" ".join)
def test_a_command_that_looks_something_up_loads_few_of_our_modules(words: tuple[str, ...], tmp_path: Path) -> None:
    ours = run_here(words, tmp_path)["ours"]
    assert len(ours) <= OURS_MAX, ours


def test_a_look_does_not_load_the_model_that_missing_vectors_wait_for(tmp_path: Path) -> None:
    assert run_here(("remember", "The staging database runs on port 5433"), tmp_path)["code"] == 0
    looked = run_here(("list",), tmp_path, NIGHTGARDEN_EMBEDDING_MODEL="auto")
    assert (looked["heavy"], [name for name in looked["ours"] if ".models." in name]) == ([], [])


def run_here(words: tuple[str, ...], home: Path, **more: str) -> dict[str, Any]:
    """How a command ended without a daemon, and which modules it loaded."""
    ran = subprocess.run(
        [sys.executable, "-c", _RUN, *words],
        env=environment(home, NIGHTGARDEN_DAEMON_ON_DEMAND="false", HEAVY=" ".join(HEAVY), **more),
        cwd=home,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    told: dict[str, Any] = json.loads(ran.stderr.splitlines()[-1])
    assert told["code"] == 0, ran.stderr
    return told
