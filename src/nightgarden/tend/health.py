"""How the garden does: figures for `stats` and for the ambient agent's prompt.

Counting what is believed and what is stale means reading every memory; a large garden shows those figures as of its
last run, a small one counts them when asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from nightgarden.domain.belief import effective_confidence
from nightgarden.domain.memory import Memory, Status, Tier
from nightgarden.domain.ports import Counts, Store
from nightgarden.domain.record import read_scope
from nightgarden.domain.time import read_moment, write_moment
from nightgarden.settings import Settings
from nightgarden.tend.keys import HEALTH, LAST
from nightgarden.tend.live_statements import Snapshot
from nightgarden.tend.proposal import count_by_scope
from nightgarden.tend.sweep import limit_of
from nightgarden.tend.tending import Tending
from nightgarden.tend.verify.verify import VERIFIED, is_old

COUNTED_AT_ONCE = 5_000  # memories read within half a second
WEAK = 0.1  # taken over from an earlier system of this kind; not measured here


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """Totals, doubts and dates."""

    total: int
    active: int  # live, shown readily
    inactive: int  # fading, candidates and archived
    archived: int
    weak: int  # effective confidence below 0.1
    contradictions: int  # waiting for somebody to decide
    without_vectors: int | None  # None: no model
    duplicate_candidates: int  # near pairs that the last merge looked at and left
    stale: int  # verifiable, and older than their half-life
    counted_at: datetime
    last_sweep: datetime | None
    last_consolidation: datetime | None
    asks: str  # what the last run stopped at, for somebody to allow; empty when it was done
    scope_use: Mapping[str, tuple[int, int | None]]  # live memories and limit, by scope

    def shape(self) -> dict[str, Any]:
        """The documented JSON."""
        return {
            "total": self.total,
            "active": self.active,
            "inactive": self.inactive,
            "archived": self.archived,
            "confidence_below_0.1": self.weak,
            "contradictions": self.contradictions,
            "without_embeddings": self.without_vectors,
            "duplicate_candidates": self.duplicate_candidates,
            "stale_facts": self.stale,
            "counted_at": write_moment(self.counted_at),
            "last_sweep": write_moment(self.last_sweep) if self.last_sweep else None,
            "last_consolidation": write_moment(self.last_consolidation) if self.last_consolidation else None,
            "asks": self.asks or None,
            "scopes": {
                scope: {"memories": number, "limit": limit} for scope, (number, limit) in self.scope_use.items()
            },
        }


def count_memories(memories: Iterable[Memory], *, now: datetime) -> dict[str, int]:
    """What only reading every live memory tells."""
    found = {"active": 0, "weak": 0, "contradictions": 0, "stale": 0}
    for memory in memories:
        found["active"] += memory.status is Status.PROMOTED and memory.tier is not Tier.FADING
        found["weak"] += effective_confidence(memory, now) < WEAK
        found["contradictions"] += bool(memory.flagged)
        found["stale"] += memory.category in VERIFIED and is_old(memory, now=now)
    return found


async def keep_health(store: Store, tending: Tending, *, left_pairs: int | None, asks: str) -> None:
    """Keeps the figures of a run that is done, or stopped to ask. A run that did not merge knows of no pairs."""
    figures = count_memories(tending.snapshot.memories.values(), now=tending.now)
    if left_pairs is None:
        left_pairs = (await store.get_state(HEALTH) or {}).get("duplicates", 0)
    await store.put_state(HEALTH, figures | {"at": write_moment(tending.now), "duplicates": left_pairs, "asks": asks})


async def health(store: Store, settings: Settings, *, model_id: str | None, now: datetime) -> Health:
    """The figures now, the dear ones as of the last run when the garden is large."""
    counts = await store.counts()
    live = _live(counts)
    kept: Mapping[str, Any] = await store.get_state(HEALTH) or {}
    figures, counted_at = kept, read_moment(kept["at"]) if kept else now
    if live <= COUNTED_AT_ONCE or not kept:
        snapshot = await Snapshot.load(store)
        figures, counted_at = count_memories(snapshot.memories.values(), now=now), now
        use = count_by_scope(snapshot.memories.values())
    else:
        use = {read_scope(scope): number for scope, number in counts.memories_by_scope.items()}
    last = await store.state_items(LAST)
    archived = counts.memories.get("archived", 0)
    return Health(
        total=live + archived,
        active=figures["active"],
        inactive=live + archived - figures["active"],
        archived=archived,
        weak=figures["weak"],
        contradictions=figures["contradictions"],
        without_vectors=await store.count_pending_vectors(model_id) if model_id else None,
        duplicate_candidates=int(kept.get("duplicates", 0)),
        stale=figures["stale"],
        counted_at=counted_at,
        last_sweep=_at(last, "sweep"),
        last_consolidation=_at(last, "consolidate"),
        asks=str(kept.get("asks", "")),
        scope_use={str(scope): (number, limit_of(scope, settings.remember)) for scope, number in sorted(use.items())},
    )


def _live(counts: Counts) -> int:
    return counts.memories.get("promoted", 0) + counts.memories.get("candidate", 0)


def _at(last: Mapping[str, Any], operation: str) -> datetime | None:
    row = last.get(LAST + operation)
    return read_moment(row["at"]) if row else None
