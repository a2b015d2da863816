"""What sessions were given: every memory and passage that was put before an agent, when, and whether it helped.

As long as live sessions are known: a week, the latest few dozen. `used` is what the agent's answer plainly made use of;
an agent that followed a memory in other words is not recognised (recall/used.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from nightgarden.domain.ports import MemoryFilter, Store
from nightgarden.sessions.live import LiveSession, LiveSessions


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One item that a session was shown."""

    id: str
    kind: str  # memory, passage, or gone: erased since
    content: str
    at: datetime
    used: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedInSession:
    """A memory that came out of the session."""

    id: str
    content: str
    live: bool  # False: archived since


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfacedIn:
    """One session with what it was given and what was learned from it."""

    session_id: str
    seen_at: datetime
    turns: int
    client: str  # empty when its transcript was not read
    directory: str
    given: tuple[Given, ...]
    learned: tuple[LearnedInSession, ...]


async def surfaced(
    live: LiveSessions, store: Store, *, session_id: str | None = None, limit: int = 10
) -> list[SurfacedIn]:
    """The latest sessions that were given something or taught something."""
    found = []
    for session in await live.list():
        if session_id is not None and not (session.id.startswith(session_id) or session.id.endswith(session_id)):
            continue
        told = await _of(session, store)
        if told.given or told.learned:
            found.append(told)
        if len(found) >= limit:
            break
    return found


async def _of(session: LiveSession, store: Store) -> SurfacedIn:
    ids = [item.id for item in session.shown]
    texts = {memory.id: ("memory", memory.content) for memory in await store.memories(ids)}
    texts |= {passage.id: ("passage", passage.content) for passage in await store.passages(ids)}
    known = await store.session(session.id, messages=False)
    learned = await store.list_memories(MemoryFilter(session_id=session.id))
    given = []
    for item in session.shown:
        kind, content = texts.get(item.id, ("gone", ""))
        given.append(Given(id=item.id, kind=kind, content=content, at=item.at, used=item.id in session.used))
    return SurfacedIn(
        session_id=session.id,
        seen_at=session.seen_at,
        turns=session.turns,
        client=known.client if known else "",
        directory=known.directory if known else "",
        given=tuple(given),
        learned=tuple(LearnedInSession(id=memory.id, content=memory.content, live=memory.live) for memory in learned),
    )
