"""Copying a whole garden to another store, verified by counts and checksums. Broken off, it resumes when run again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nightgarden.domain.ports import Store
from nightgarden.domain.state_keys import MOVED_FROM as _MARK
from nightgarden.errors import BadInput, NeedsRepair

_BATCH = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """How many records of a type there are, and a checksum over all of them."""

    count: int
    checksum: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What a copy did: records by type, and how many of them had been copied before."""

    copied: int
    known: int
    fingerprints: dict[str, Fingerprint]


async def move(source: Store, target: Store, progress: Callable[[int], None] = lambda _: None) -> Moved:
    """Copies everything, then compares the two. The mark stays until they are equal, so that a copy which was broken
    off, or which others wrote into, is gone on with. Raises NeedsRepair when they differ."""
    counts = await target.counts()
    occupied = sum(counts.memories.values()) + counts.sessions + counts.journal_entries + counts.tombstones
    occupied += sum(counts.documents.values())
    begun = await target.get_state(_MARK) == source.url
    if occupied and not begun:
        prints = await fingerprint(source)
        if await fingerprint(target) != prints:
            raise BadInput(f"{target.url} holds another garden already; choose an empty place")
        return Moved(copied=0, known=sum(each.count for each in prints.values()), fingerprints=prints)
    await target.put_state(_MARK, source.url)
    copied, known = await _copy(source, target, progress)
    prints = await fingerprint(source)
    if begun and await fingerprint(target) != prints:  # what was copied then has changed since
        await _empty(target)
        copied, known = await _copy(source, target, progress)
        prints = await fingerprint(source)
    if await fingerprint(target) != prints:
        raise NeedsRepair(
            "the copy differs from the original: something was written meanwhile. Stop writers and run it again: it "
            "goes on with this copy."
        )
    await target.put_state(_MARK, None)
    return Moved(copied=copied, known=known, fingerprints=prints)


async def _copy(source: Store, target: Store, progress: Callable[[int], None]) -> tuple[int, int]:
    """Copies what is not there yet; returns how much that was, and how much was there."""
    copied = known = 0
    batch: list[dict[str, Any]] = []

    async def flush() -> None:
        nonlocal copied, known
        there = await target.existing(batch)
        fresh = [record for record, exists in zip(batch, there, strict=True) if not exists]
        await target.load(fresh)
        copied += len(fresh)
        known += len(batch) - len(fresh)
        progress(len(batch))
        batch.clear()

    async for record in source.dump():
        if record["type"] == "state" and record["key"] == _MARK:
            continue
        batch.append(record)
        if len(batch) >= _BATCH:
            await flush()
    await flush()
    return copied, known


async def _empty(target: Store) -> None:
    await target.empty()
    for key in await target.state_items(""):
        if key != _MARK:
            await target.put_state(key, None)


async def fingerprint(store: Store) -> dict[str, Fingerprint]:
    """Counts and checksums by type of record."""
    sums: dict[str, Any] = {}
    counts: dict[str, int] = {}
    async for record in store.dump():
        if record["type"] == "state" and record["key"] == _MARK:
            continue
        kind = record["type"]
        counts[kind] = counts.get(kind, 0) + 1
        text = json.dumps(record, sort_keys=True, ensure_ascii=True)
        sums.setdefault(kind, hashlib.sha256()).update(text.encode() + b"\n")
    return {kind: Fingerprint(count=counts[kind], checksum=sums[kind].hexdigest()) for kind in sorted(counts)}
