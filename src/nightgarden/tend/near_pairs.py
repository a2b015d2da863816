"""Near pairs that nothing decided, put to a mind: the same in other words, a newer state of things, or two matters.

Without a mind a statement in free words mostly stays beside the one it repeats or outdates, because a wrong merge
loses something and a second copy costs a glance. A mind can tell them apart. Nearest pairs first, each pair once, as
far as the questions of a run go, and by two votes that must agree. Where numbers, opposites or the order of words
speak against a merge there is none, whatever a mind says; what the user forbade falls to nobody but the user.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass

from nightgarden.domain.memory import Memory, Scope
from nightgarden.domain.time import write_moment
from nightgarden.remember.compare.guards import signs
from nightgarden.remember.judge import may_overrule
from nightgarden.remember.relations import stands_until_reversed
from nightgarden.tend.keys import NEAR
from nightgarden.tend.meanings import ScopeMeanings
from nightgarden.tend.pair_relations import in_order
from nightgarden.tend.tending import Tending
from nightgarden.tend.weigh import PAIRS_A_QUESTION, VOTES, Opinion, Opinions

ASKED_FROM = 0.6  # cosine, to keep strangers out; the nearest come first
LOOKED_THROUGH_MAX = 20_000  # memories of a scope; above it only what is new is looked at


@dataclass(frozen=True, slots=True, kw_only=True)
class NearPair:
    """Two memories of one scope that lie near and that nothing has been said about."""

    older: Memory
    newer: Memory
    cosine: float
    scope: ScopeMeanings

    @property
    def may_be_one(self) -> bool:
        exact = signs(self.older.content, self.newer.content).mergeable
        return exact and not self.older.tainted and not self.newer.tainted

    @property
    def may_replace(self) -> bool:
        later = self.newer.created_at > self.older.created_at
        return later and may_overrule(self.newer, self.older) and not stands_until_reversed(self.older)


async def near_pairs(
    tending: Tending, memories: Mapping[str, Memory], opinions: Opinions, *, settled: Set[str]
) -> list[NearPair]:
    """As many as may be asked about, nearest first, each memory in one at most. Written down, because a run that
    broke off in between and is gone on with finds the garden half changed."""
    room = tending.counsel.left // VOTES * PAIRS_A_QUESTION
    if not room:
        return []
    run = [tending.cycle, write_moment(tending.now)]
    scopes = (await tending.meanings(current=True)).scopes
    kept = await tending.store.get_state(NEAR) or {}
    if kept.get("run") != run:
        chosen = await _choose(tending, scopes, memories, opinions, settled=settled, room=room)
        kept = {"run": run, "pairs": [[near.older.id, near.newer.id, near.cosine] for near in chosen]}
        await tending.store.put_state(NEAR, kept)
    left = [pair for pair in kept["pairs"] if all(each in memories and each not in settled for each in pair[:2])]
    return [
        NearPair(older=memories[older], newer=memories[newer], cosine=cosine, scope=scopes[memories[older].scope])
        for older, newer, cosine in left
    ]


async def _choose(
    tending: Tending,
    scopes: Mapping[Scope, ScopeMeanings],
    memories: Mapping[str, Memory],
    opinions: Opinions,
    *,
    settled: Set[str],
    room: int,
) -> list[NearPair]:
    found = []
    for scope in scopes.values():
        if not scope.measured:
            continue
        await scope.look(memories if len(scope.ids) <= LOOKED_THROUGH_MAX else tending.fresh("resolve"))
        for pair in scope.pairs(at_least=ASKED_FROM):
            one, other = memories.get(pair.one), memories.get(pair.other)
            if one is None or other is None or opinions.of(one, other) is not None or one.flagged or other.flagged:
                continue
            older, newer = in_order(one, other)
            found.append(NearPair(older=older, newer=newer, cosine=pair.cosine, scope=scope))
    chosen: list[NearPair] = []
    taken = set(settled)
    for near in sorted(found, key=lambda near: -near.cosine):
        if len(chosen) == room:
            break
        if not {near.older.id, near.newer.id} & taken:
            taken |= {near.older.id, near.newer.id}
            chosen.append(near)
    return chosen


def allowed(near: NearPair, opinion: Opinion) -> Opinion:
    """What of a mind's word may be carried out: the older one stands for `first`."""
    if opinion is Opinion.SAME:
        return opinion if near.may_be_one else Opinion.UNSURE
    if opinion is Opinion.SECOND:
        return opinion if near.may_replace else Opinion.UNSURE
    return opinion if opinion is Opinion.BOTH else Opinion.UNSURE
