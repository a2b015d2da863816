"""Near pairs of which the newer one ends the older, or may: read as they would have been when the newer was written.

Opposites lie nearest. A pair that reads like a conflict is judged among what else is known around the newer one, as by
day, and what would have been done then is done. What was found is written down before anything is made of it: a run
that broke off in between and is gone on with finds the garden half changed, and would read it otherwise.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Any

from nightgarden.domain.memory import Memory
from nightgarden.domain.time import write_moment
from nightgarden.domain.verdict import Rule
from nightgarden.remember.compare.siblings import is_of_a_sibling
from nightgarden.remember.judge import Flag, Judgement, Supersede
from nightgarden.remember.relations import stands_until_reversed
from nightgarden.tend.due_pairs import DuePairs, due_pairs
from nightgarden.tend.keys import CONFLICTS
from nightgarden.tend.pair_relations import in_order
from nightgarden.tend.tending import Tending
from nightgarden.tend.weigh import Opinion, Opinions

NEAR = 0.90  # below this nearly all contradictions were caught when they were written
PAIRS_MAX = 20_000  # nearest first; the classifier reads fewer
_YIELD_EVERY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class PairConflict:
    """What is to be done about two memories: the older one goes, or the newer one is in doubt."""

    older: str
    newer: str
    replaces: bool
    rule: Rule


async def find_conflicts(
    tending: Tending, memories: Mapping[str, Memory], opinions: Opinions
) -> tuple[list[PairConflict], dict[str, Any]]:
    """One a memory at most, and how far the near pairs were read."""
    run = [tending.cycle, write_moment(tending.now)]
    kept = await tending.store.get_state(CONFLICTS) or {}
    if kept.get("run") == run:
        return [_read(each) for each in kept["conflicts"]], kept["unread"]
    meanings = await tending.meanings(current=True)
    measured = [scope for scope in meanings.scopes.values() if scope.measured]
    due = await due_pairs(tending, "resolve", measured, floor=lambda scope: NEAR, pairs_max=PAIRS_MAX)
    found, unread_from = await _look(tending, due, memories, opinions)
    unread = due.unread_from(unread_from)
    if not tending.dry_run:
        shape = [[each.older, each.newer, each.replaces, each.rule.id, each.rule.sentence] for each in found]
        await tending.store.put_state(CONFLICTS, {"run": run, "conflicts": shape, "unread": unread})
    return found, unread


async def _look(
    tending: Tending, due: DuePairs, memories: Mapping[str, Memory], opinions: Opinions
) -> tuple[list[PairConflict], float | None]:
    """What was found, and the cosine from which on nobody read."""
    relations = await tending.relations()
    found: list[PairConflict] = []
    taken: set[str] = set()
    for at, each in enumerate(due.pairs):
        if at % _YIELD_EVERY == _YIELD_EVERY - 1:
            await asyncio.sleep(0)
        one, other = memories.get(each.pair.one), memories.get(each.pair.other)
        if one is None or other is None or {one.id, other.id} & taken or relations.is_on_record(one, other):
            continue
        older, newer = in_order(one, other)
        comparison = await relations.between(older, newer, each.scope)
        if comparison is not None and (not comparison.contradicts or _of_siblings(older, newer, memories)):
            continue
        judgement = await relations.judged(newer, older, each.scope, memories) if comparison is not None else None
        if judgement is None:
            return found, each.pair.cosine
        conflict = _conflict(judgement, older, newer)
        if conflict is None or (not conflict.replaces and _is_settled(newer, opinions.of(older, newer))):
            continue
        taken |= {older.id, newer.id}
        found.append(conflict)
    return found, None


def _conflict(judgement: Judgement, older: Memory, newer: Memory) -> PairConflict | None:
    """What the user forbade or corrected is flagged at most: nobody spoke of it this night."""
    if not isinstance(judgement, Supersede | Flag) or older.id not in {each.id for each in judgement.memories}:
        return None
    later = isinstance(judgement, Supersede) and newer.created_at > older.created_at
    replaces = later and not stands_until_reversed(older)
    return PairConflict(older=older.id, newer=newer.id, replaces=replaces, rule=judgement.rule)


def _is_settled(newer: Memory, opinion: Opinion | None) -> bool:
    """Whether there is nothing to flag: it is flagged already, or a mind found that both hold."""
    return bool(newer.flagged) or opinion is Opinion.BOTH


def _of_siblings(older: Memory, newer: Memory, memories: Mapping[str, Memory]) -> bool:
    """Whether the newer one is told of a sibling of what the older one names, of which something else is known."""
    around: Set[str] = {each.content for each in memories.values() if each.id not in (older.id, newer.id)}
    return is_of_a_sibling(older.content, newer.content, around)


def _read(shape: list[Any]) -> PairConflict:
    older, newer, replaces, rule, sentence = shape
    return PairConflict(older=older, newer=newer, replaces=replaces, rule=Rule(id=rule, sentence=sentence))
