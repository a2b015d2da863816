"""Contradictions: found across the graph, decided where there is evidence, left to the user where there is none.

A near pair is read as it would have been when the newer one was written (`near_conflicts.py`), among what is known
around it, and what would have been done then is done: the older one is replaced, or the newer one is flagged. On what
is flagged there may be evidence, in this order: one side was found true in the code and the other not; a newer
statement of the user against what the user did not say; far stronger support. Of two statements of the user that were
flagged when the second was written, the user was asked which one holds, and nobody else answers. Where there is no
evidence and a mind is there, it is asked first; what it cannot tell is left to the user as before. With the questions
that are left it is asked about near pairs that were left as they are (`near_pairs.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from nightgarden.domain.belief import effective_confidence
from nightgarden.domain.doubt import Doubt, DoubtKind, without_kind, without_memory
from nightgarden.domain.graph import Edge, EdgeKind
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import USER_SAID, Memory, Scope
from nightgarden.domain.verdict import Rule
from nightgarden.remember.edit import superseded
from nightgarden.tend.keys import OPINIONS
from nightgarden.tend.merge import fold_groups
from nightgarden.tend.near_conflicts import find_conflicts
from nightgarden.tend.near_pairs import NearPair, allowed, near_pairs
from nightgarden.tend.pair_relations import in_order
from nightgarden.tend.proposal import Proposal, TendPlan, propose
from nightgarden.tend.tending import Tending
from nightgarden.tend.verify.last_checks import load_verdicts
from nightgarden.tend.weigh import Dispute, Opinion, Opinions, may_decide, weigh

FLAGGED = "flagged"
SAME_BY_A_MIND = "says the same, as a mind finds that was asked twice,"
BY_A_MIND = "a mind, asked twice, holds with the other"
SUPPORT_RATIO = 3.0  # taste: three times the weight, and met twice more, is no accident
STRENGTH_MORE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """Which of two holds, and why."""

    winner: Memory
    loser: Memory
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """A pair that evidence does not decide, on record by its edge or found now."""

    one: str
    other: str
    rule: Rule | None = None  # by which it would be flagged now
    edge: Edge | None = None


async def find(tending: Tending) -> TendPlan:
    """Contradictions on record first, then near pairs with something new in them, then doubts that are settled."""
    plan = TendPlan()
    memories = dict(tending.snapshot.memories)  # as they are after what was proposed so far
    opinions = Opinions(await tending.store.get_state(OPINIONS))
    undecided: list[_Open] = []
    edges = [edge async for page in tending.store.all_edges(kinds=[EdgeKind.CONTRADICTS]) for edge in page]
    verdicts = await load_verdicts(tending.store)
    for edge in edges:
        one, other = memories.get(edge.source), memories.get(edge.target)
        if one is None or other is None or not (_contradicts(one, other.id) or _contradicts(other, one.id)):
            continue  # nobody doubts it, or somebody has said that both hold
        if decision := decide(one, other, verdicts, now=tending.now):
            _take(plan, settle(decision, now=tending.now), memories)
        elif opinions.of(one, other) is None:
            undecided.append(_Open(one=one.id, other=other.id, edge=edge))
    undecided += await _find_new(tending, plan, memories, opinions)
    asked = tending.counsel.asked
    await _ask(tending, plan, memories, undecided, opinions)
    await _ask_about_near(tending, plan, memories, opinions)
    if tending.counsel.asked > asked:
        plan.noted["questions to a mind"] = tending.counsel.asked - asked
        plan.state[OPINIONS] = opinions.shape(memories)
    if tending.counsel.unreachable:
        plan.noted["mind unreachable"] = 1
    removed = {change.before.key for p in plan.proposals for change in p.changes if isinstance(change.before, Edge)}
    for proposal in unflag(memories, [edge for edge in edges if edge.key not in removed], now=tending.now):
        _take(plan, proposal, memories)
    if waiting := sum(bool(memory.flagged) for memory in memories.values()):
        plan.noted["for you to decide (see `nightgarden flagged`)"] = waiting
    return plan


def _take(plan: TendPlan, proposal: Proposal, memories: dict[str, Memory]) -> None:
    plan.proposals.append(proposal)
    for change in proposal.changes:
        if isinstance(change.after, Memory):
            if change.after.live:
                memories[change.after.id] = change.after
            else:
                memories.pop(change.after.id, None)


def decide(one: Memory, other: Memory, verdicts: Mapping[str, str], *, now: datetime) -> Decision | None:
    """Who holds, or None when it is for the user to say."""
    for winner, loser in ((one, other), (other, one)):
        borne_out = verdicts.get(winner.id) == "confirmed" and verdicts.get(loser.id) != "confirmed"
        # A file tells which of two statements holds, but not over the user's word for one that is not the user's.
        if borne_out and not loser.pinned and (loser.provenance not in USER_SAID or winner.provenance in USER_SAID):
            return Decision(winner=winner, loser=loser, why="the code agrees with the other")
    older, newer = in_order(one, other)
    said_later = newer.provenance in USER_SAID and not newer.tainted and newer.created_at > older.created_at
    if said_later and older.provenance not in USER_SAID and not older.pinned:
        return Decision(winner=newer, loser=older, why="the user said otherwise later")
    for winner, loser in ((one, other), (other, one)):
        if loser.pinned or loser.provenance in USER_SAID or winner.tainted:
            continue
        more = winner.strength - loser.strength >= STRENGTH_MORE
        if more and _support(winner, now) >= SUPPORT_RATIO * _support(loser, now):
            return Decision(winner=winner, loser=loser, why="far more speaks for the other")
    return None


def _support(memory: Memory, now: datetime) -> float:
    return effective_confidence(memory, now) * (1.0 + math.log1p(memory.strength + memory.observation_count))


def settle(decision: Decision, *, now: datetime) -> Proposal:
    """The loser is superseded; the winner is no longer in doubt."""
    winner, loser = decision.winner, decision.loser
    edge = Edge(source=winner.id, target=loser.id, kind=EdgeKind.SUPERSEDES, created_at=now, updated_at=now)
    changes = [Change(loser, superseded(loser, by=winner.id, at=now, now=now)), Change(None, edge)]
    if winner.flagged:
        changes.append(Change(winner, replace(winner, doubts=(), updated_at=now)))
    return propose("settled", changes, f"{decision.why} ({winner.id} stays, {loser.id} goes)")


def unflag(memories: Mapping[str, Memory], edges: Sequence[Edge], *, now: datetime) -> list[Proposal]:
    """Memories that were in doubt because of others that are gone."""
    against: dict[str, list[str]] = {}
    for edge in edges:
        against.setdefault(edge.source, []).append(edge.target)
        against.setdefault(edge.target, []).append(edge.source)
    found = []
    for each, others in sorted(against.items()):
        memory = memories.get(each)
        if memory is None or not _contradicts(memory) or any(other in memories for other in others):
            continue
        doubts = without_kind(memory.doubts, DoubtKind.CONTRADICTS)
        after = replace(memory, doubts=doubts, updated_at=now)
        found.append(propose("unflagged", [Change(memory, after)], "what it contradicted is gone"))
    return found


async def _find_new(tending: Tending, plan: TendPlan, memories: dict[str, Memory], opinions: Opinions) -> list[_Open]:
    """Proposes what near pairs ask for. Returns those that would be flagged, where a mind may be asked first."""
    undecided = []
    conflicts, unread = await find_conflicts(tending, memories, opinions)
    plan.state |= tending.done("resolve", unread)
    for each in conflicts:
        older, newer = memories.get(each.older), memories.get(each.newer)
        if older is None or newer is None or {older.id, newer.id} & tending.touched:
            continue
        if each.replaces:
            decision = Decision(winner=newer, loser=older, why=each.rule.sentence[:-1])
            _take(plan, settle(decision, now=tending.now), memories)
        elif opinions.of(older, newer) is None:
            undecided.append(_Open(one=older.id, other=newer.id, rule=each.rule))
        elif (proposal := flag(older, newer, each.rule, now=tending.now)) is not None:
            _take(plan, proposal, memories)
    return undecided


async def _ask(
    tending: Tending, plan: TendPlan, memories: dict[str, Memory], undecided: Sequence[_Open], opinions: Opinions
) -> None:
    """Puts what is undecided to a mind, as far as it may be asked; what it does not settle is flagged."""
    disputes = [Dispute(memories[each.one], memories[each.other]) for each in undecided]
    found = await weigh(disputes, tending.counsel)
    for at, each in enumerate(undecided):
        one, other = memories.get(each.one), memories.get(each.other)
        if one is None or other is None:
            continue  # went with an earlier pair
        opinion = found.get(at)
        winner, loser = (one, other) if opinion is Opinion.FIRST else (other, one)
        if opinion in (Opinion.FIRST, Opinion.SECOND) and may_decide(winner, loser):
            _take(plan, settle(Decision(winner=winner, loser=loser, why=BY_A_MIND), now=tending.now), memories)
            continue
        if opinion in (Opinion.BOTH, Opinion.SAME):
            proposal = let_both_hold(one, other, each.edge, now=tending.now)
        else:
            proposal = flag(*in_order(one, other), each.rule, now=tending.now) if each.rule is not None else None
        if proposal is not None:
            _take(plan, proposal, memories)
        if opinion not in (None, Opinion.SAME):  # what says the same is a near pair of the next run
            opinions.keep(one, other, opinion if opinion is Opinion.BOTH else Opinion.UNSURE)
    if tending.dry_run and tending.lent.mind is not None and undecided:
        plan.noted["pairs to ask a mind about"] = len(undecided)


async def _ask_about_near(tending: Tending, plan: TendPlan, memories: dict[str, Memory], opinions: Opinions) -> None:
    """Puts near pairs to a mind that nothing decided. Unlike a dispute, what it does not settle stays as it is."""
    settled = tending.touched | set(_decided_about(plan))
    near = await near_pairs(tending, memories, opinions, settled=settled)
    found = await weigh([Dispute(pair.older, pair.newer) for pair in near], tending.counsel)
    same: dict[Scope, list[NearPair]] = {}
    for at, said in found.items():
        pair = near[at]
        opinion = allowed(pair, said)
        if opinion is Opinion.SECOND:
            decision = Decision(winner=pair.newer, loser=pair.older, why=BY_A_MIND)
            _take(plan, settle(decision, now=tending.now), memories)
        elif opinion is Opinion.SAME:
            same.setdefault(pair.scope.scope, []).append(pair)
        else:
            opinions.keep(pair.older, pair.newer, opinion)
    for pairs in same.values():
        groups = [(pair.older, pair.newer) for pair in pairs]
        for proposal in await fold_groups(groups, tending, pairs[0].scope, "merged", SAME_BY_A_MIND):
            _take(plan, proposal, memories)


def _decided_about(plan: TendPlan) -> Iterator[str]:
    """Memories that the plan changes, and those it sets them against: as a run that is gone on with reads them off the
    journal."""
    for each in (each for p in plan.proposals for change in p.changes for each in (change.before, change.after)):
        match each:
            case Memory(id=memory_id):
                yield memory_id
            case Edge(source=source, target=target, kind=EdgeKind.SUPERSEDES | EdgeKind.CONTRADICTS):
                yield from (source, target)
            case _:
                pass


def _contradicts(memory: Memory, other_id: str | None = None) -> bool:
    """Whether it is in doubt because of others, or because of this one."""
    return any(
        doubt.kind is DoubtKind.CONTRADICTS and (other_id is None or other_id in doubt.against)
        for doubt in memory.doubts
    )


def let_both_hold(one: Memory, other: Memory, edge: Edge | None, *, now: datetime) -> Proposal | None:
    """The edge goes, and the doubt that names the other. None when there is neither."""
    changes = [Change(edge, None)] if edge is not None else []
    for memory, against in ((one, other), (other, one)):
        if _contradicts(memory, against.id):
            doubts = without_memory(memory.doubts, against.id)
            changes.append(Change(memory, replace(memory, doubts=doubts, updated_at=now)))
    return propose("both hold", changes, "a mind, asked twice, finds that both hold") if changes else None


def flag(older: Memory, newer: Memory, rule: Rule, *, now: datetime) -> Proposal | None:
    """The newer one is in doubt because of the older; None where it is in doubt already."""
    if newer.flagged:
        return None
    doubt = Doubt(kind=DoubtKind.CONTRADICTS, against=(older.id,), rule=rule.id)
    flagged = replace(newer, doubts=(doubt,), updated_at=now)
    edge = Edge(source=newer.id, target=older.id, kind=EdgeKind.CONTRADICTS, created_at=now, updated_at=now)
    return propose(FLAGGED, [Change(newer, flagged), Change(None, edge)], rule.sentence)
