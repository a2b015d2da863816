"""Keeping sessions in the garden: the `garden.sessions` part of the public API."""

from __future__ import annotations

import asyncio
import builtins
import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nightgarden.domain.classify import Classifier
from nightgarden.domain.gate import safe_id
from nightgarden.domain.memory import Memory, Scope
from nightgarden.domain.mind import Mind
from nightgarden.domain.ports import Clock, Store
from nightgarden.domain.session import Extraction, HookSignals, Session, SessionStatus
from nightgarden.domain.time import as_utc
from nightgarden.domain.verdict import Verdict
from nightgarden.errors import BadInput, NotFound
from nightgarden.remember.note import Note
from nightgarden.sessions.consent import allow_client, allowed_clients, forbid_client
from nightgarden.sessions.harvest import REQUESTED, Harvest, SessionCue, harvest, pending
from nightgarden.sessions.intake import cleaned, merged, screened, values_cut
from nightgarden.sessions.passages import cut_passages
from nightgarden.sessions.scan import ScanReport, scan
from nightgarden.sessions.told_secrets import ToldSecrets


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What adding a session did."""

    session_id: str
    new_messages: int
    passages: int


class Sessions:
    """Conversations in the garden. Adding one again adds only what is new."""

    def __init__(  # noqa: PLR0913 - the parts of a garden that it needs
        self,
        store: Store,
        scope_of: Callable[[str], Scope],
        *,
        changed: Callable[[], None],
        remember: Callable[[Note, str | None], Awaitable[Verdict]],  # a note, and the cycle it is written in
        forget: Callable[[str, str, str | None], Awaitable[Memory]],  # a memory's id, why, and the cycle
        clock: Clock,
        reading: asyncio.Lock,
        classifier: Callable[[], Awaitable[Classifier | None]],
        after_reading: Callable[[str, str | None], Awaitable[object]],  # a session, and the cycle it was read in
        mind: Mind | None = None,
        personal_allowed: frozenset[str] = frozenset(),  # kinds of personal data that may be stored
        told: ToldSecrets | None = None,  # the garden's, so that it is known from one batch of messages to the next
    ) -> None:
        self._personal_allowed = personal_allowed
        self._told = told if told is not None else ToldSecrets()
        self._after_reading = after_reading
        self._mind = mind
        self._classifier = classifier
        self._store = store
        self._scope_of = scope_of  # the scope of a directory; "" is the garden's own
        self._changed = changed
        self._remember = remember
        self._forget = forget
        self._clock = clock
        # The end of a session, the watcher and tending ask for the same reading, each from its own place in the garden:
        # the lock is the garden's, and who comes second finds nothing left to read.
        self._reading = reading

    async def add(self, session: Session) -> Added:
        """Stores a session and makes its messages searchable as passages."""
        raw, session = session, self._checked(session)
        gone = await self._store.tombstones([session.id])
        if gone:
            return Added(session_id=session.id, new_messages=0, passages=0)
        known = await self._store.session(session.id)
        there = {message.id for message in known.messages} if known else set()
        unseen = [message for message in session.messages if message.id not in there]
        told = (*self._told.of(session.id), *await asyncio.to_thread(values_cut, raw.messages, session.messages))
        fresh, values = await asyncio.to_thread(screened, unseen, await self._classifier(), told)
        self._told.add(session.id, values)
        old = replace(known, messages=()) if known else None
        session = merged(session, old, fresh, values=values, personal_allowed=self._personal_allowed)
        passages = cut_passages(session, fresh, first_position=len(there))
        purged = await self._store.tombstones([passage.id for passage in passages])
        kept = [passage for passage in passages if passage.id not in purged]
        new = await self._store.put_session(session, kept)
        self._changed()
        return Added(session_id=session.id, new_messages=new, passages=len(kept))

    async def get(self, session_id: str) -> Session:
        """One session with its messages. Raises NotFound."""
        session = await self._store.session(session_id)
        if session is None:
            raise NotFound(f"there is no session {session_id!r}; `nightgarden sessions list` shows them")
        return session

    async def list(
        self,
        *,
        client: str | None = None,
        status: SessionStatus | None = None,
        extraction: Extraction | None = None,
        scopes: Sequence[Scope] | None = None,
        limit: int | None = 50,
    ) -> builtins.list[Session]:
        """Newest first, without their messages."""
        return await self._store.list_sessions(
            client=client, status=status, extraction=extraction, scopes=scopes, limit=limit
        )

    async def note_hooks(self, session_id: str, told: HookSignals) -> bool:
        """Keeps what a client's hooks told of a session. False when there is no such session."""
        session = await self._store.session(session_id, messages=False)
        if session is None:
            return False
        joined = (session.hooks or HookSignals()).joined(told)
        if joined != session.hooks:
            await self._store.put_session(replace(session, hooks=joined), ())
        return True

    async def extract(
        self,
        session_id: str,
        *,
        again: bool = False,
        cycle: str | None = None,
        cue: SessionCue = REQUESTED,
    ) -> Harvest:
        """Reads a session for memories; with a mind, if there is one and it is due, for what was not found without it.
        One session at a time in one process. What it writes belongs to the `cycle`, if one is given. The `cue`
        decides with the session's length whether a mind is due; somebody's own request is always one."""

        async def remember(note: Note) -> Verdict:
            return await self._remember(note, cycle)

        async def forget(memory_id: str, reason: str) -> Memory:
            return await self._forget(memory_id, reason, cycle)

        async with self._reading:
            classifier = await self._classifier()
            found = await harvest(
                self._store,
                session_id,
                remember,
                forget,
                again=again,
                mind=self._mind,
                cue=cue,
                classifier=classifier,
            )
            await self._after_reading(session_id, cycle)
            return found

    async def pending(self) -> builtins.list[Session]:
        """Sessions that are over and were not read for memories to their end."""
        return pending(await self._store.list_sessions())

    async def allow(self, client: str) -> None:
        """Records the user's consent to read a client's folder."""
        await allow_client(self._store, client, at=self._clock.now())

    async def forbid(self, client: str) -> None:
        """Takes the consent back."""
        await forbid_client(self._store, client)

    async def allowed(self) -> builtins.list[str]:
        """Which clients may be read."""
        return await allowed_clients(self._store)

    async def scan(
        self,
        clients: Sequence[str] | None = None,
        *,
        home: Path | None = None,
        sessions_max: int | None = None,
        only: str | None = None,
    ) -> ScanReport:
        """Reads what is new in the transcripts of the clients that were allowed, of at most so many sessions each.
        `only` is the id of one session."""
        report = await scan(
            self._store,
            clients,
            home or Path.home(),
            self._clock.now(),
            env=os.environ,
            scope_of=self._scope_of,
            sessions_max=sessions_max,
            only=only,
            classifier=await self._classifier(),
            personal_allowed=self._personal_allowed,
            told=self._told,
        )
        self._changed()
        return report

    def _checked(self, session: Session) -> Session:
        if not session.id.strip():
            raise BadInput("a session needs an id")
        seen: set[str] = set()
        for message in session.messages:
            if not message.id or message.id in seen:
                raise BadInput(f"session {session.id}: each message needs an id of its own, got {message.id!r} twice")
            seen.add(message.id)
        try:
            messages = tuple(cleaned(message, self._personal_allowed) for message in session.messages)
        except ValueError as error:
            raise BadInput(f"session {session.id}: {error}") from error
        times = [message.at for message in messages]
        return replace(
            session,
            id=safe_id(session.id),
            messages=messages,
            scope=session.scope or self._scope_of(session.directory),
            started_at=as_utc(session.started_at) if session.started_at else min(times, default=None),
            ended_at=as_utc(session.ended_at) if session.ended_at else max(times, default=None),
        )
