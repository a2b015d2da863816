"""Measures tending: how much of what was planted each operation finds, how long it takes, and what it needs.

    python -m bench.tend [SIZE ...]        default 1000 10000 100000

Each size runs in a process of its own, so that its peak memory is its own. A second run right after must change
nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from bench.tend_garden import MODEL, NOW, Planted, draw, fill
from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.memory import Status, Tier
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.settings import Settings
from nightgarden.store.sqlite import open_store
from nightgarden.tend.run import tend
from nightgarden.tend.tending import LentTending
from nightgarden.tend.wish import Wish

SIZES = (1_000, 10_000, 100_000)


def run(sizes: Sequence[int] = SIZES, *, single_scope: bool = False) -> list[dict[str, Any]]:
    """Figures of each size."""
    found = []
    for size in sizes:
        command = [sys.executable, "-m", "bench.tend", "--one", str(size), *(["--single"] if single_scope else [])]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        found.append(json.loads(done.stdout.splitlines()[-1]))
    return found


async def measure(size: int, folder: Path, *, single_scope: bool) -> dict[str, Any]:
    """One garden: filled, tended twice, compared with what was planted."""
    memories, vectors, planted = draw(size, single_scope=single_scope)
    store = await open_store(folder / "garden.db")
    try:
        await fill(store, memories, vectors)
        del memories, vectors
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        began = time.perf_counter()
        first = await _tend(store, "one", 0)
        seconds = time.perf_counter() - began
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        scores = await _score(store, planted)
        second = await _tend(store, "two", 1)
        return {
            "size": size,
            "seconds": round(seconds, 1),
            "peak_mb": round(peak / 1024),
            "mb_before": round(before / 1024),
            "changes": first.changes,
            "second_changes": second.changes,
            "second_seconds": round(second.seconds, 1),
            "stopped_at": first.stopped_at,
            "operations": {name: round(o.seconds, 2) for name, o in first.operations.items()},
            "counts": {name: o.counts for name, o in first.operations.items() if o.counts},
            "second_counts": {name: o.counts for name, o in second.operations.items() if o.counts},
            "scores": scores,
            "load": round(os.getloadavg()[0], 1),
        }
    finally:
        await store.close()


async def _tend(store: Store, cycle: str, minutes: int) -> Any:
    lent = LentTending(model=MODEL)
    return await tend(store, Settings(), lent, Wish(), cycle=cycle, now=NOW + timedelta(minutes=minutes))


async def _score(store: Store, planted: Planted) -> dict[str, dict[str, float]]:
    after = {m.id: m for m in await store.list_memories(MemoryFilter(statuses=None))}
    entries = await store.history(cycle="one")
    reasons: dict[str, str] = {}
    for entry in entries:
        if entry.subject_kind == "memory" and entry.after and entry.after.get("status") == "archived":
            reasons[entry.subject_id] = entry.reason
    same = {frozenset(pair) for pair in planted.same} | {
        frozenset((one, other)) for group in planted.triples for one in group for other in group if one != other
    }
    merged = {
        frozenset((each, m.superseded_by))
        for each, m in after.items()
        if m.superseded_by and "the same as" in reasons.get(each, "")
    }
    copies = len(planted.same) + 2 * len(planted.triples)
    opposed = {frozenset(pair) for pair in planted.opposed}
    edges = [edge async for page in store.all_edges(kinds=[EdgeKind.CONTRADICTS]) for edge in page]
    settled = {
        frozenset((each, m.superseded_by))
        for each, m in after.items()
        if m.superseded_by and "stays" in reasons.get(each, "")
    } | {frozenset((edge.source, edge.target)) for edge in edges}
    archived = {each for each in reasons if not after[each].superseded_by}
    faded = {each for each, m in after.items() if m.tier is Tier.FADING and m.status is Status.PROMOTED}
    promoted = {e.subject_id for e in entries if e.after and e.after.get("status") == "promoted" and e.before}
    links = [edge async for page in store.all_edges(kinds=[EdgeKind.RELATES_TO]) for edge in page]
    there = planted.communities
    inside = sum(there.get(e.source, -1) == there.get(e.target, -2) for e in links)
    return {
        "merge": _rates(len(merged & same), len(merged), copies),
        "resolve": _rates(len(settled & opposed), len(settled), len(opposed)),
        "fade": _overlap(faded - planted.stale, planted.faded),
        "archive": _overlap(archived, planted.stale | planted.pruned),
        "promote": _overlap(promoted, planted.promoted),
        "relate": {"precision": round(inside / max(1, len(links)), 3), "links": len(links)},
        "cluster": await _cluster_score(store, planted, {each for each, m in after.items() if m.live}),
    }


async def _cluster_score(store: Store, planted: Planted, live: set[str]) -> dict[str, float]:
    """Pairs put together that belong together, and the other way round."""
    clusters = await store.clusters()
    right = together = 0
    for cluster in clusters:
        members = [planted.communities.get(each, -1) for each in cluster.member_ids]
        together += len(members) * (len(members) - 1) // 2
        right += sum(n * (n - 1) // 2 for c in set(members) if c >= 0 and (n := members.count(c)))
    sizes: dict[int, int] = {}
    for each, community in planted.communities.items():
        if each in live:
            sizes[community] = sizes.get(community, 0) + 1
    wanted = sum(n * (n - 1) // 2 for n in sizes.values())
    return _rates(right, together, wanted) | {"clusters": len(clusters), "planted": len(sizes)}


def _overlap(found: Iterable[str], wanted: set[str]) -> dict[str, float]:
    found = set(found)
    return _rates(len(found & wanted), len(found), len(wanted))


def _rates(right: int, found: int, wanted: int) -> dict[str, float]:
    return {"precision": round(right / max(1, found), 3), "recall": round(right / max(1, wanted), 3)}


def main(arguments: Sequence[str]) -> None:
    single = "--single" in arguments
    if "--one" in arguments:
        size = next(int(each) for each in arguments if each.isdigit())
        with tempfile.TemporaryDirectory(prefix="bench-tend-") as folder:
            print(json.dumps(asyncio.run(measure(size, Path(folder), single_scope=single))))
        return
    for figures in run([int(each) for each in arguments if each.isdigit()] or SIZES, single_scope=single):
        print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main(sys.argv[1:])
