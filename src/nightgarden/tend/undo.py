"""Undoing: the inverse of recorded changes, newest first, refused when later changes stand on them.

What was done at once is taken back at once: an entry stands for its whole action, and all goes in one transaction or
not at all. Only the fields that a change touched are put back, so an undo gets along with later changes of other
fields. What was purged cannot be brought back; its journal entries hold nothing any more. With a cycle of tending go
its own notes (what it looked at), so that the next run looks again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from nightgarden.domain.documents import Document
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, EdgeKind, Tag
from nightgarden.domain.journal import Change, JournalEntry, Node, Operation, Origin
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Store
from nightgarden.domain.record import UNJOURNALED, from_record, to_record
from nightgarden.errors import Conflict, NotFound, UndoConflict
from nightgarden.tend.keys import BEFORE, REFINED, RUN

_PAGE = 200
# What nobody asked for in so many words is not "the last thing that was done".
_BY_ITSELF = frozenset({Operation.SERVE, Operation.NOTE_GAP, Operation.REPAIR, Operation.UNDO})
_BACKGROUND = frozenset({"recall", "doctor", "learn"})
_TYPES: dict[str, type[Memory] | type[Edge] | type[Tag] | type[Cluster] | type[Gap] | type[Document]] = {
    "memory": Memory,
    "edge": Edge,
    "tag": Tag,
    "cluster": Cluster,
    "gap": Gap,
    "document": Document,
}


# Later changes of other fields leave their mark here and do not stand in the way.
_ALWAYS_CHANGES = UNJOURNALED | {"updated_at", "version"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """What is to be taken back: an action or a cycle, and its entries that still stand."""

    id: str
    entries: tuple[JournalEntry, ...]
    cycle: bool


async def undo(store: Store, what: str | None, *, actor: str, at: datetime) -> tuple[JournalEntry, ...]:
    """Undoes the action of a journal entry, all of a cycle, or with None the last thing that was done. Returns the new
    entries."""
    target = await _find_target(store, what)
    cycle = target.id if target.cycle else None
    kept: Mapping[str, Any] = await store.get_state(BEFORE + cycle) or {} if cycle else {}
    current = await _load(store, target.entries)
    changes = [*plan(target.entries, current), *await _gaps_of_before(store, kept)]
    changes = await _keep_used_tags(store, changes)
    if not changes and not (cycle and await store.count_archived_passages(cycle)):
        if not target.entries:
            raise NotFound(f"{target.id} changed nothing that could be taken back; `nightgarden history` lists changes")
        raise UndoConflict(f"{target.id} has been undone already; nothing is left to put back")
    origin = Origin(
        actor=actor,
        operation=Operation.UNDO,
        reason=f"undo {target.id}",
        cycle=f"undo-{cycle}" if cycle else None,
        undoes=target.id,
    )
    state = {**kept.get("state", {}), BEFORE + target.id: None} if kept else {}
    broken_off = await store.get_state(RUN) if cycle else None
    if broken_off and broken_off["cycle"] == cycle:
        state[RUN] = None  # what was taken back is not gone on with
    try:
        return await store.apply(changes, origin, at=at, state=state, restore=cycle)
    except Conflict as error:
        raise UndoConflict(f"cannot undo {target.id}: {error}") from error


async def _find_target(store: Store, what: str | None) -> _Target:
    taken = _taken_back(await store.undos())
    if what is None:
        entry = await _last_entry(store, taken)
        if entry is None:
            raise NotFound("there is nothing to undo; `nightgarden history` shows what was done")
        what = entry.cycle or entry.id
    entry = await store.journal_entry(what)
    if entry is not None:
        id = entry.action or entry.id
        entries = await store.history(action=entry.action) if entry.action else [entry]
    else:
        id, entries = what, await store.history(cycle=what)
        if not entries and not await store.count_archived_passages(what) and not await store.get_state(BEFORE + what):
            raise NotFound(f"there is no journal entry or cycle {what!r}; `nightgarden history` lists them")
    standing = tuple(each for each in entries if not _is_taken_back(each, taken))
    if entries and not standing:
        raise UndoConflict(f"{what} has been undone already; nothing is left to put back")
    return _Target(id=id, entries=standing, cycle=entry is None)


async def _last_entry(store: Store, taken: Mapping[str, str]) -> JournalEntry | None:
    """The newest entry of something that was asked for and still stands."""
    before: str | None = None
    while page := await store.newest_entries(limit=_PAGE, before=before):
        for entry in page:
            automatic = entry.operation in _BY_ITSELF or entry.actor in _BACKGROUND
            automatic = automatic or (entry.cycle or "").startswith(REFINED)
            purged = entry.before is None and entry.after is None
            if not automatic and not purged and not _is_taken_back(entry, taken):
                return entry
        before = page[-1].id
    return None


def _taken_back(undos: Sequence[JournalEntry]) -> dict[str, str]:
    """Actions, cycles and entries that were taken back, each with the id of the entry that did; what was itself taken
    back does not count."""
    taken: dict[str, str] = {}
    for entry in reversed(undos):
        if entry.undoes is not None and not _is_taken_back(entry, taken):
            taken.setdefault(entry.undoes, entry.id)
    return taken


def _is_taken_back(entry: JournalEntry, taken: Mapping[str, str]) -> bool:
    """What was done later under the same name still stands."""
    names = (entry.id, entry.action, entry.cycle)
    return any(name in taken and entry.id < taken[name] for name in names if name)


async def _gaps_of_before(store: Store, kept: Mapping[str, Any]) -> list[Change]:
    """Gaps that a run of an earlier version closed; since then the journal has them."""
    if not kept.get("gaps"):
        return []
    now = {gap.id: gap for gap in await store.gaps(include_closed=True)}
    found = [(now.get(record["id"]), from_record(Gap, record)) for record in kept["gaps"]]
    return [Change(before, after) for before, after in found if before is not None and before != after]


async def _keep_used_tags(store: Store, changes: Sequence[Change]) -> list[Change]:
    """A tag that came with what is taken back stays as long as other memories carry it."""
    going = [change.before.id for change in changes if isinstance(change.before, Tag) and change.after is None]
    uses = await store.degrees(going) if going else {}
    for change in changes:
        sides = [side.tags if isinstance(side, Memory) else () for side in (change.before, change.after)]
        for name in sides[0]:
            uses[f"tag:{name}"] = uses.get(f"tag:{name}", 0) - 1
        for name in sides[1]:
            uses[f"tag:{name}"] = uses.get(f"tag:{name}", 0) + 1
    used = {tag for tag in going if uses.get(tag, 0) > 0}
    return [change for change in changes if not (isinstance(change.before, Tag) and change.before.id in used)]


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
        if isinstance(before, Document) and isinstance(after, Document):
            after = replace(after, version=before.version, updated_at=before.updated_at)
            after = replace(after, version=before.version + 1) if after != before else after
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
    rank = {Edge: 0, Cluster: 0, Gap: 0, Document: 0, Memory: 1, Tag: 4}[type(node)]
    if change.after is not None:
        rank = {Tag: 2, Memory: 3, Gap: 4, Document: 4, Edge: 5, Cluster: 5}[type(node)]
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
    if ids["gap"]:
        wanted = set(ids["gap"])
        found |= {("gap", gap.id): gap for gap in await store.gaps(include_closed=True) if gap.id in wanted}
    for each in dict.fromkeys(ids["document"]):
        if (document := await store.document(*each.split("/", 1))) is not None:
            found["document", document.id] = document
    if ids["edge"]:
        wanted = set(ids["edge"])
        sources = list(dict.fromkeys(key.split(">", 1)[0] for key in ids["edge"]))
        kinds = [kind for kind in EdgeKind if kind not in (EdgeKind.HAS_TAG, EdgeKind.IN_CLUSTER)]
        for edge in await store.edges(sources, kinds=kinds, incoming=False):
            if edge.key in wanted:
                found["edge", edge.key] = edge
    return found
