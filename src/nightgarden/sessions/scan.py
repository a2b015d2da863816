"""Reads what is new in the transcripts of the clients that the user allowed, and files it in the store.

Where each transcript was left is kept in its session's cursor. One bad file never stops the rest; all is counted.
Knows no client's format, and decides nothing about memories.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from nightgarden.domain.classify import Classifier
from nightgarden.domain.gate import safe_id
from nightgarden.domain.memory import GLOBAL, Scope
from nightgarden.domain.ports import Store
from nightgarden.domain.session import Session, SessionStatus
from nightgarden.domain.time import as_utc
from nightgarden.errors import BadInput, Conflict
from nightgarden.machine.home import is_own_session
from nightgarden.minds.observed import observe_limits, observe_usage
from nightgarden.recall.switch import OffPeriod, off_periods
from nightgarden.sessions.consent import allowed_clients, require_consent
from nightgarden.sessions.intake import cleaned, filled_in, merged, screened, values_cut
from nightgarden.sessions.passages import cut_passages
from nightgarden.sessions.readers import READERS, Reader, TranscriptRef
from nightgarden.sessions.readers.progress import read_progress
from nightgarden.sessions.told_secrets import ToldSecrets


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanFailure:
    """A transcript, or a whole client, that could not be read this time."""

    client: str
    session_id: str  # empty when the client's transcripts could not even be listed
    path: str
    reason: str


@dataclass(slots=True, kw_only=True)
class ClientScan:
    """What was found of one client."""

    client: str
    found: int = 0  # transcripts
    unchanged: int = 0
    added: int = 0  # sessions that are new
    extended: int = 0  # sessions with new messages
    restarted: int = 0  # transcripts that were cut or replaced, and read again from the start
    purged: int = 0  # left out because the user erased them here
    own: int = 0  # left out because a program answered a question of ours in them
    empty: int = 0  # without a message so far
    messages: int = 0
    passages: int = 0
    damaged_lines: int = 0
    failures: list[ScanFailure] = field(default_factory=list)
    more: bool = False  # stopped at the limit; scan again


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanReport:
    """What one scan found and filed."""

    clients: tuple[ClientScan, ...]

    @property
    def messages(self) -> int:
        return sum(client.messages for client in self.clients)

    @property
    def failures(self) -> tuple[ScanFailure, ...]:
        return tuple(failure for client in self.clients for failure in client.failures)

    @property
    def more(self) -> bool:
        return any(client.more for client in self.clients)


async def scan(  # noqa: PLR0913 - what a garden passes on
    store: Store,
    clients: Sequence[str] | None,
    home: Path,
    now: datetime,
    *,
    env: Mapping[str, str],
    scope_of: Callable[[str], Scope],
    sessions_max: int | None = None,
    only: str | None = None,
    classifier: Classifier | None = None,
    personal_allowed: frozenset[str] = frozenset(),
    told: ToldSecrets | None = None,
) -> ScanReport:
    """Reads the clients named, each of which must be allowed, or with None all that are allowed.

    `scope_of` tells the scope of a directory; it may block. With `sessions_max` the scan stops after as many sessions
    of a client had something new, so that a caller with other duties stays in charge. `only` is the id of one session,
    read with its sub-agents.
    """
    if clients is None:
        clients = await allowed_clients(store)
    for client in clients:
        await require_consent(store, client)
    reports = []
    for client in clients:
        reader = READERS[client]()
        report = ClientScan(client=client)
        one = _ClientPass(
            store=store,
            reader=reader,
            now=now,
            scope_of=scope_of,
            report=report,
            env=env,
            classifier=classifier,
            personal_allowed=personal_allowed,
            told=told if told is not None else ToldSecrets(),
        )
        try:
            await one.run(home, env, sessions_max, only)
        finally:
            await asyncio.to_thread(reader.close)
        reports.append(one.report)
    return ScanReport(clients=tuple(reports))


@dataclass(slots=True, kw_only=True)
class _ClientPass:
    """One client's turn in a scan."""

    store: Store
    reader: Reader
    now: datetime
    scope_of: Callable[[str], Scope]
    report: ClientScan
    env: Mapping[str, str]
    classifier: Classifier | None = None
    personal_allowed: frozenset[str] = frozenset()
    told: ToldSecrets

    async def run(self, home: Path, env: Mapping[str, str], sessions_max: int | None, only: str | None) -> None:
        report = self.report
        try:
            refs = await asyncio.to_thread(self.reader.discover, home, env)
        except (OSError, sqlite3.Error) as error:
            report.failures.append(_failure(report.client, error))
            return
        if only is not None:
            refs = [ref for ref in refs if only in (ref.session_id, ref.parent_id)]
        refs = [replace(ref, session_id=safe_id(ref.session_id)) for ref in refs]
        report.found = len(refs)
        known = {session.id: session for session in await self.store.list_sessions(client=report.client)}
        purged = await self.store.tombstones([ref.session_id for ref in refs if ref.session_id not in known])
        for ref in refs:
            old = known.get(ref.session_id)
            if old is not None and _is_unchanged(old, ref):
                report.unchanged += 1
            elif ref.session_id in purged:
                report.purged += 1
            elif sessions_max is not None and report.added + report.extended >= sessions_max:
                report.more = True
                return
            else:
                await self._take(ref, old)

    async def _take(self, ref: TranscriptRef, old: Session | None) -> None:
        try:
            read = await asyncio.to_thread(self.reader.read, ref, old.cursor if old else "", now=self.now)
            scope = await asyncio.to_thread(self._scope, read.session, old)
        except Exception as error:  # noqa: BLE001 - a file may hold anything; what no reader foresaw is counted
            self.report.failures.append(_failure(ref.client, error, ref))
            return
        self.report.damaged_lines += read.damaged_lines
        self.report.restarted += read.restarted
        if is_own_session(read.session.directory, self.env):
            self.report.own += 1
            return
        if old is None and not read.new_messages:
            self.report.empty += 1
            return
        try:
            kept = _said_while_on(replace(read.session, scope=scope), await off_periods(self.store))
            await self._file(kept, old)
            await observe_usage(
                self.store, ref.client, read.new_messages, read.models, session_id=ref.session_id, now=self.now
            )
            if read.limits_at is not None:
                await observe_limits(self.store, ref.client, read.limits, read.limits_at)
        except (BadInput, Conflict) as error:
            self.report.failures.append(_failure(ref.client, error, ref))

    def _scope(self, session: Session, old: Session | None) -> Scope:
        if old is not None and old.scope is not None:
            return old.scope
        return self.scope_of(session.directory) if session.directory else GLOBAL

    async def _file(self, session: Session, old: Session | None) -> None:
        """Adds only what the store lacks: a transcript read again from the start brings back all its messages."""
        there = await self.store.session(session.id) if old is not None and session.messages else None
        there_ids = {message.id for message in there.messages} if there else set()
        found = [cleaned(message, self.personal_allowed) for message in session.messages]
        unseen = [message for message in found if message.id not in there_ids]
        gained = filled_in(there.messages, found) if there else ()
        told = (*self.told.of(session.id), *values_cut(session.messages, found))
        fresh, values = await asyncio.to_thread(screened, unseen, self.classifier, told)
        self.told.add(session.id, values)
        filed = merged(session, old, fresh, values=values, personal_allowed=self.personal_allowed)
        self.report.unchanged += old is not None and not fresh
        if filed == old and not gained:  # seen again only to learn whether it is still active
            return
        passages = cut_passages(session, fresh, first_position=len(there_ids))
        await self.store.put_session(filed, passages, again=gained)
        self.report.added += old is None
        self.report.extended += old is not None and bool(fresh)
        self.report.messages += len(fresh)
        self.report.passages += len(passages)


def _said_while_on(session: Session, off: Sequence[OffPeriod]) -> Session:
    """Without what was said while memory was off here. Its title is the first message, or made of it."""
    scopes = (session.scope,) if session.scope is not None else ()
    kept = tuple(m for m in session.messages if not any(period.covers(scopes, as_utc(m.at)) for period in off))
    if len(kept) == len(session.messages):
        return session
    return replace(session, messages=kept, title="")


def _is_unchanged(old: Session, ref: TranscriptRef) -> bool:
    """An active session is looked at again even so: silence may have closed it."""
    return old.status is not SessionStatus.ACTIVE and read_progress(old.cursor).fingerprint == ref.fingerprint


def _failure(client: str, error: Exception, ref: TranscriptRef | None = None) -> ScanFailure:
    return ScanFailure(
        client=client,
        session_id=ref.session_id if ref else "",
        path=str(ref.path) if ref else "",
        reason=f"{type(error).__name__}: {error}",
    )
