"""From candidates to an order: what an item gains by its place, its speaker, its day, its tags, and by belief. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from nightgarden.domain.belief import effective_confidence, recency_boost
from nightgarden.domain.memory import Memory, Status
from nightgarden.domain.session import Passage
from nightgarden.recall.file_arm import FILE_WEIGHT, shared_files
from nightgarden.recall.gather import RecallCandidates
from nightgarden.recall.options import RecallOptions, Request
from nightgarden.recall.query import Query
from nightgarden.recall.support import (
    AGENT,
    WITH_AGENT,
    Weights,
    alone_boosts,
    conversation_boosts,
    read_turn,
    speaker_boost,
)
from nightgarden.recall.tag_arm import named_tags, tag_boost
from nightgarden.recall.triggers import TRIGGER_WEIGHT
from nightgarden.recall.when import nearness

DATE_WEIGHT = 3.0  # said on the very day; docs/why/fusion.md
TIE_WEIGHT = 0.1  # confidence and recency decide between equals, never against relevance
CANDIDATE_BEHIND = 0.4  # evidence: of two that fit alike, the one that proved itself comes first. Taste
RECENT_WEIGHT = 3.0  # evidence, when newness counts as much as it can: as much as a date that was asked for
RECENT_HALF_DAYS = 30.0
ECHO_SHARE = 0.5  # of an agent's passage; taste

Boosts = dict[str, dict[str, float]]


def passage_boosts(
    found: RecallCandidates, query: Query, request: Request, now: datetime, with_agent: Weights = WITH_AGENT
) -> Boosts:
    """For every passage read."""
    options = request.options
    turns = [read_turn(passage) for passage in found.passages.values()]
    boosts = conversation_boosts(turns, found.base, options, with_agent)
    heard: dict[str, float] = {}  # by speaker: a conversation has few
    for turn in turns:
        if options.names:
            if turn.said_by not in heard:
                heard[turn.said_by] = speaker_boost(turn.said_by, query.words, query.roles)
            boosts[turn.id]["speaker"] = heard[turn.said_by]
        if options.when and query.spans:
            boosts[turn.id]["date"] = DATE_WEIGHT * nearness(query.spans, found.passages[turn.id].created_at)
        if request.recency:
            boosts[turn.id]["recent"] = newness(found.passages[turn.id].created_at, now) * request.recency
    return boosts


def newness(at: datetime, now: datetime) -> float:
    """What it counts at most that something is new: half of it after a month."""
    days = max(0.0, (now - at).total_seconds() / 86400.0)
    return RECENT_WEIGHT * float(2.0 ** (-days / RECENT_HALF_DAYS))


def first_memory_boosts(found: RecallCandidates, options: RecallOptions) -> Boosts:
    """For every memory found, before any is read: enough to choose which to read."""
    boosts: Boosts = {}
    for id, kind in found.kinds.items():
        if kind == "memory":
            boosts[id] = alone_boosts(found.base[id], options)
            if id in found.fired:
                boosts[id]["trigger"] = TRIGGER_WEIGHT
    return boosts


def memory_boosts(memory: Memory, query: Query, request: Request, now: datetime) -> dict[str, float]:
    """For one memory that was read."""
    options, boosts = request.options, dict[str, float]()
    if memory.status is Status.CANDIDATE:
        boosts["candidate"] = -CANDIDATE_BEHIND
    if request.recency:
        boosts["recent"] = newness(memory.confirmed_at or memory.created_at, now) * request.recency
    if options.tags:
        boosts["tags"] = tag_boost(named_tags(memory, query.tags))
    if options.files and shared_files(memory, query.files):
        boosts["file"] = FILE_WEIGHT
    if options.when and query.spans:
        boosts["date"] = DATE_WEIGHT * nearness(query.spans, memory.created_at, memory.valid_from)
    used = memory.last_accessed_at or memory.created_at
    recency = recency_boost((now - used).total_seconds() / 3600.0) - 1.0
    boosts["belief"] = TIE_WEIGHT * (effective_confidence(memory, now) + recency)
    return boosts


def supported_by(memory: Memory, passage: Passage) -> bool:
    """Whether a memory was drawn from the message of a passage."""
    if memory.session_id != passage.session_id or memory.message_range is None:
        return False
    return any(message in memory.message_range for message in passage.message_ids)


def put_beliefs_first(evidence: dict[str, float], found: RecallCandidates) -> dict[str, float]:
    """What each belief gains to stand just before the passage it was drawn from, and before what the agent said right
    before or after that: a proposal that the user corrected, an echo. For the latter it must be half as good by itself,
    for an agent's answer also speaks of other things."""
    gained: dict[str, float] = {}
    by_session: dict[str, list[Passage]] = {}
    for passage in found.passages.values():
        by_session.setdefault(passage.session_id, []).append(passage)
    for memory in found.memories.values():
        session = by_session.get(memory.session_id or "", ()) if memory.id in evidence else ()
        own = [p for p in session if supported_by(memory, p)]
        near = {position for p in own for position in (p.position - 1, p.position + 1)}
        rivals = [evidence[p.id] for p in own if p.id in evidence]
        rivals += [
            evidence[p.id]
            for p in session
            if p.role == AGENT and p.position in near and evidence.get(p.id, 0.0) <= evidence[memory.id] / ECHO_SHARE
        ]
        best = max(rivals, default=None)
        if best is not None and evidence[memory.id] <= best:
            gained[memory.id] = best - evidence[memory.id] + 1e-6
    return gained


def in_order(evidence: dict[str, float]) -> list[str]:
    """Best first; equals by id, so that the same garden always answers the same."""
    return sorted(evidence, key=lambda id: (-round(evidence[id], 9), id))


def worse_pieces(order: Iterable[str], passages: Mapping[str, Passage]) -> set[str]:
    """Passages of a message of which a better passage comes before them in the order: a long message is cut into
    several, and a result is a message. The best stands for it."""
    seen: set[tuple[str, tuple[str, ...]]] = set()
    worse: set[str] = set()
    for id in order:
        passage = passages.get(id)
        if passage is not None:
            message = (passage.session_id, passage.message_ids)
            worse |= {id} if message in seen else set()
            seen.add(message)
    return worse
