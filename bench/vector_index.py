"""Measures the vector index: p50 and p95 of a search, recall of the true nearest, build, start and write times, memory;
beside it, comparing with every vector in float32.

    PYTHONPATH=src python bench/vector_index.py [--sizes 10000 100000 1000000] [--kinds clustered random texts]

Each row is a process of its own, on one thread of linear algebra. Prints Markdown. `--cpu` counts the thread's own
time, for a machine that is busy with other things. Recall is what the store keeps of the true ten (or 150) after it
has scored what the index returned with the vectors in the database, so a true one counts if the index returned it.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # before numpy is imported

import numpy as np
import numpy.typing as npt

from nightgarden.store.sqlite.vectors import GUESSES, SPARE
from nightgarden.store.vectors.index import VectorIndex
from vector_cases import DIMENSION, NEAREST, Cases, Floats

Clock = Callable[[], float]
Search = Callable[[Floats, int, npt.NDArray[np.bool_] | None], npt.NDArray[np.int64]]
LIMIT = 10
KINDS = ("clustered", "random", "texts")
COLUMNS = (
    "vectors | build s | start ms | write ms | MB | search p50 / p95 ms | recall | 10% allowed | recall | "
    "1% allowed | recall | 50 items allowed | recall | 150 wanted | recall"
)


def resident_mb() -> float:
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


class EveryRow:
    """The alternative: all vectors in float32, each compared with the query."""

    def __init__(self, cases: Cases) -> None:
        self._rows = np.empty((cases.size, DIMENSION), dtype=np.float32)
        for numbers, vectors in cases.pieces():
            self._rows[numbers[0] - 1 : numbers[-1]] = vectors

    def search(self, query: Floats, limit: int, allowed: npt.NDArray[np.bool_] | None) -> npt.NDArray[np.int64]:
        scores = self._rows @ query
        if allowed is not None:
            scores[~allowed[1:]] = -2.0
        return np.argpartition(-scores, limit)[:limit] + 1


def measure(cases: Cases, clock: Clock, *, every_row: bool) -> str:
    size, queries = cases.size, cases.queries()
    chance = np.random.default_rng(4)
    few = np.zeros(size + 1, dtype=bool)
    few[1 + chance.choice(size, size=50, replace=False)] = True
    masks = [None, chance.random(size + 1) < 0.1, chance.random(size + 1) < 0.01, few]
    before = resident_mb()
    if every_row:
        search: Search = EveryRow(cases).search
        figures = f"– | – | – | {resident_mb() - before:.0f}"
    else:
        index, build = built(cases, clock)
        resident = resident_mb() - before
        start, write = start_and_write_ms(index, queries, clock)
        figures = f"{build:.1f} | {start:.0f} | {write:.2f} | {resident:.0f}"
        search = lambda query, limit, mask: index.search(query, limit, mask)[0]  # noqa: E731
    truth = cases.nearest(queries, masks)
    cells = []
    for wanted, mask, true in zip([LIMIT] * 4 + [NEAREST], [*masks, None], [*truth, truth[0]], strict=True):
        seconds, found, present = [], 0, 0
        for query, nearest in zip(queries, true[:, :wanted], strict=True):
            begun = clock()
            numbers = search(query, math.ceil(wanted * GUESSES[0]) + SPARE, mask)
            seconds.append(clock() - begun)
            found += len(np.intersect1d(numbers, nearest[nearest > 0]))
            present += int((nearest > 0).sum())
        p50, p95 = np.percentile(seconds, [50, 95]) * 1000
        cells.append(f"{p50:.2f} / {p95:.2f} | {found / present:.3f}")
    name = f"{size:,} {cases.kind}{', every row in float32' if every_row else ''}"
    return f"{name} | {figures} | " + " | ".join(cells)


def built(cases: Cases, clock: Clock) -> tuple[VectorIndex, float]:
    index, build = VectorIndex(DIMENSION), 0.0
    for numbers, vectors in cases.pieces():
        begun = clock()
        index.put(numbers, vectors)
        build += clock() - begun
    return index, build


def start_and_write_ms(index: VectorIndex, vectors: Floats, clock: Clock) -> tuple[float, float]:
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
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--kinds", nargs="+", default=["clustered", "random"], choices=KINDS)
    parser.add_argument("--texts", type=Path, help="embedded texts, written by bench/text_vectors.py")
    parser.add_argument("--every-row", action="store_true", help="measure the alternative instead")
    parser.add_argument("--one", action="store_true", help="measure in this process and print one row")
    parser.add_argument("--cpu", action="store_true", help="count the thread's own time instead of the wall clock's")
    options = parser.parse_args()
    if options.one:
        cases = Cases(options.kinds[0], options.sizes[0], options.texts)
        clock = time.thread_time if options.cpu else time.perf_counter
        print(measure(cases, clock, every_row=options.every_row))
        return
    print(f"| {COLUMNS} |\n|{'---|' * COLUMNS.count('|')}---|", flush=True)
    for kind in options.kinds:
        for size in options.sizes:
            command = [sys.executable, __file__, "--one", "--sizes", str(size), "--kinds", kind]
            command += ["--cpu"] if options.cpu else []
            command += ["--every-row"] if options.every_row else []
            command += ["--texts", str(options.texts)] if options.texts and kind == "texts" else []
            row = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
            print(f"| {row} |", flush=True)


if __name__ == "__main__":
    run()
