"""Consolidation: three and more memories of one scope and category that say the same in different words become one.

Runs weekly, over everything. Wider than `merge`: they may lie further apart as long as the same statement is found in
them, and three that agree support each other. Never folds what contradicts. The best text
stays as it was said, unless a mind is there and writes a better one that passes every check.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nightgarden.domain.memory import Memory, Scope
from nightgarden.settings import RememberSettings
from nightgarden.tend.compose import compose, composed, may_compose
from nightgarden.tend.due_pairs import ScopedPair, due_pairs, has_unread
from nightgarden.tend.meanings import ScopeMeanings
from nightgarden.tend.merge import WORDS_AT_LEAST, Compose, fold_groups, group
from nightgarden.tend.proposal import TendPlan
from nightgarden.tend.sweep import limit_of
from nightgarden.tend.tending import Tending

SIZE_MIN = 3  # two may be chance
COSINE_MIN = 0.85  # of bge-small; measured when words were compared, kept as the reach
CROWDED_SHARE = 0.8  # of a scope's limit, from which every run consolidates what is new in it; taken over, not measured
PAIRS_MAX = 30_000  # nearest first; the classifier reads fewer


async def find(tending: Tending) -> TendPlan:
    """Groups of three and more. Between two passes over everything only what is new in scopes that are nearly full."""
    due = tending.goes_over_all("consolidate") or has_unread(tending, "consolidate")
    crowded = crowded_scopes(tending.snapshot.by_scope(), tending.settings.remember)
    if not due and not crowded:
        return TendPlan()
    meanings = await tending.meanings()
    wanted = {name: scope for name, scope in meanings.scopes.items() if due or name in crowded}

    def floor(scope: ScopeMeanings) -> float:
        return COSINE_MIN if scope.measured else WORDS_AT_LEAST

    found = await due_pairs(tending, "consolidate", wanted.values(), floor=floor, pairs_max=PAIRS_MAX)
    memories = {each: m for each, m in tending.snapshot.memories.items() if each not in tending.touched}
    pairs = alike(found.pairs, memories)
    groups, unread_from = await group(pairs, tending.snapshot.memories, await tending.relations())
    plan = TendPlan(state=tending.done("consolidate", found.unread_from(unread_from)))
    composing = _composing(tending, plan)
    for name, scope in wanted.items():
        large = [members for members in groups if len(members) >= SIZE_MIN and members[0].scope == name]
        plan.proposals += await fold_groups(
            large, tending, scope, "consolidated", "says in other words the same", compose=composing
        )
    return plan


def crowded_scopes(by_scope: Mapping[Scope, Sequence[Memory]], limits: RememberSettings) -> set[Scope]:
    """Scopes that hold nearly as many memories as they may."""
    found = set()
    for scope, members in by_scope.items():
        limit = limit_of(scope, limits)
        if limit is not None and len(members) >= CROWDED_SHARE * limit:
            found.add(scope)
    return found


def _composing(tending: Tending, plan: TendPlan) -> Compose:
    """Asks the mind for one text while it may be asked, and counts what became of that."""

    async def nearness(text: str, others: Sequence[str]) -> list[float] | None:
        return await tending.lent.nearness(text, others) if tending.lent.nearness is not None else None

    async def make(kept: Memory, members: Sequence[Memory]) -> Memory | None:
        if not may_compose(members):
            return None
        if tending.dry_run and tending.lent.mind is not None:
            _count(plan, "texts to ask a mind for")
        if not tending.counsel.may_ask():
            return None
        asked = tending.counsel.asked
        text = await compose(kept, members, tending.counsel, nearness, await tending.classifier())
        _count(plan, "questions to a mind", tending.counsel.asked - asked)
        if text is None:
            _count(plan, "mind unreachable" if tending.counsel.unreachable else "texts of a mind not used")
            return None
        return composed(kept, members, text, now=tending.now)

    return make


def _count(plan: TendPlan, what: str, number: int = 1) -> None:
    plan.noted[what] = plan.noted.get(what, 0) + number


def alike(pairs: Sequence[ScopedPair], memories: Mapping[str, Memory]) -> list[ScopedPair]:
    """Pairs of live memories of one category."""
    found = []
    for each in pairs:
        one, other = memories.get(each.pair.one), memories.get(each.pair.other)
        if one is not None and other is not None and one.category is other.category:
            found.append(each)
    return found
