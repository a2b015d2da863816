"""Undoing: the inverse of recorded changes, newest first, refused when later changes stand on them.

Only the fields that a change touched are put back, so an undo gets along with later changes of other fields. What was
purged cannot be brought back; its journal entries hold nothing any more. With a cycle of tending go its own
notes (what it looked at, which gaps it closed), so that the next run looks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from nightgarden.domain.graph import Cluster, Edge, EdgeKind, Tag
from nightgarden.domain.journal import Change, JournalEntry, Node, Origin
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Gap, Store
from nightgarden.domain.record import UNJOURNALED, from_record, to_record
from nightgarden.errors import Conflict, NotFound, UndoConflict
from nightgarden.tend.keys import BEFORE, RUN

_TYPES: dict[str, type[Memory] | type[Edge] | type[Tag] | type[Cluster]] = {
    "memory": Memory,
    "edge": Edge,
    "tag": Tag,
    "cluster": Cluster,
}


# Later changes of other fields leave their mark here and do not stand in the way.
_ALWAYS_CHANGES = UNJOURNALED | {"updated_at"}


async def undo(store: Store, entry_or_cycle: str, *, actor: str, at: datetime) -> tuple[JournalEntry, ...]:
    """Undoes one journal entry, or all of a cycle. Returns the new entries."""
    entry = await store.journal_entry(entry_or_cycle)
    entries = [entry] if entry else await store.history(cycle=entry_or_cycle)
    kept: Mapping[str, Any] = {} if entry else await store.get_state(BEFORE + entry_or_cycle) or {}
    changes = plan(entries, await _load(store, entries))
    if not changes and not kept.get("gaps") and (entry or not await store.restore_passages(entry_or_cycle)):
        if not entries:
            raise NotFound(f"there is no journal entry or cycle {entry_or_cycle!r}; `nightgarden history` lists them")
        raise UndoConflict(f"{entry_or_cycle} has been undone already; nothing is left to put back")
    origin = Origin(actor=actor, reason=f"undo {entry_or_cycle}", cycle=f"undo-{entry_or_cycle}" if not entry else None)
    state = {**kept.get("state", {}), BEFORE + entry_or_cycle: None} if kept else {}
    broken_off = None if entry else await store.get_state(RUN)
    if broken_off and broken_off["cycle"] == entry_or_cycle:
        state[RUN] = None  # what was taken back is not gone on with
    try:
        made = await store.apply(changes, origin, at=at, state=state)
    except Conflict as error:
        raise UndoConflict(f"cannot undo {entry_or_cycle}: {error}") from error
    for gap in kept.get("gaps", ()):
        await store.put_gap(from_record(Gap, gap))
    if not entry:
        await store.restore_passages(entry_or_cycle)
    return made


def plan(entries: Sequence[JournalEntry], current: Mapping[tuple[str, str], Node]) -> list[Change]:
    """The changes that take back the entries, one per node, in an order the store can make them in."""
    records: dict[tuple[str, str], dict[str, Any] | None] = {
        (entry.subject_kind, entry.subject_id): None for entry in entries
    }
    for key, node in current.items():
        records[key] = to_record(node)
    for entry in reversed(entries):
        key = (entry.subject_kind, entry.subject_id)
        records[key] = _take_back(entry, records[key])
    changes = []
    for key, record in records.items():
        before = current.get(key)
        after = from_record(_TYPES[key[0]], record) if record is not None else None
        if before != after:
            changes.append(Change(before, after))
    return sorted(changes, key=_order)


def _take_back(entry: JournalEntry, now: dict[str, Any] | None) -> dict[str, Any] | None:
    what = f"{entry.subject_kind} {entry.subject_id}"
    if entry.before is None and entry.after is None:
        raise UndoConflict(f"{what} was purged; what it said is erased and cannot be brought back")
    if entry.after is None:  # it was removed
        if now is not None:
            raise UndoConflict(f"{what} was removed by this change and has been made again since")
        return dict(entry.before or {})
    if now is None:
        if entry.before is None:
            return None  # made by this change and gone already
        raise UndoConflict(f"{what} has been removed since")
    for field, value in entry.after.items():
        if field not in _ALWAYS_CHANGES and now.get(field) != value:
            raise UndoConflict(
                f"{what} was changed again since: its {field} is no longer what this change made it. "
                "Undo the later change first (`nightgarden history` shows them)."
            )
    if entry.before is None:
        return None
    changed_since = now.get("updated_at") != entry.after.get("updated_at")
    return {**now, **entry.before} | ({"updated_at": now["updated_at"]} if changed_since else {})


def _order(change: Change) -> tuple[int, str]:
    """Edges and clusters go before the memories they hang on and come back after them; a tag is there before the first
    memory that carries it, and goes after the last."""
    node = change.after if change.after is not None else change.before
    rank = {Edge: 0, Cluster: 0, Memory: 1, Tag: 4}[type(node)]
    if change.after is not None:
        rank = {Tag: 2, Memory: 3, Edge: 5, Cluster: 5}[type(node)]
    return rank, node.key if isinstance(node, Edge) else (node.id if node is not None else "")


async def _load(store: Store, entries: Sequence[JournalEntry]) -> dict[tuple[str, str], Node]:
    """What the entries' nodes are now."""
    ids: dict[str, list[str]] = {kind: [] for kind in _TYPES}
    for entry in entries:
        ids[entry.subject_kind].append(entry.subject_id)
    found: dict[tuple[str, str], Node] = {}
    for memory in await store.memories(list(dict.fromkeys(ids["memory"]))):
        found["memory", memory.id] = memory
    if ids["tag"]:
        wanted = set(ids["tag"])
        found |= {("tag", tag.id): tag for tag in await store.tags() if tag.id in wanted}
    if ids["cluster"]:
        wanted = set(ids["cluster"])
        found |= {("cluster", cluster.id): cluster for cluster in await store.clusters() if cluster.id in wanted}
    if ids["edge"]:
        wanted = set(ids["edge"])
        sources = list(dict.fromkeys(key.split(">", 1)[0] for key in ids["edge"]))
        kinds = [kind for kind in EdgeKind if kind not in (EdgeKind.HAS_TAG, EdgeKind.IN_CLUSTER)]
        for edge in await store.edges(sources, kinds=kinds, incoming=False):
            if edge.key in wanted:
                found["edge", edge.key] = edge
    return found
