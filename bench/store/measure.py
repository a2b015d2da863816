"""Measures one store in a process of its own. Knows nothing of which store it is; imports numpy and the cases only.

Called twice: `fill` writes everything in bulk and closes; `use` opens what is there, searches, and writes one by one.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from bench.store.cases import Given, read

BATCH = 1000
HURRIED_FROM = 50_000  # a store that syncs after each row of a batch would take half an hour: it is told not to
LIMIT = 10
WARM = 20
SINGLES = 200
QUESTIONS_SECONDS_MAX = 15.0  # for one kind of call; slow stores are asked fewer questions
Vector = npt.NDArray[np.float32]


class Peer(Protocol):
    """A store under measurement. Rows are numbered from 0 in the order they are written."""

    def open(self, folder: Path) -> None: ...

    def add_many(self, first: int, texts: Sequence[str], vectors: Vector) -> None: ...

    def finish(self) -> None:
        """Builds indexes that the store builds on demand."""
        ...

    def add_one(self, number: int, text: str, vector: Vector) -> None:
        """Durable, as far as the store promises it, on return."""
        ...

    def search(self, vector: Vector, limit: int) -> list[int]:
        """By meaning; the texts are read too."""
        ...

    def close(self) -> None: ...


def run(make: Callable[[], Any]) -> None:
    """The entry point of an adapter: PHASE CASES FOLDER, prints JSON."""
    phase, cases, folder = sys.argv[1:4]
    given = read(Path(cases))
    peer = make()
    print(json.dumps(_fill(peer, given, Path(folder)) if phase == "fill" else _use(peer, given, Path(folder))))


def _fill(peer: Any, given: Given, folder: Path) -> dict[str, Any]:
    peer.open(folder)
    if hasattr(peer, "know"):
        peer.know(given)
    hurried = given.size >= HURRIED_FROM and hasattr(peer, "hurry")
    if hurried:
        peer.hurry()
    begun = time.perf_counter()
    for first in range(0, given.size, BATCH):
        last = min(first + BATCH, given.size)
        peer.add_many(first, given.texts[first:last], np.asarray(given.vectors[first:last]))
    written = time.perf_counter()
    peer.finish()
    built = time.perf_counter()
    peer.close()
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return {
        "bulk_per_s": given.size / (written - begun),
        "build_s": built - written,
        "close_s": time.perf_counter() - built,
        "disk_mb": size / 2**20,
        "hurried": hurried,
    }


def _use(peer: Any, given: Given, folder: Path) -> dict[str, Any]:
    begun = time.perf_counter()
    peer.open(folder)
    if hasattr(peer, "know"):
        peer.know(given)
    peer.search(given.query_vectors[0], LIMIT)
    measured: dict[str, Any] = {"start_ms": (time.perf_counter() - begun) * 1000}
    found: dict[int, list[int]] = {}
    measured["search"] = _time(
        lambda i: found.__setitem__(i, peer.search(given.query_vectors[i], LIMIT)), len(given.query_vectors)
    )
    hits = sum(len(set(rows) & set(given.nearest[i].tolist())) for i, rows in found.items())
    measured["recall"] = hits / (LIMIT * len(found))
    if hasattr(peer, "hybrid"):
        measured["hybrid"] = _time(
            lambda i: peer.hybrid(given.query_texts[i], given.query_vectors[i], LIMIT), len(given.query_texts)
        )
    for name, measure in getattr(peer, "more", lambda _: {})(given).items():
        measured[name] = _time(measure, len(given.query_texts))
    measured["rss_mb"] = resident_mb()
    measured["single"] = _singles(peer.add_one, given, given.size)
    if hasattr(peer, "remember"):
        measured["remember"] = _singles(peer.remember, given, given.size + SINGLES, offset=SINGLES)
    last = int(measured["single"]["count"]) - 1
    measured["fresh"] = given.size + last in peer.search(given.fresh_vectors[last], LIMIT)
    peer.close()
    return measured


def _time(call: Callable[[int], Any], count: int) -> dict[str, float]:
    """Wall-clock p50 and p95 in ms, and processor ms of all threads, over the questions; fewer when they take long."""
    stop = time.perf_counter() + QUESTIONS_SECONDS_MAX
    for i in range(WARM):
        call(i % count)
        if time.perf_counter() > stop:
            break
    return _timed(call, count)


def _singles(add: Callable[[int, str, Vector], Any], given: Given, first: int, offset: int = 0) -> dict[str, float]:
    return _timed(lambda i: add(first + i, given.fresh_texts[offset + i], given.fresh_vectors[offset + i]), SINGLES)


def _timed(call: Callable[[int], Any], count: int) -> dict[str, float]:
    seconds: list[float] = []
    stop = time.perf_counter() + QUESTIONS_SECONDS_MAX
    worked = time.process_time()
    for i in range(count):
        begun = time.perf_counter()
        call(i)
        seconds.append(time.perf_counter() - begun)
        if time.perf_counter() > stop:
            break
    worked = time.process_time() - worked
    p50, p95 = np.percentile(seconds, [50, 95]) * 1000
    return {
        "p50": float(p50),
        "p95": float(p95),
        "cpu": worked / len(seconds) * 1000,
        "per_s": len(seconds) / sum(seconds),
        "count": len(seconds),
    }


def resident_mb() -> float:
    """Of this process now; where the system does not say, its highest so far."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(status.read_text(encoding="ascii").split("VmRSS:")[1].split()[0]) / 1024
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**20 if os.uname().sysname == "Darwin" else 1024)
