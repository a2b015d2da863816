"""Merging memories of one scope that are all but equal in meaning, across the whole graph.

Looks at what is new since the last run; at everything now and then. Being near is not enough: the two must be found to
say the same, as when one is written, and opposites, which lie nearest of all, are never merged. Where somebody was
asked about two memories they stay as they are.
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
from nightgarden.tend.due_pairs import ScopedPair, due_pairs
from nightgarden.tend.fold import CARRIED, choose, fold
from nightgarden.tend.meanings import ScopeMeanings
from nightgarden.tend.pair_relations import Relations
from nightgarden.tend.proposal import Proposal, TendPlan, propose
from nightgarden.tend.tending import Tending

WORDS_AT_LEAST = 0.8  # share of words that makes a pair worth comparing where there are no vectors
PAIRS_MAX = 60_000  # looked at in one run, nearest first; the classifier reads fewer (`pair_relations.py`)
CHECKED_IN_GROUP = 6  # a newcomer must not contradict any of so many members
_YIELD_EVERY = 200

Compose = Callable[[Memory, Sequence[Memory]], Awaitable[Memory | None]]  # the one that stays and all: a new one


async def find(tending: Tending) -> TendPlan:
    """Pairs with something new in them, read, grouped, folded."""
    meanings = await tending.meanings()

    def floor(scope: ScopeMeanings) -> float:
        return tending.settings.tend.merge_cosine if scope.measured else WORDS_AT_LEAST

    due = await due_pairs(tending, "merge", meanings.scopes.values(), floor=floor, pairs_max=PAIRS_MAX)
    pairs = [each for each in due.pairs if not {each.pair.one, each.pair.other} & tending.touched]
    groups, unread_from = await group(pairs, tending.snapshot.memories, await tending.relations())
    plan = TendPlan(state=tending.done("merge", due.unread_from(unread_from)))
    for name, scope in meanings.scopes.items():
        mine = [members for members in groups if members[0].scope == name]
        plan.proposals += await fold_groups(mine, tending, scope, "merged", "says the same")
    folded = sum(len(proposal.archived) for proposal in plan.proposals)
    plan.noted = {"near pairs left": len(pairs) - folded} if len(pairs) > folded else {}
    return plan


async def group(
    pairs: Sequence[ScopedPair], memories: Mapping[str, Memory], relations: Relations
) -> tuple[list[list[Memory]], float | None]:
    """Groups of memories that say the same, from pairs nearest first, and the cosine from which on nobody read. Nobody
    joins a group it contradicts."""
    groups: dict[str, list[Memory]] = {}
    unread_from: float | None = None
    for at, each in enumerate(pairs):
        if at % _YIELD_EVERY == _YIELD_EVERY - 1:
            await asyncio.sleep(0)
        one, other = memories.get(each.pair.one), memories.get(each.pair.other)
        if one is None or other is None or groups.get(one.id, ()) is groups.get(other.id):
            continue
        if relations.is_on_record(one, other):
            continue
        comparison = await relations.between(one, other, each.scope)
        if comparison is not None and comparison.relation is not Relation.SAME:
            continue
        left, right = groups.get(one.id, [one]), groups.get(other.id, [other])
        agree = comparison is not None and await _agree(left, right, relations, each.scope)
        if agree is None or comparison is None:
            unread_from = each.pair.cosine
            break
        if agree:
            joined = [*left, *right]
            groups.update((memory.id, joined) for memory in joined)
    distinct = {id(members): members for members in groups.values()}
    return [sorted(members, key=lambda m: m.id) for members in distinct.values()], unread_from


async def _agree(
    left: Sequence[Memory], right: Sequence[Memory], relations: Relations, scope: ScopeMeanings
) -> bool | None:
    """None when enough was read."""
    if len(left) + len(right) == 2:
        return True
    for one in left[:CHECKED_IN_GROUP]:
        for other in right[:CHECKED_IN_GROUP]:
            comparison = await relations.between(one, other, scope)
            if comparison is None or comparison.contradicts or relations.is_on_record(one, other):
                return None if comparison is None else False
    return True


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
