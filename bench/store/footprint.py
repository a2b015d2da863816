"""What nightgarden costs before it does anything: start of the program, a cold recall, the size of an installation."""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import tempfile
import time
import venv
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RUNS = 7


def measure(cache: Path, models: Path) -> dict[str, Any]:
    """Medians of processes started from scratch, and MB on disk of a fresh environment."""
    environment = cache / "nightgarden"
    python = environment / "bin" / "python"
    if not (environment / ".done").exists():
        venv.create(environment, with_pip=True, clear=True)
        bare = _megabytes(environment)
        subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT)], check=True)
        (environment / ".done").write_text(str(_megabytes(environment) - bare), encoding="ascii")
    program = environment / "bin" / "nightgarden"
    with tempfile.TemporaryDirectory(prefix="nightgarden-bench-") as home:
        env = {**os.environ, "NIGHTGARDEN_HOME": home, "NIGHTGARDEN_EMBEDDING_FOLDER": str(models), "PYTHONPATH": ""}
        for text in ("The staging database runs on port 5433", "Anna reviews the payment code", "We use tabs"):
            subprocess.run([program, "remember", text], env=env, check=True, capture_output=True, cwd=home)
        return {
            "python": _median([python, "-c", "pass"], env, home),
            "version": _median([program, "--version"], env, home),
            "list": _median([program, "list"], env, home),
            "recall": _median([program, "recall", "which port does staging use?"], env, home),
            "install_mb": float((environment / ".done").read_text(encoding="ascii")),
        }


def _median(command: list[str | Path], env: dict[str, str], folder: str) -> dict[str, float]:
    """Wall-clock and processor ms of one command."""
    seconds, worked = [], []
    for _ in range(RUNS):
        begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=env, check=True, capture_output=True, cwd=folder)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds.append(time.perf_counter() - begun)
        worked.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return {"ms": statistics.median(seconds) * 1000, "cpu": statistics.median(worked) * 1000}


def _megabytes(folder: Path) -> float:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20
