"""Which sessions are over and not yet recorded, and what is recorded of them: an episode, and what was left undone.

Reads the store and plans changes; makes none. Recording a session again changes nothing unless the session did.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from nightgarden.domain.journal import Change
from nightgarden.domain.learning import Ask, Lesson
from nightgarden.domain.memory import Category, Episode, Memory, ScopeKind, Status
from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.domain.session import PROBE_PREFIX, Session, SessionStatus
from nightgarden.domain.state_keys import LEARN_SESSIONS
from nightgarden.domain.time import write_moment
from nightgarden.learn.as_memories import HANDOFF_DAYS, episode_memory, handoff_id, handoff_memory
from nightgarden.learn.episode import KnownProcedure, episode_of
from nightgarden.learn.episode_wording import MIND_FAILED, worded

SESSIONS = LEARN_SESSIONS
SESSIONS_MAX = 200  # in one run; the rest waits for the next


@dataclass(slots=True, kw_only=True)
class Recorded:
    """What recording sessions would change."""

    lessons: list[Lesson] = field(default_factory=list)
    episodes: dict[str, Memory] = field(default_factory=dict)  # new and changed ones
    marks: dict[str, str] = field(default_factory=dict)
    noted: dict[str, int] = field(default_factory=dict)

    def count(self, what: str) -> None:
        self.noted[what] = self.noted.get(what, 0) + 1


async def record_sessions(store: Store, *, now: datetime, ask: Ask | None) -> Recorded:
    """All sessions that are over and changed since they were looked at, oldest first."""
    before: Mapping[str, Any] = await store.get_state(SESSIONS) or {}
    found = Recorded()
    over = [s for s in await store.list_sessions() if s.status is not SessionStatus.ACTIVE and is_work(s)]
    marks = {session.id: mark_of(session) for session in over}
    found.marks = {each: mark for each, mark in before.items() if marks.get(each) == mark}
    waiting = sorted(
        (s for s in over if s.id not in found.marks), key=lambda s: (s.started_at is None, s.started_at, s.id)
    )
    for header in waiting[:SESSIONS_MAX]:
        session = await store.session(header.id)
        if session is not None:
            await record_one(store, session, found, now=now, ask=ask)
            found.marks[session.id] = marks[session.id]
    if left := len(waiting) - SESSIONS_MAX:
        found.noted |= {"sessions left for the next run": left} if left > 0 else {}
    return found


def is_work(session: Session) -> bool:
    """Whether it is a session of its own: not a probe, not a sub-agent's, whose work is its parent's, and not what
    people said among themselves."""
    among_people = session.scope is not None and session.scope.kind is ScopeKind.COMMUNITY
    return session.parent_id is None and not session.id.startswith(PROBE_PREFIX) and not among_people


def mark_of(session: Session) -> str:
    """Changes whenever the session may have something new to record."""
    ended = write_moment(session.ended_at) if session.ended_at else ""
    text = "\x1f".join((session.status, ended, session.cursor))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()


async def record_one(store: Store, session: Session, found: Recorded, *, now: datetime, ask: Ask | None) -> None:
    """The episode and handoff of one session, if they are new or changed."""
    made = episode_of(session, await _known(store, session.id))
    if made is None:
        found.count("sessions without an episode")
        return
    memory = episode_memory(session, made, now=now)
    existing = await _existing(store, memory.id)
    if existing is not None and existing.status is Status.ARCHIVED:
        return  # somebody forgot it
    if existing is None and await store.tombstones([memory.id]):
        return
    if ask is not None and (existing is None or _is_other(existing, memory) or _by_rules(existing)):
        made = await worded(made, session.messages, ask)
        memory = episode_memory(session, made, now=now)
        if made.worded_by == MIND_FAILED:
            found.count("episodes in plain words, because the mind failed")
    elif existing is not None and not _is_other(existing, memory):
        return
    if existing is None or existing.episode != memory.episode:
        found.episodes[memory.id] = memory
        found.lessons.append(_lesson("recorded", existing, memory, f"session {session.id} is over"))
    await _hand_off(store, session, made, found, now=now)


async def _hand_off(store: Store, session: Session, episode: Episode, found: Recorded, *, now: datetime) -> None:
    """What the session left undone. One that went on since has one handoff, as it stands at its end now."""
    handoff = handoff_memory(session, episode, now=now)
    existing = await _existing(store, handoff_id(session, now=now))
    if existing is not None and (not existing.live or existing.message_range == _range(session)):
        return
    if handoff is None:
        if existing is not None:
            gone = replace(existing, status=Status.ARCHIVED, archived_at=now, updated_at=now)
            found.lessons.append(_lesson("handed over", existing, gone, f"session {session.id} went on and did it"))
    elif now - handoff.updated_at <= timedelta(days=HANDOFF_DAYS) and not await store.tombstones([handoff.id]):
        found.lessons.append(_lesson("left undone", existing, handoff, f"session {session.id} left work undone"))


def _range(session: Session) -> tuple[str, str]:
    return session.messages[0].id, session.messages[-1].id


def _lesson(what: str, before: Memory | None, after: Memory, reason: str) -> Lesson:
    return Lesson(what=what, changes=(Change(before, after, reason),), reason=reason)


async def _known(store: Store, session_id: str) -> KnownProcedure:
    """What was remembered from the session."""
    memories = [m for m in await store.list_memories(MemoryFilter(session_id=session_id)) if not m.learned]

    def texts(*categories: Category) -> tuple[str, ...]:
        return tuple(memory.content for memory in memories if memory.category in categories)

    return KnownProcedure(
        decisions=texts(Category.DECISION, Category.CONVENTION, Category.CORRECTION),
        gotchas=texts(Category.GOTCHA),
        patterns=texts(Category.PATTERN),
    )


async def _existing(store: Store, memory_id: str) -> Memory | None:
    found = await store.memories([memory_id])
    return found[0] if found else None


def _by_rules(memory: Memory) -> bool:
    return memory.episode is not None and memory.episode.worded_by == "rules"


def _is_other(existing: Memory, memory: Memory) -> bool:
    """Whether what happened differs, however it is worded."""
    return _facts(existing) != _facts(memory)


def _facts(memory: Memory) -> Episode | None:
    if memory.episode is None:
        return None
    plain: dict[str, Any] = dict.fromkeys(("patterns", "gotchas", "decisions"), ())
    return replace(memory.episode, task="", approach="", worded_by="", **plain)


def told_of(episode: Episode) -> str:
    """Everything an episode says of itself, to look for words in."""
    steps = [f"{step.action} {step.detail}" for step in episode.steps]
    return "\n".join((episode.task, episode.approach, *steps, *episode.files, *episode.decisions, *episode.patterns))
