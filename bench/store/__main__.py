"""`python -m bench.store [--sizes 1000 10000 100000] [--stores NAME …]`: measures all, writes docs/bench/store.md.

What was measured is kept beside the cases, so that a further size or store is added to the page without measuring
the others again; `--afresh` begins anew. 1,000,000 is only measured when it is asked for.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.machine import describe_machine
from bench.store import cases, footprint, page
from bench.store.environments import PEERS, prepare, version

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "bench"
PAGE = ROOT / "docs" / "bench" / "store.md"
SECONDS_MAX = 1800.0  # for one phase of one store; what takes longer is written down as that
# Above these sizes a store takes minutes for a single figure; it is measured when named with --stores.
SIZES_MAX = {"mem0": 10_000}


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.store", description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--stores", nargs="+", choices=[page.OURS, *PEERS], default=None)
    parser.add_argument("--no-footprint", action="store_true", help="leave out start-up and installation")
    parser.add_argument("--afresh", action="store_true", help="forget what was measured before")
    arguments = parser.parse_args(argv)
    kept = CACHE / "measured.json"
    measured: dict[str, Any] = {"sizes": {}, "versions": {}}
    if kept.exists() and not arguments.afresh:
        measured = json.loads(kept.read_text(encoding="utf-8"))
    measured["machine"] = describe_machine()
    for size in arguments.sizes:
        place = cases.make(CACHE, size)
        rows = measured["sizes"].setdefault(str(size), {})
        for name in arguments.stores or [page.OURS, *PEERS]:
            if arguments.stores is None and size > SIZES_MAX.get(name, size):
                continue
            print(f"{name}, {size:,}", file=sys.stderr)
            rows[name] = _measure(name, place, measured["versions"])
            print(json.dumps(rows[name]), file=sys.stderr)
            kept.write_text(json.dumps(measured, indent=1), encoding="utf-8")
    if not arguments.no_footprint:
        measured["footprint"] = footprint.measure(CACHE, CACHE.parent / "models")
    measured["load"] = f"{os.getloadavg()[0]:.1f}"
    kept.write_text(json.dumps(measured, indent=1), encoding="utf-8")
    PAGE.parent.mkdir(parents=True, exist_ok=True)
    PAGE.write_text(page.write(measured), encoding="utf-8")
    return 0


def _measure(name: str, place: Path, versions: dict[str, str]) -> dict[str, Any]:
    python = Path(sys.executable) if name == page.OURS else prepare(name, CACHE)
    if name != page.OURS:
        versions[name] = version(name, python)
    folder = Path(tempfile.mkdtemp(prefix=f"{name}-", dir=CACHE))
    try:
        filled = _run(name, python, "fill", place, folder / "store")
        if "error" in filled:
            return filled
        return filled | _run(name, python, "use", place, folder / "store")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(name: str, python: Path, phase: str, place: Path, folder: Path) -> dict[str, Any]:
    home = folder.parent / "home"
    home.mkdir(exist_ok=True)
    folder.mkdir(exist_ok=True)
    env = {**os.environ, "BENCH_HOME": str(home), "BENCH_MODELS": str(CACHE.parent / "models"), "PYTHONPATH": str(ROOT)}
    if name == page.OURS:
        env["PYTHONPATH"] += os.pathsep + str(ROOT / "src")
    module = f"bench.store.peers.{name.replace('-', '_')}"
    command: list[str | Path] = [python, "-W", "ignore", "-m", module, phase, place, folder]
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=SECONDS_MAX, check=False
        )
    except subprocess.TimeoutExpired:
        return {"error": f"{phase} took over {SECONDS_MAX / 60:.0f} minutes"}
    if done.returncode != 0:
        print(done.stderr, file=sys.stderr)
        return {"error": f"{phase} failed: {(done.stderr.strip().splitlines() or ['no message'])[-1][:120]}"}
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
