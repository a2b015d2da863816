"""What an agent waits for in a garden of many memories, embedding included: recall, and the verdict of `remember` by
rules alone and with the classifier. Memory of the process after it.

    python -m bench.garden_speed CASES FOLDER

`bench.store` makes both: CASES are the texts and vectors, FOLDER is a garden filled with them (`python -m
bench.store.peers.nightgarden fill CASES FOLDER`). The garden is written to.
"""

from __future__ import annotations

import asyncio
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np

from bench.machine import describe_machine
from bench.remember_latency import statement
from bench.store.cases import Given, read
from bench.store.measure import resident_mb
from nightgarden import Garden, Scope, ScopeKind

ASKED = 100
WARM = 10
SCOPE = Scope(ScopeKind.PROJECT, "bench")
Call = Callable[[int], Awaitable[object]]


async def timed(name: str, call: Call) -> None:
    """Prints wall-clock percentiles, and processor time of all threads."""
    for number in range(WARM):
        await call(number)
    seconds = []
    worked = time.process_time()
    for number in range(WARM, WARM + ASKED):
        begun = time.perf_counter()
        await call(number)
        seconds.append(time.perf_counter() - begun)
    worked = time.process_time() - worked
    p50, p95 = np.percentile(seconds, [50, 95]) * 1000
    print(f"| {name} | {p50:.1f} | {p95:.1f} | {worked / ASKED * 1000:.1f} |", flush=True)


async def measure(given: Given, folder: Path, *, classifier: bool) -> None:
    os.environ["NIGHTGARDEN_CLASSIFIER_ENABLED"] = str(classifier).lower()
    chance = random.Random(classifier)
    async with Garden.open(folder / "garden.db", directory=folder) as garden:
        begun = time.perf_counter()
        await garden.recall(given.query_texts[0], scope=SCOPE, rerank=False)
        first = (time.perf_counter() - begun) * 1000
        resident = resident_mb()
        if not classifier:
            print(f"| first recall, model and index loaded | {first:.0f} | | |")
            await timed("recall", lambda n: garden.recall(given.query_texts[n], scope=SCOPE, limit=10, rerank=False))
        name = f"verdict, {'rules and classifier' if classifier else 'rules alone'}"
        await timed(name, lambda n: garden.remember(statement(chance, given.size + n), scope=SCOPE))
        print(f"| MB after the first recall / at the end | {resident:.0f} | {resident_mb():.0f} | |", flush=True)


def main(cases: Path, folder: Path) -> None:
    os.environ["NIGHTGARDEN_HOME"] = str(folder)
    given = read(cases)
    print(f"{describe_machine()}; {given.size:,} memories\n\n| | p50 ms | p95 | CPU ms |\n|---|---|---|---|")
    for classifier in (False, True):
        asyncio.run(measure(given, folder, classifier=classifier))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
