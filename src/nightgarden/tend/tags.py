"""Tags: those that mean the same become one, those on no memory go. Pure decisions by spelling.

Knows plurals, word forms, separators, names of tools under which a tag is filed, and slips of the pen in rare tags.
Does not know synonyms of ordinary words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from nightgarden.domain.graph import Tag
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import MemoryFilter
from nightgarden.remember.compare.lexicon.technologies import tag_of
from nightgarden.remember.tagging import key_of
from nightgarden.tend.proposal import Proposal, TendPlan, propose
from nightgarden.tend.tending import Tending

SLIP_CHARS_MIN = 6
SLIP_COUNT_MAX = 3  # a tag that often is meant as it is written
SLIP_RATIO = 5


async def find(tending: Tending) -> TendPlan:
    """Merges on live memories; tags on none at all, archived ones included, are removed."""
    plan = TendPlan(state=tending.done("tags"))
    tags = await tending.store.tags()
    counts: dict[str, int] = {}
    for memory in tending.snapshot.memories.values():
        for name in memory.tags:
            counts[name] = counts.get(name, 0) + 1
    renamed = same_tags(counts)
    plan.proposals += retag(tending.snapshot.memories.values(), renamed, now=tending.now)
    for tag in tags:
        if counts.get(tag.name) and tag.name not in renamed:
            continue
        if not await _archived_with(tending, tag):
            plan.proposals.append(propose("removed", [Change(tag, None)], "it is on no memory"))
    return plan


async def _archived_with(tending: Tending, tag: Tag) -> list[Memory]:
    found = await tending.store.list_memories(MemoryFilter(tag=tag.name, statuses=None))
    return [memory for memory in found if memory.id not in tending.snapshot.memories]


def same_tags(counts: Mapping[str, int]) -> dict[str, str]:
    """Each tag that is another one in a different spelling, and that other one."""
    groups: dict[str, list[str]] = {}
    for name in counts:
        groups.setdefault(key_of(name), []).append(name)
    found: dict[str, str] = {}
    for names in groups.values():
        best = min(names, key=lambda name: (tag_of(name) != name, -counts[name], len(name), name))
        found |= {name: best for name in names if name != best}
    totals: dict[str, int] = {}
    for name, number in counts.items():
        totals[found.get(name, name)] = totals.get(found.get(name, name), 0) + number
    for rare, meant in _slips(totals).items():
        found |= {name: meant for name, best in found.items() if best == rare} | {rare: meant}
    return found


def _slips(totals: Mapping[str, int]) -> dict[str, str]:
    """Rare tags one slip of the pen away from frequent ones."""
    frequent: dict[str, list[str]] = {}
    for name in totals:
        if name.isalpha():
            frequent.setdefault(name[0], []).append(name)
    found = {}
    for rare, number in sorted(totals.items()):
        if number > SLIP_COUNT_MAX or len(rare) < SLIP_CHARS_MIN or not rare.isalpha() or tag_of(rare):
            continue
        near = [n for n in frequent.get(rare[0], ()) if totals[n] >= SLIP_RATIO * number and is_slip(rare, n)]
        if len(near) == 1:
            found[rare] = near[0]
    return found


def is_slip(one: str, other: str) -> bool:
    """One letter too many, too few or wrong, or two exchanged; not at the end, where word forms differ."""
    if one == other or abs(len(one) - len(other)) > 1 or one[-1] != other[-1]:
        return False
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a == b[1:] or a[1:] == b or (a[:2] == b[:2][::-1] and a[2:] == b[2:])


def retag(memories: Iterable[Memory], renamed: Mapping[str, str], *, now: datetime) -> list[Proposal]:
    """Memories with the tags they should carry."""
    found = []
    for memory in memories:
        tags = tuple(sorted({renamed.get(name, name) for name in memory.tags}))
        if tags != memory.tags:
            gone = sorted(set(memory.tags) - set(tags))
            why = ", ".join(f"{name} is filed under {renamed[name]}" for name in gone)
            found.append(propose("retagged", [Change(memory, replace(memory, tags=tags, updated_at=now))], why))
    return found
