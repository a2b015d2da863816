"""The daily pass over ages and limits: what fades, what comes forward, what is over, what no longer fits.

Pure but for the session ends it is told. Pinned memories are left alone, and evergreen ones (preferences and
conventions) neither fade nor go stale, whatever their age; only a full scope can push these out.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from nightgarden.domain.belief import effective_confidence
from nightgarden.domain.journal import Change
from nightgarden.domain.memory import Category, Importance, Memory, Scope, ScopeKind, Status, Tier
from nightgarden.domain.session import SessionStatus
from nightgarden.remember.edit import archived
from nightgarden.settings import RememberSettings, TendSettings
from nightgarden.tend.idle import last_used
from nightgarden.tend.proposal import Proposal, TendPlan, propose
from nightgarden.tend.tending import Tending

EVERGREEN = frozenset({Category.PREFERENCE, Category.CONVENTION})
CHUNK = 250  # rows looked at before others get their turn

PROMOTED_SEEN_AGAIN = 0.7  # with two observations
PROMOTED_USED = 0.6  # with one access
CANDIDATE_LOW = 0.3  # taken over from an earlier system of this kind; not measured here
CANDIDATE_DAYS = 30
STALE_CONFIDENCE = 0.2  # taste: two fifths of what a candidate starts with, after decay
USED_AGAIN_DAYS = 30  # a faded memory used within so long comes forward again
GRACE_DAYS = 7
SESSION_DAYS = 1  # what held only in a session is over a day after it, or a week after it was written
SESSION_DAYS_MAX = 7
_IMPORTANCE = {Importance.LOW: 0.3, Importance.MEDIUM: 0.6, Importance.HIGH: 1.0}  # by taste


async def find(tending: Tending) -> TendPlan:
    """Looks at every memory in chunks, and at passages past their time."""
    idleness = await tending.idleness()
    ended = {
        session.id
        for session in await tending.sessions()
        if session.status is not SessionStatus.ACTIVE
        and session.ended_at is not None
        and tending.now - session.ended_at >= timedelta(days=SESSION_DAYS)
    }
    plan, settings = TendPlan(state=tending.done("sweep")), tending.settings.tend
    memories = list(tending.snapshot.memories.values())
    for start in range(0, len(memories), CHUNK):
        for memory in memories[start : start + CHUNK]:
            idle_days = idleness.days(memory, tending.now)
            if step := judge(memory, now=tending.now, idle_days=idle_days, settings=settings, ended_sessions=ended):
                plan.proposals.append(step)
        await asyncio.sleep(0)
    gone = {memory.id for proposal in plan.proposals for memory in proposal.archived}
    left = [memory for memory in memories if memory.id not in gone]
    moved = {
        change.after.id: change.after
        for p in plan.proposals
        for change in p.changes
        if isinstance(change.after, Memory)
    }
    plan.proposals += over_limit([moved.get(m.id, m) for m in left], now=tending.now, limits=tending.settings.remember)
    return plan


async def archive_old_passages(tending: Tending, cycle: str) -> int:
    """Retention as the settings say. Archived passages are no longer found; an undo of the cycle brings them back."""
    kept = tending.settings.sessions
    older_than = tending.now - timedelta(days=kept.passage_days) if kept.passage_days else None
    if tending.dry_run or (older_than is None and not kept.passages_max):
        return 0
    return await tending.store.archive_passages(
        older_than=older_than, keep_at_most=kept.passages_max or None, at=tending.now, cycle=cycle
    )


def judge(
    memory: Memory, *, now: datetime, idle_days: int, settings: TendSettings, ended_sessions: Collection[str] = ()
) -> Proposal | None:
    """What becomes of one memory by its age and use alone. `idle_days` may be fewer than the calendar's."""
    if memory.pinned:
        return None
    if over := _is_over(memory, now=now, settings=settings, ended_sessions=ended_sessions):
        return propose("expired", [Change(memory, archived(memory, at=now))], over)
    if memory.status is Status.CANDIDATE:
        return _judge_candidate(memory, now=now, fades=idle_days >= settings.fading_days)
    if memory.category in EVERGREEN:
        return None
    if memory.tier is Tier.FADING:
        if idle_days >= settings.stale_days and _is_stale(memory, now=now):
            why = f"not used for {(now - last_used(memory)).days} days, and its confidence is very low"
            return propose("archived", [Change(memory, archived(memory, at=now))], why)
        if memory.access_count and memory.last_accessed_at and (now - memory.last_accessed_at).days < USED_AGAIN_DAYS:
            after = replace(memory, tier=Tier.ACTIVE, updated_at=now)
            return propose("brought forward", [Change(memory, after)], "used again")
        return None
    if idle_days >= settings.fading_days:
        after = replace(memory, tier=Tier.FADING, updated_at=now)
        return propose("faded", [Change(memory, after)], f"not used for {(now - last_used(memory)).days} days")
    return None


def _is_stale(memory: Memory, *, now: datetime) -> bool:
    """Hardly believed, and not only just faded: what fades has some days in which it may still be used."""
    return effective_confidence(memory, now) < STALE_CONFIDENCE and (now - memory.updated_at).days >= GRACE_DAYS


def _judge_candidate(memory: Memory, *, now: datetime, fades: bool) -> Proposal | None:
    seen_again = memory.confidence >= PROMOTED_SEEN_AGAIN and memory.observation_count >= 2
    used = memory.confidence >= PROMOTED_USED and memory.access_count >= 1
    if (seen_again or used) and not memory.tainted:  # whoever writes it decides how often it is met
        tier = Tier.FADING if fades and memory.category not in EVERGREEN else Tier.ACTIVE
        after = replace(memory, status=Status.PROMOTED, tier=tier, updated_at=now)
        why = f"seen {memory.observation_count} times" if seen_again else "used, and sure enough"
        return propose("promoted", [Change(memory, after)], why)
    if memory.confidence < CANDIDATE_LOW and (now - memory.created_at).days >= CANDIDATE_DAYS:
        why = f"a candidate with confidence {memory.confidence:.2f} after {(now - memory.created_at).days} days"
        return propose("archived", [Change(memory, archived(memory, at=now))], why)
    return None


def _is_over(memory: Memory, *, now: datetime, settings: TendSettings, ended_sessions: Collection[str]) -> str:
    """Why the time of a memory is over, or nothing."""
    if memory.valid_until is not None and memory.valid_until <= now:
        return f"it held until {memory.valid_until:%Y-%m-%d}"
    if memory.temporal.session_only or memory.scope.kind is ScopeKind.SESSION:
        session = memory.scope.owner if memory.scope.kind is ScopeKind.SESSION else memory.session_id
        if session in ended_sessions:
            return "its session is over"
        if (now - memory.created_at).days >= SESSION_DAYS_MAX:
            return f"it held in a session {(now - memory.created_at).days} days ago"
    season = memory.temporal.seasonal
    if season and (now - (memory.confirmed_at or memory.created_at)).days >= settings.season_days:
        return f"its season is over: {season}"
    return ""


def value(memory: Memory, now: datetime) -> float:
    """What a memory is worth to its scope: believed, important, met often, in use."""
    tier = {Tier.PINNED: 1.0, Tier.ACTIVE: 0.5, Tier.FADING: 0.0}[memory.tier]
    lasting = 0.5 if memory.category in EVERGREEN or memory.category is Category.CORRECTION else 0.0
    met = min(memory.strength, 10) / 10.0
    return effective_confidence(memory, now) + 0.5 * _IMPORTANCE[memory.importance] + 0.5 * tier + lasting + 0.5 * met


def limit_of(scope: Scope, limits: RememberSettings) -> int | None:
    """How many live memories a scope may hold; None where there is no limit."""
    return {
        ScopeKind.PROJECT: limits.project_limit,
        ScopeKind.AGENT: limits.agent_limit,
        ScopeKind.MISSION: limits.mission_limit,
    }.get(scope.kind)


def over_limit(memories: Iterable[Memory], *, now: datetime, limits: RememberSettings) -> list[Proposal]:
    """The least worthy memories of scopes that hold too many; never a pinned one."""
    by_scope: dict[Scope, list[Memory]] = {}
    for memory in memories:
        by_scope.setdefault(memory.scope, []).append(memory)
    found = []
    for scope, members in sorted(by_scope.items()):
        limit = limit_of(scope, limits)
        if limit is None or len(members) <= limit:
            continue
        movable = sorted((m for m in members if not m.pinned), key=lambda m: (value(m, now), m.id))
        for memory in movable[: len(members) - limit]:
            why = f"{scope.kind} holds {len(members):,} memories, {limit:,} fit, and this is worth least"
            found.append(propose("archived", [Change(memory, archived(memory, at=now))], why))
    return found
