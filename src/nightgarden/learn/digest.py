"""The digest, as somebody at a place has it: the `garden.learn.digest` part of the public API.

Looks at the history of the project, keeps how far it looked, and tells once of commits that no known session made. It
is no memory: it is told at the next start of a session and then gone. The first look only marks where the history
stands. Memories that speak of changed files are queued to be verified by tending.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from nightgarden.domain.documents import ABSENT
from nightgarden.domain.memory import Category, Memory, Scope, ScopeKind
from nightgarden.domain.ports import Clock, MemoryFilter, Store
from nightgarden.domain.shelf import Shelf
from nightgarden.errors import Conflict
from nightgarden.learn.as_memories import safe_text
from nightgarden.learn.commit_history import read_history, with_files
from nightgarden.learn.digest_values import (
    QUEUED_MAX,
    SEEN_MAX,
    Commit,
    Digest,
    DigestState,
    fresh_commits,
    is_outside,
    summarise,
)
from nightgarden.learn.learning_documents import DIGEST
from nightgarden.scope import Place

SESSIONS_LOOKED = 200
EPISODES_LOOKED = 200


class Digests:
    """The digest of one project."""

    def __init__(self, store: Store, place: Place, clock: Clock) -> None:
        self._store = store
        self._place = place
        self._clock = clock
        self._shelf = Shelf(store, DIGEST)

    async def look(self) -> Digest | None:
        """Looks at what was committed since the last look; what nobody was told of yet, or None."""
        kept = await self._shelf.get(self._place.scope.owner)
        state = kept.value if kept is not None else DigestState()
        commits = await asyncio.to_thread(read_history, self._place.root)
        if not commits:
            return state.pending
        after = await self._after(state, commits)
        if after == state:
            return state.pending
        try:
            await self._keep(after, kept.version if kept is not None else ABSENT)
        except Conflict:  # somebody looked at the same moment, and kept it
            return await self.pending()
        return after.pending

    async def pending(self) -> Digest | None:
        """What nobody was told of yet, as of the last look."""
        kept = await self._shelf.get(self._place.scope.owner)
        return kept.value.pending if kept is not None else None

    async def mark_told(self) -> None:
        """It was told: the next one begins after it."""
        kept = await self._shelf.get(self._place.scope.owner)
        if kept is not None and kept.value.pending is not None:
            try:
                await self._keep(replace(kept.value, pending=None, waiting=()), kept.version)
            except Conflict:
                return  # more came meanwhile: it is told again with that

    async def queued(self) -> Mapping[str, datetime]:
        """Memories of the project that should be verified, and since when."""
        return await queued_in(self._store, self._place.scope)

    async def _after(self, state: DigestState, commits: list[Commit]) -> DigestState:
        now = self._clock.now()
        seen = tuple(dict.fromkeys((*(commit.identity for commit in commits), *state.seen)))[:SEEN_MAX]
        moved = replace(state, head=commits[0].id, seen=seen)
        if not state.head:
            return replace(moved, looked_at=now)
        fresh = fresh_commits(commits, state)
        there = {commit.identity for commit in commits}
        waiting = [each for each in state.waiting if each in there]  # a rewritten history may have lost some
        if not fresh and len(waiting) == len(state.waiting):
            return moved
        made, spans = await self._sessions()
        told = {*waiting, *(commit.identity for commit in fresh if is_outside(commit, made, spans))}
        found = [commit for commit in commits if commit.identity in told]
        moved = replace(moved, waiting=tuple(commit.identity for commit in found))
        if not found:
            return replace(moved, pending=None, looked_at=now)
        outside = [_safe(each) for each in await asyncio.to_thread(with_files, self._place.root, found)]
        memories = await self._store.list_memories(MemoryFilter(scopes=(self._place.scope,)))
        pending = summarise(outside, [m for m in memories if _can_be_stale(m)])
        news = dict.fromkeys(pending.stale, now)
        queued = dict(sorted({**state.queued, **news}.items(), key=lambda each: (each[1], each[0]))[-QUEUED_MAX:])
        return replace(moved, pending=pending, queued=queued, looked_at=now)

    async def _sessions(self) -> tuple[list[str], list[tuple[datetime, datetime]]]:
        """Commits that sessions say they made, and when sessions went on."""
        which = MemoryFilter(scopes=(self._place.scope,), categories=(Category.EPISODE,))
        episodes = await self._store.list_memories(which, limit=EPISODES_LOOKED, newest_first=True)
        made = [commit for memory in episodes if memory.episode is not None for commit in memory.episode.commits]
        sessions = await self._store.list_sessions(scopes=[self._place.scope], limit=SESSIONS_LOOKED)
        spans = [(s.started_at, s.ended_at) for s in sessions if s.started_at is not None and s.ended_at is not None]
        return made, spans

    async def _keep(self, state: DigestState, expected: int) -> None:
        scope = self._place.scope
        await self._shelf.put(scope.owner, state, expected=expected, owner=str(scope), at=self._clock.now())


async def queued_in(store: Store, scope: Scope) -> Mapping[str, datetime]:
    """Memories of a project that should be verified because their files changed, and since when."""
    if scope.kind is not ScopeKind.PROJECT:
        return {}
    kept = await Shelf(store, DIGEST).get(scope.owner)
    return kept.value.queued if kept is not None else {}


def _can_be_stale(memory: Memory) -> bool:
    return memory.live and not memory.learned


def _safe(commit: Commit) -> Commit:
    return replace(
        commit,
        author=safe_text(commit.author),
        subject=safe_text(commit.subject),
        files=tuple(safe_text(file) for file in commit.files),
    )
