"""Measures the vector index: p50 and p95 of a search, recall of the true ten, build, start and write times, memory.

    PYTHONPATH=src python bench/vector_index.py [--sizes 1000 10000 100000 1000000] [--kinds clustered random]

Each row is a process of its own, on one thread of linear algebra. Prints Markdown. `--cpu` counts the thread's own
time, for a machine that is busy with other things.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported

import numpy as np

from nightgarden.store.vectors.index import VectorIndex
from vector_cases import DIMENSION, NEAREST, Cases

COLUMNS = (
    "vectors | build s | start ms | write ms | MB | search p50 / p95 ms | recall | 10% allowed | recall | "
    "1% allowed | recall | 50 items allowed | recall"
)


def resident_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def measure(kind: str, size: int, clock: Callable[[], float]) -> str:
    cases = Cases(kind, size)
    queries = cases.queries()
    chance = np.random.default_rng(4)
    few = np.zeros(size + 1, dtype=bool)
    few[1 + chance.choice(size, size=50, replace=False)] = True
    masks = [None, chance.random(size + 1) < 0.1, chance.random(size + 1) < 0.01, few]
    truth = cases.nearest(queries, masks)
    before = resident_mb()
    index = VectorIndex(DIMENSION)
    build = 0.0
    for numbers, vectors in cases.pieces():
        begun = clock()
        index.put(numbers, vectors)
        build += clock() - begun
    begun = clock()
    index.maintain()
    build += clock() - begun
    resident = resident_mb() - before
    cells = []
    for mask, true in zip(masks, truth, strict=True):
        seconds, found, present = [], 0, 0
        for query, nearest in zip(queries, true, strict=True):
            begun = clock()
            numbers, _ = index.search(query, NEAREST, mask)
            seconds.append(clock() - begun)
            found += len(np.intersect1d(numbers, nearest[nearest > 0]))
            present += int((nearest > 0).sum())
        p50, p95 = np.percentile(seconds, [50, 95]) * 1000
        cells.append(f"{p50:.2f} / {p95:.2f} | {found / present:.3f}")
    start, write = start_and_write_ms(index, queries, clock)
    return f"{size:,} {kind} | {build:.1f} | {start:.0f} | {write:.2f} | {resident:.0f} | " + " | ".join(cells)


def start_and_write_ms(index: VectorIndex, vectors: np.ndarray, clock: Callable[[], float]) -> tuple[float, float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "vectors"
        index.save(path, "1")
        begun = clock()
        loaded = VectorIndex.load(path, DIMENSION)
        start = clock() - begun
    assert loaded is not None
    seconds = []
    for number, vector in enumerate(vectors, start=len(index) + 1):
        begun = clock()
        loaded.index.put([number], vector[None, :])
        seconds.append(clock() - begun)
    return start * 1000, float(np.median(seconds)) * 1000


def run() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--kinds", nargs="+", default=["clustered", "random"], choices=["clustered", "random"])
    parser.add_argument("--one", action="store_true", help="measure in this process and print one row")
    parser.add_argument("--cpu", action="store_true", help="count the thread's own time instead of the wall clock's")
    options = parser.parse_args()
    if options.one:
        print(measure(options.kinds[0], options.sizes[0], time.thread_time if options.cpu else time.perf_counter))
        return
    print(f"| {COLUMNS} |\n|{'---|' * COLUMNS.count('|')}---|", flush=True)
    for kind in options.kinds:
        for size in options.sizes:
            command = [sys.executable, __file__, "--one", "--sizes", str(size), "--kinds", kind]
            command += ["--cpu"] if options.cpu else []
            row = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
            print(f"| {row} |", flush=True)


if __name__ == "__main__":
    run()
