"""Finds what holds by what it replaced: "Jonas took over from Marta" answers "who owns the billing service?" because of
what Marta owned. A hit on a superseded memory counts for the live end of its chain; its text is never a result.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Hit, Store, View

NEARER = 1.15  # times the score of its own, for what it replaced to be why it was found; taste
HOPS_MAX = 16  # a value that changed more often since is found by its later ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Successions:
    """Of the memories found that something replaced, what holds now."""

    ends: Mapping[str, str] = field(default_factory=dict)  # by the id of what was replaced
    replaced: Mapping[str, Memory] = field(
        default_factory=dict
    )  # by what holds now: what it replaced, where that matches better

    def follow(self, hits: Sequence[Hit]) -> list[Hit]:
        """The same hits with each replaced memory's for what holds now, once each and best first; chains that lead to
        nothing visible are left out."""
        if not self.ends:
            return list(hits)
        best: dict[str, Hit] = {}
        for hit in hits:
            id = self.ends.get(hit.id, hit.id)
            if id and (id not in best or best[id].score < hit.score):
                best[id] = replace(hit, id=id)
        return sorted(best.values(), key=lambda hit: (-hit.score, hit.id))

    def carry(self, cosines: Mapping[str, float]) -> dict[str, float]:
        """The cosines by what holds now: its own, or that of what it replaced if that is nearer."""
        carried: dict[str, float] = {}
        for id, cosine in cosines.items():
            end = self.ends.get(id, id)
            if end:
                carried[end] = max(cosine, carried.get(end, cosine))
        return carried


async def find_successions(arms: Sequence[Sequence[Hit]], store: Store, view: View) -> Successions:
    """Looks up where the replaced ones among the hits of each arm lead. `view` is that of what may be shown."""
    found = list(dict.fromkeys(hit.id for hits in arms for hit in hits if hit.kind == "memory"))
    shown = await store.visible(found, view) if found else set[str]()
    hidden = [id for id in found if id not in shown]
    if not hidden:
        return Successions()
    past = {memory.id: memory for memory in await store.memories(hidden)}
    ends = await live_ends(past, store)
    visible = await store.visible(sorted(set(ends.values())), view)
    ends = {id: end if end in visible else "" for id, end in ends.items()}
    better = {end: past[id] for hits in reversed(arms) for end, id in _found_by_past(hits, ends).items()}
    return Successions(ends=dict.fromkeys(hidden, "") | ends, replaced=better)


def _found_by_past(hits: Sequence[Hit], ends: Mapping[str, str]) -> dict[str, str]:
    """By what holds now: the best of what it replaced, where that matches clearly better than it does itself."""
    own = {hit.id: hit.score for hit in hits}
    best: dict[str, str] = {}
    for hit in hits:
        end = ends.get(hit.id, "")
        if end and (end not in own or hit.score > NEARER * own[end]):
            best.setdefault(end, hit.id)
    return best


async def live_ends(past: Mapping[str, Memory], store: Store) -> dict[str, str]:
    """For each of these memories by its id: the last of what replaced it."""
    next_of = {memory.id: memory.superseded_by or "" for memory in past.values()}
    for _ in range(HOPS_MAX):
        unread = sorted({id for id in next_of.values() if id and id not in next_of})
        if not unread:
            break
        known = {memory.id: memory.superseded_by or "" for memory in await store.memories(unread)}
        next_of |= dict.fromkeys(unread, "") | known
    return {id: _last(id, next_of) for id in past}


def _last(id: str, next_of: Mapping[str, str]) -> str:
    seen = {id}
    while (following := next_of.get(id, "")) and following not in seen:
        id = following
        seen.add(id)
    return id
