"""What nightgarden costs before it does anything: start of the program, a cold recall, the size of an installation."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RUNS = 7


def measure(cache: Path, models: Path) -> dict[str, float]:
    """Medians in ms of processes started from scratch, and MB on disk of a fresh environment."""
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
            "python_ms": _median([python, "-c", "pass"], env, home),
            "version_ms": _median([program, "--version"], env, home),
            "list_ms": _median([program, "list"], env, home),
            "recall_ms": _median([program, "recall", "which port does staging use?"], env, home),
            "install_mb": float((environment / ".done").read_text(encoding="ascii")),
        }


def _median(command: list[str | Path], env: dict[str, str], folder: str) -> float:
    seconds = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        subprocess.run(command, env=env, check=True, capture_output=True, cwd=folder)
        seconds.append(time.perf_counter() - begun)
    return statistics.median(seconds) * 1000


def _megabytes(folder: Path) -> float:
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file()) / 2**20
