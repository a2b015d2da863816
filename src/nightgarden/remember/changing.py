"""Changing memories that exist, where others write as well: read, change, and try again when somebody was faster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from nightgarden.domain.doubt import without_memory
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change, Origin
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Clock, Store
from nightgarden.errors import BadInput, Conflict, NotFound
from nightgarden.remember import edit

ATTEMPTS = 8  # eight other writers in a row means that something is stuck


async def get_memory(store: Store, memory_id: str) -> Memory:
    """One memory. Raises NotFound."""
    found = await store.memories([memory_id])
    if not found:
        raise NotFound(f"there is no memory {memory_id!r}; `nightgarden list` shows what there is")
    return found[0]


async def change_memory(
    store: Store, memory_id: str, make: Callable[[Memory], Change | None], origin: Origin, clock: Clock
) -> Memory:
    """Makes the change that `make` wants; None leaves the memory alone. Returns the memory as it is then."""
    for _ in range(ATTEMPTS):
        memory = await get_memory(store, memory_id)
        change = make(memory)
        if change is None:
            return memory
        try:
            await store.apply([change], origin, at=clock.now())
        except Conflict:
            if await get_memory(store, memory_id) == memory:
                raise  # nobody changed it: the conflict is with another memory that says the same
            continue
        assert isinstance(change.after, Memory)
        return change.after
    raise Conflict(f"memory {memory_id} is being changed by someone else all the time; try again in a moment")


async def link_memories(
    store: Store, source_id: str, target_id: str, kind: EdgeKind, weight: float, origin: Origin, clock: Clock
) -> Edge:
    """Links two memories, or sets the weight of the link there is."""
    source, target = await get_memory(store, source_id), await get_memory(store, target_id)
    for _ in range(ATTEMPTS):
        edges = await store.edges([source_id], kinds=[kind], incoming=False)
        known = next((edge for edge in edges if edge.target == target_id), None)
        change = edit.link(source, target, kind, weight, known=known, at=clock.now())
        try:
            await store.apply([change], origin, at=clock.now())
        except Conflict:
            continue
        assert isinstance(change.after, Edge)
        return change.after
    raise Conflict(f"{source_id} and {target_id} are being changed by someone else all the time; try again")


async def contradicting(store: Store, memory_id: str) -> list[Memory]:
    """Live memories that this one contradicts, or that contradict it; each once."""
    edges = await store.edges([memory_id], kinds=[EdgeKind.CONTRADICTS])
    others = dict.fromkeys(edge.target if edge.source == memory_id else edge.source for edge in edges)
    return [other for other in await store.memories(list(others)) if other.live]


async def settle_flag(store: Store, memory_id: str, decision: str, origin: Origin, clock: Clock) -> Memory:
    """Decides a contradiction: `keep` (it replaces what it contradicts), `drop` (archive it) or `both` (unflag)."""
    if decision not in ("keep", "drop", "both"):
        raise BadInput(f"decide keep, drop or both, not {decision!r}")
    now = clock.now()
    memory = await get_memory(store, memory_id)
    against = await contradicting(store, memory_id)
    if decision == "keep":
        changes = edit.replace_others(memory, against, at=now)
    elif decision == "drop":
        changes = [Change(memory, replace(edit.archived(memory, at=now), doubts=()))]
    else:
        changes = [Change(memory, replace(memory, doubts=(), confirmed_at=now, updated_at=now))]
    if decision != "keep":
        for other in against:  # the question is answered for both
            if (doubts := without_memory(other.doubts, memory_id)) != other.doubts:
                changes.append(Change(other, replace(other, doubts=doubts, updated_at=now)))
    await store.apply(changes, origin, at=now)
    return await get_memory(store, memory_id)
