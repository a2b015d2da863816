"""What starting costs: CPU time of light commands as multiples of bare Python, the least of many runs of each.

python -m bench.house [RUNS]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = 25
OURS = str(Path(sys.executable).parent / "nightgarden")
CASES = {
    "python -c pass": [sys.executable, "-c", "pass"],
    "nightgarden --version": [OURS, "--version"],
    "nightgarden --help": [OURS, "--help"],
    "nightgarden remember --help": [OURS, "remember", "--help"],
    "recall through the daemon": [OURS, "recall", "which port does staging use?"],
    "recall --json through the daemon": [OURS, "recall", "--json", "which port does staging use?"],
    "remember through the daemon": [OURS, "remember", "The staging database runs on port 5433"],
    "list through the daemon": [OURS, "list"],
}


def cpu_ms(words: list[str], env: dict[str, str], where: str) -> float:
    """CPU time of one run of a program, in milliseconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, env=env, cwd=where, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        Path(home, "config.toml").write_text('[embedding]\nmodel = "off"\n', encoding="utf-8")
        env = {**os.environ, "NIGHTGARDEN_HOME": home}
        for words in (["remember", "The staging database runs on port 5433"], ["start"]):
            subprocess.run([OURS, *words], env=env, cwd=home, stdout=subprocess.DEVNULL, check=True)
        try:
            least = {name: min(cpu_ms(words, env, home) for _ in range(runs)) for name, words in CASES.items()}
        finally:
            subprocess.run([OURS, "stop"], env=env, cwd=home, stdout=subprocess.DEVNULL, check=False)
    bare = least["python -c pass"]
    print("| | CPU ms | × bare Python |\n|---|---|---|")
    for name, ms in least.items():
        print(f"| `{name}` | {ms:.0f} | {ms / bare:.1f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
