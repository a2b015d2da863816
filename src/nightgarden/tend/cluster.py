"""Clusters of memories, scope by scope: found anew now and then, kept up in between.

A cluster keeps its id and name while it keeps most of its members. Between full runs new memories join the cluster
whose middle they are as near to as its own members are, and archived ones leave.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np

from nightgarden.domain.graph import Cluster
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Memory, Scope
from nightgarden.store.vectors.codes import Floats
from nightgarden.tend.density import find_clusters
from nightgarden.tend.meanings import ScopeMeanings
from nightgarden.tend.names import count_terms, name_cluster
from nightgarden.tend.proposal import Proposal, TendPlan, propose
from nightgarden.tend.tending import Tending

SIZE_MIN = 5  # taste: fewer hang together by links
SIZE_MAX = 400  # recall does not walk through larger ones
SHARE_MAX = 0.3  # of a scope; a cluster of everything says nothing
MEMORIES_MIN = 15
FRESH_SHARE = 0.2  # a scope of which so much is new is clustered anew
LOOSE = 10  # percentile of members' nearness to the middle that a newcomer must reach
DIGITS = 4


async def find(tending: Tending) -> TendPlan:
    """Full or incremental, scope by scope."""
    plan = TendPlan(state=tending.done("cluster"))
    meanings = await tending.meanings(current=True)
    fresh = tending.fresh("cluster")
    known: dict[Scope, list[Cluster]] = {}
    for cluster in await tending.store.clusters():
        known.setdefault(cluster.scope, []).append(cluster)
    for scope in sorted({*meanings.scopes, *known}):
        there = meanings.scopes.get(scope)
        if there is not None and not there.measured:
            continue
        memories = tending.snapshot.memories
        alive = [each for each in there.ids if each in memories] if there else []
        new = [each for each in alive if each in fresh]
        anew = there is not None and (tending.goes_over_all("cluster") or len(new) >= FRESH_SHARE * max(1, len(alive)))
        if there is not None and anew:
            await there.look(alive)
            groups = await asyncio.to_thread(find_groups, there, memories)
        else:
            groups = None
        before = known.get(scope, [])
        plan.proposals += await asyncio.to_thread(plan_scope, scope, there, before, groups, new, memories, tending.now)
    return plan


def find_groups(there: ScopeMeanings, memories: Mapping[str, Memory]) -> list[tuple[str, ...]]:
    """Groups by density, as ids."""
    alive = np.array([each in memories for each in there.ids], bool)
    if alive.sum() < MEMORIES_MIN:
        return []
    positions, cosines = there.graph(alive)
    size_max = min(SIZE_MAX, max(3 * SIZE_MIN, int(SHARE_MAX * alive.sum())))
    found = find_clusters(positions, cosines, size_min=SIZE_MIN, size_max=size_max)
    return [tuple(sorted(there.ids[row] for row in rows if alive[row])) for rows in found]


def plan_scope(
    scope: Scope,
    there: ScopeMeanings | None,
    before: Sequence[Cluster],
    groups: Sequence[tuple[str, ...]] | None,
    new: Sequence[str],
    memories: Mapping[str, Memory],
    now: datetime,
) -> list[Proposal]:
    """The changes of one scope's clusters. `groups` None means: keep up the ones there are."""
    if there is None:
        return [_removed(cluster) for cluster in before]
    if groups is None:
        wanted = keep_up(before, there, new, memories)
        fresh: list[tuple[str, ...]] = []
    else:
        wanted, fresh = match(before, groups)
    found = []
    for cluster in before:
        members = wanted.get(cluster.id, ())
        if len(members) < SIZE_MIN:
            found.append(_removed(cluster))
        elif members != cluster.member_ids:
            after = replace(cluster, member_ids=members, centroid=centroid(there, members), updated_at=now)
            old, new_ones = set(cluster.member_ids), set(members)
            why = f"{len(new_ones - old)} came, {len(old - new_ones)} left"
            found.append(propose("changed", [Change(cluster, after)], why))
    usual = count_terms(memories[each].content for each in there.ids if each in memories) if fresh else {}
    for members in fresh:
        name = name_cluster([memories[each].content for each in members], usual, len(there.ids))
        if not name:
            continue  # what nobody can name means nothing to anybody
        cluster = Cluster(
            id=_id_of(scope, members, now),
            name=name,
            scope=scope,
            member_ids=members,
            centroid=centroid(there, members),
            created_at=now,
            updated_at=now,
        )
        found.append(propose("found", [Change(None, cluster)], f"{len(members)} memories about {name}"))
    return found


def _removed(cluster: Cluster) -> Proposal:
    return propose("dissolved", [Change(cluster, None)], "too few of its members are left together")


def _id_of(scope: Scope, members: Sequence[str], now: datetime) -> str:
    text = f"{scope}\n{now.isoformat()}\n{members[0]}"
    return "cluster:" + hashlib.sha256(text.encode()).hexdigest()[:20]


def match(
    before: Iterable[Cluster], groups: Sequence[tuple[str, ...]]
) -> tuple[dict[str, tuple[str, ...]], list[tuple[str, ...]]]:
    """Which known cluster each group goes on with, by what they share, and the groups that are new."""
    where = {member: at for at, group in enumerate(groups) for member in group}
    shared: list[tuple[int, str, int]] = []
    for cluster in before:
        counts: dict[int, int] = {}
        for member in cluster.member_ids:
            if (at := where.get(member)) is not None:
                counts[at] = counts.get(at, 0) + 1
        shared += [(number, cluster.id, at) for at, number in counts.items() if 2 * number > len(cluster.member_ids)]
    wanted: dict[str, tuple[str, ...]] = {}
    used: set[int] = set()
    for _, cluster_id, at in sorted(shared, key=lambda each: (-each[0], each[1], each[2])):
        if at not in used and cluster_id not in wanted:
            used.add(at)
            wanted[cluster_id] = groups[at]
    return wanted, [group for at, group in enumerate(groups) if at not in used]


def keep_up(
    before: Sequence[Cluster], there: ScopeMeanings, new: Sequence[str], memories: Mapping[str, Memory]
) -> dict[str, tuple[str, ...]]:
    """Members as they are now: the dead left out, newcomers where they are near."""
    members = {cluster.id: {each for each in cluster.member_ids if each in memories} for cluster in before}
    grouped = {each for group in members.values() for each in group}
    lone = [each for each in new if each not in grouped]
    kept = [cluster for cluster in before if len(members[cluster.id]) >= SIZE_MIN]
    if lone and kept:
        middles = np.stack([_middle(there, sorted(members[cluster.id])) for cluster in kept])
        reach = np.array([_reach(there, sorted(members[c.id]), middles[at]) for at, c in enumerate(kept)], np.float32)
        for each in lone:
            vector = there.vector(each)
            if vector is None:
                continue
            near = middles @ vector - reach
            if near.max() >= 0:
                members[kept[int(near.argmax())].id].add(each)
    return {
        cluster.id: cluster.member_ids
        if members[cluster.id] == set(cluster.member_ids)
        else tuple(sorted(members[cluster.id]))
        for cluster in before
    }


def _rows(there: ScopeMeanings, members: Iterable[str]) -> Floats:
    rows = [vector for each in members if (vector := there.vector(each)) is not None]
    return np.stack(rows) if rows else np.zeros((1, there.vectors.shape[1]), np.float32)


def _middle(there: ScopeMeanings, members: Sequence[str]) -> Floats:
    middle = _rows(there, members).mean(axis=0, dtype=np.float64)
    unit: Floats = (middle / max(1e-9, float(np.linalg.norm(middle)))).astype(np.float32)
    return unit


def _reach(there: ScopeMeanings, members: Sequence[str], middle: Floats) -> float:
    return float(np.percentile(_rows(there, members) @ middle, LOOSE))


def centroid(there: ScopeMeanings, members: Sequence[str]) -> tuple[float, ...]:
    """The middle of its members, to four digits: enough to compare by, and equal on every machine."""
    return tuple(round(float(number), DIGITS) for number in _middle(there, members))
