"""Making proposals: batches, each one transaction together with the checkpoint that speaks of it.

A batch that meets another writer is made again one proposal at a time, so that only what is really in conflict is left
for the next run. A proposal is made whole or not at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from nightgarden.domain.journal import Origin
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Store
from nightgarden.errors import Conflict
from nightgarden.tend.live_statements import Snapshot
from nightgarden.tend.proposal import Proposal

BATCH_CHANGES = 250  # rows between which others get their turn

Checkpoint = Callable[[Sequence[Proposal]], Mapping[str, Any]]  # state to write with proposals that are made


def batches(proposals: Sequence[Proposal]) -> Iterator[list[Proposal]]:
    """Proposals in their order, some 250 changes at a time."""
    batch: list[Proposal] = []
    size = 0
    for proposal in proposals:
        if batch and size + len(proposal.changes) > BATCH_CHANGES:
            yield batch
            batch, size = [], 0
        batch.append(proposal)
        size += len(proposal.changes)
    if batch:
        yield batch


async def make(
    store: Store,
    snapshot: Snapshot,
    proposals: Sequence[Proposal],
    origin: Origin,
    *,
    at: datetime,
    checkpoint: Checkpoint,
    made: Callable[[Sequence[Proposal]], None],
) -> int:
    """Makes all proposals it can. Returns how many met another writer and were left."""
    left = 0
    for batch in batches(proposals):
        if await _make(store, snapshot, batch, origin, at=at, checkpoint=checkpoint):
            made(batch)
        else:
            for proposal in batch:
                if await _make(store, snapshot, [proposal], origin, at=at, checkpoint=checkpoint):
                    made([proposal])
                else:
                    left += 1
        await asyncio.sleep(0)
    return left


async def _make(
    store: Store,
    snapshot: Snapshot,
    batch: Sequence[Proposal],
    origin: Origin,
    *,
    at: datetime,
    checkpoint: Checkpoint,
) -> bool:
    changes = [
        replace(change, part=part) for part, proposal in enumerate(batch) for change in proposal.changes
    ]  # each proposal is an action, which an undo takes back whole
    try:
        await store.apply(changes, origin, at=at, state=checkpoint(batch))
    except Conflict:
        if len(batch) == 1:
            ids = {c.before.id for c in changes if isinstance(c.before, Memory)}
            await snapshot.reload(store, sorted(ids))
        return False
    snapshot.take(changes)
    return True
