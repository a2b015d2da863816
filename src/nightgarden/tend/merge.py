"""Merging memories of one scope that are all but equal in meaning, across the whole graph.

Looks at what is new since the last run; at everything now and then. Being near is not enough: the comparison of the
two statements must find that they say the same, and opposites, which lie nearest of all, are never merged.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import Store
from nightgarden.remember.compare import Relation
from nightgarden.tend.compose import COMPOSED
from nightgarden.tend.fold import CARRIED, choose, fold
from nightgarden.tend.meanings import Pair, ScopeMeanings
from nightgarden.tend.pair_relations import Relations
from nightgarden.tend.proposal import Proposal, TendPlan, propose
from nightgarden.tend.tending import Tending

WORDS_AT_LEAST = 0.8  # share of words that makes a pair worth comparing where there are no vectors
PAIRS_MAX = 60_000  # compared in one run, nearest first: half a minute; what is left waits for the next full pass
CHECKED_IN_GROUP = 6  # a newcomer must not contradict any of so many members
_YIELD_EVERY = 200

Compose = Callable[[Memory, Sequence[Memory]], Awaitable[Memory | None]]  # the one that stays and all: a new one


async def find(tending: Tending) -> TendPlan:
    """Pairs with something new in them, compared, grouped, folded."""
    plan = TendPlan(state=tending.done("merge"))
    meanings = await tending.meanings()
    fresh = tending.fresh("merge")
    candidates = 0
    for scope in meanings.scopes.values():
        await scope.look(fresh)
        floor = tending.settings.tend.merge_cosine if scope.measured else WORDS_AT_LEAST
        pairs = [pair for pair in scope.pairs(at_least=floor) if pair.one in fresh or pair.other in fresh]
        pairs = [pair for pair in pairs if pair.one not in tending.touched and pair.other not in tending.touched]
        candidates += len(pairs)
        groups = await group(pairs[:PAIRS_MAX], tending.snapshot.memories, tending.relations, measured=scope.measured)
        plan.proposals += await fold_groups(groups, tending, scope, "merged", "says the same")
    folded = sum(len(proposal.archived) for proposal in plan.proposals)
    plan.noted = {"near pairs left": candidates - folded} if candidates > folded else {}
    return plan


async def group(
    pairs: Sequence[Pair], memories: Mapping[str, Memory], relations: Relations, *, measured: bool
) -> list[list[Memory]]:
    """Groups of memories that say the same, from pairs nearest first. Nobody joins a group it contradicts."""
    groups: dict[str, list[Memory]] = {}
    for at, pair in enumerate(pairs):
        if at % _YIELD_EVERY == _YIELD_EVERY - 1:
            await asyncio.sleep(0)
        one, other = memories.get(pair.one), memories.get(pair.other)
        if one is None or other is None or groups.get(one.id, ()) is groups.get(other.id):
            continue
        cosine = pair.cosine if measured else None
        if relations.between(one, other, cosine).relation is not Relation.SAME:
            continue
        left, right = groups.get(one.id, [one]), groups.get(other.id, [other])
        if _agree(left, right, relations):
            joined = [*left, *right]
            groups.update((memory.id, joined) for memory in joined)
    distinct = {id(members): members for members in groups.values()}
    return [sorted(members, key=lambda m: m.id) for members in distinct.values()]


def _agree(left: Sequence[Memory], right: Sequence[Memory], relations: Relations) -> bool:
    return not any(
        relations.between(one, other, None).contradicts
        for one in left[:CHECKED_IN_GROUP]
        for other in right[:CHECKED_IN_GROUP]
        if len(left) + len(right) > 2
    )


async def fold_groups(
    groups: Iterable[Sequence[Memory]],
    tending: Tending,
    scope: ScopeMeanings,
    what: str,
    why: str,
    compose: Compose | None = None,
) -> list[Proposal]:
    """One proposal a group: the best text stays, or one that was composed, and the others lead to it."""
    groups = sorted((list(members) for members in groups), key=lambda members: members[0].id)
    edges = await edges_of(tending.store, [memory.id for members in groups for memory in members])
    found = []
    for members in groups:
        kept = choose(members, nearness=scope.centrality(members))
        others = [memory for memory in members if memory.id != kept.id and not memory.pinned]
        if not others:
            continue
        new = await compose(kept, members) if compose is not None else None
        if new is not None:
            reason = f"{COMPOSED} of {new.id} from {', '.join(memory.id for memory in members)}"
            proposal = propose("composed", fold(new, members, edges, now=tending.now, new=True), reason)
        else:
            reason = f"{kept.id} {why} as {', '.join(memory.id for memory in others)}"
            proposal = propose(what, fold(kept, others, edges, now=tending.now), reason)
        found.append(proposal)
        _note(edges, proposal.changes)
    return found


def _note(edges: dict[str, list[Edge]], changes: Iterable[Change]) -> None:
    """The edges as they are after the changes: a later group may move on what an earlier one moved to it."""
    for edge in (change.after for change in changes):
        if isinstance(edge, Edge):
            for end in (edge.source, edge.target):
                others = [known for known in edges.get(end, ()) if known.key != edge.key]
                edges[end] = [*others, edge]


async def edges_of(store: Store, ids: Sequence[str]) -> dict[str, list[Edge]]:
    """The edges that touch each memory, of the kinds that a fold moves or makes."""
    found: dict[str, list[Edge]] = {}
    wanted = set(ids)
    for start in range(0, len(ids), 500):
        chunk = list(ids[start : start + 500])
        for edge in await store.edges(chunk, kinds=[*CARRIED, EdgeKind.SUPERSEDES]):
            for end in {edge.source, edge.target} & wanted:
                if all(edge.key != known.key for known in found.get(end, ())):
                    found.setdefault(end, []).append(edge)
    return found
