"""Consolidation: three and more memories of one scope and category that say the same in different words become one.

Runs weekly, over everything. Wider than `merge`: words may differ as long as the comparison finds the same statement
in them, and three that agree support each other. Never folds what contradicts. With a mind, the text may be composed
of all of them (`compose`); without, the best one stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nightgarden.domain.memory import Memory
from nightgarden.remember.compare.duplicates import COSINE_SAME_CLEAN
from nightgarden.tend.meanings import Pair
from nightgarden.tend.merge import WORDS_AT_LEAST, fold_groups, group
from nightgarden.tend.proposal import Plan
from nightgarden.tend.tending import Tending

SIZE_MIN = 3  # seed 003 and REFERENCE 4.5
PAIRS_MAX = 30_000  # of one scope, nearest first: a quarter of a minute


async def find(tending: Tending) -> Plan:
    """Groups of three and more. Does nothing until it is due."""
    if not tending.goes_over_all("consolidate"):
        return Plan()
    plan = Plan(state=tending.done("consolidate"))
    meanings = await tending.meanings()
    for scope in meanings.scopes.values():
        await scope.look(tending.snapshot.memories)
        floor = COSINE_SAME_CLEAN if scope.measured else WORDS_AT_LEAST
        memories = {each: m for each, m in tending.snapshot.memories.items() if each not in tending.touched}
        pairs = alike(list(scope.pairs(at_least=floor)), memories)
        groups = await group(pairs[:PAIRS_MAX], tending.snapshot.memories, tending.relations, measured=scope.measured)
        large = [members for members in groups if len(members) >= SIZE_MIN]
        plan.proposals += await fold_groups(large, tending, scope, "consolidated", "says in other words the same")
    return plan


def alike(pairs: Sequence[Pair], memories: Mapping[str, Memory]) -> list[Pair]:
    """Pairs of live memories of one category."""
    return [
        pair
        for pair in pairs
        if (one := memories.get(pair.one)) and (other := memories.get(pair.other)) and one.category is other.category
    ]
