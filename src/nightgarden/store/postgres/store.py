"""The PostgreSQL store: each call is one unit of work on a connection of the pool."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from nightgarden.domain.documents import Put
from nightgarden.domain.gap import Gap
from nightgarden.domain.graph import Cluster, Edge, EdgeKind, Tag
from nightgarden.domain.ids import SHORT_CHARS, IdMaker
from nightgarden.domain.journal import Change, JournalEntry, Origin
from nightgarden.domain.memory import Memory, Scope
from nightgarden.domain.mind_call import Caps, MindCall, Spent
from nightgarden.domain.ports import (
    Check,
    Counts,
    EmbeddingModel,
    Hit,
    MemoryFilter,
    PendingText,
    Vector,
    View,
)
from nightgarden.domain.record import from_record
from nightgarden.domain.session import Extraction, Message, Passage, Session, SessionStatus
from nightgarden.errors import GardenBusy, NewerGarden, StoreUnavailable
from nightgarden.store.postgres import doctor, dump, erase, ledger, search, sessions
from nightgarden.store.postgres import vectors as meaning
from nightgarden.store.postgres.address import Address, read_address
from nightgarden.store.postgres.changes import apply_changes, put_state
from nightgarden.store.postgres.connection import CONNECT_SECONDS, PATIENT_SECONDS, OpenedPools, open_pool
from nightgarden.store.postgres.doctor import count_all
from nightgarden.store.postgres.documents import KeepsDocuments, check_fence, write_puts
from nightgarden.store.postgres.faults import PASSING, explained
from nightgarden.store.postgres.migrate import lock_key, refuse_newer_schema
from nightgarden.store.postgres.rows import read_edge, read_entry, read_json, read_memory, read_tag, texts
from nightgarden.store.postgres.statements import load_statements

if TYPE_CHECKING:
    from asyncpg import Connection

T = TypeVar("T")
READ = load_statements("read.sql")
WRITE = load_statements("write.sql")
SEARCH = load_statements("search.sql")
EDGES_PAGE = 1000
ATTEMPTS = 5  # of a transaction that another one pushed aside


async def open_store(url: str) -> PostgresStore:
    """Opens or creates the garden at this URL, and brings its schema up to date."""
    address = read_address(url)
    return PostgresStore(address, await open_pool(address))


class PostgresStore(KeepsDocuments):
    """One garden in one schema of a PostgreSQL database (the `Store` contract of domain/ports.py)."""

    def __init__(self, address: Address, opened: OpenedPools) -> None:
        self._address = address
        self._pool = opened.pool
        self._patient = opened.patient
        self._read_only = opened.read_only
        self._outdated = False
        self._ids = IdMaker(lambda: secrets.randbits(64))

    @property
    def url(self) -> str:
        """Without the password."""
        return self._address.shown

    @property
    def read_only(self) -> bool:
        return self._read_only

    @property
    def damaged(self) -> int:
        """The server checks its own pages, and reports a damaged one as an error."""
        return 0

    @property
    def outdated(self) -> bool:
        return self._outdated

    async def close(self) -> None:
        await self._pool.close()
        await self._patient.close()

    async def _write(self, work: Callable[[Connection], Awaitable[T]], *, patient: bool = False) -> T:
        """Runs `work` in one transaction; again, when another transaction pushed it aside. `patient`: its statements
        may take long, because they go over the whole garden."""
        if self._read_only:
            raise StoreUnavailable(f"{self.url} only reads; nothing was stored")
        with explained(self.url):
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    async with self._connected(patient) as connection, connection.transaction():
                        await refuse_newer_schema(connection, self._address.schema)
                        await check_fence(connection)
                        return await work(connection)
                except PASSING:
                    if attempt == ATTEMPTS:
                        raise
                except NewerGarden:
                    self._outdated = True
                    raise
        raise AssertionError("the last attempt returns or raises")

    async def _read(self, work: Callable[[Connection], Awaitable[T]], *, patient: bool = False) -> T:
        with explained(self.url):
            async with self._connected(patient) as connection:
                return await work(connection)

    def _connected(self, patient: bool) -> AbstractAsyncContextManager[Connection]:
        pool = self._patient if patient else self._pool
        # Work on the whole garden waits for others of its kind, which take long; the server must still answer soon.
        return pool.acquire(timeout=PATIENT_SECONDS if patient else CONNECT_SECONDS)  # type: ignore[no-any-return]

    async def _rows(self, name: str, read: Callable[[Mapping[str, Any]], T], **given: Any) -> list[T]:
        return [read(row) for row in await self._read(lambda connection: READ[name].rows(connection, **given))]

    # -- memories and graph ------------------------------------------------------------------------------------------
    async def apply(
        self,
        changes: Sequence[Change],
        origin: Origin,
        *,
        at: datetime,
        vectors: Sequence[tuple[EmbeddingModel, str, Vector]] = (),
        state: Mapping[str, Any] | None = None,
        documents: Sequence[Put] = (),
        restore: str | None = None,
    ) -> tuple[JournalEntry, ...]:
        async def work(connection: Connection) -> tuple[JournalEntry, ...]:
            entries = await apply_changes(connection, changes, origin, at=at, ids=self._ids)
            for model, each, vector in vectors:
                await meaning.put_vectors(connection, model, [each], vector[None, :])
            for key, value in (state or {}).items():
                await put_state(connection, key, value)
            await write_puts(connection, documents, at=at)
            if restore is not None:
                await erase.restore_passages(connection, restore)
            return entries

        return await self._write(work, patient=restore is not None)

    async def touch(self, memory_ids: Sequence[str], *, at: datetime) -> None:
        await self._write(lambda c: WRITE["touch"].run(c, ids=list(memory_ids), at=at))

    async def memories(self, ids: Sequence[str]) -> list[Memory]:
        return await self._rows("memories_by_ids", read_memory, ids=list(ids))

    async def list_memories(
        self, which: MemoryFilter, *, limit: int | None = None, after: str | None = None, newest_first: bool = False
    ) -> list[Memory]:
        return await self._rows(
            "list_memories_newest" if newest_first else "list_memories",
            read_memory,
            limit=limit,
            after=after,
            scopes=texts(which.scopes),
            categories=texts(which.categories),
            statuses=texts(which.statuses),
            tiers=None if which.tiers is None else [int(tier) for tier in which.tiers],
            provenances=texts(which.provenances),
            tag_id=None if which.tag is None else f"tag:{which.tag}",
            session_id=which.session_id,
            dedupe_key=which.dedupe_key,
            flagged=which.flagged,
            superseded=which.superseded,
            created_after=which.created_after,
            created_before=which.created_before,
        )

    async def edges(
        self, node_ids: Sequence[str], *, kinds: Sequence[EdgeKind] | None = None, incoming: bool = True
    ) -> list[Edge]:
        wanted = texts(kinds) or texts(tuple(EdgeKind))
        return await self._rows("edges", read_edge, ids=list(node_ids), kinds=wanted, incoming=incoming)

    async def degrees(self, node_ids: Sequence[str]) -> dict[str, int]:
        return dict(await self._rows("degrees", lambda row: (row["node"], row["number"]), ids=list(node_ids)))

    async def all_edges(self, *, kinds: Sequence[EdgeKind] | None = None) -> AsyncIterator[list[Edge]]:
        wanted = texts(kinds) or texts(tuple(EdgeKind))
        last = {"source": "", "kind": "", "target": ""}
        while page := await self._rows("all_edges", read_edge, kinds=wanted, limit=EDGES_PAGE, **last):
            yield page
            last = {"source": page[-1].source, "kind": page[-1].kind.value, "target": page[-1].target}

    async def tags(self) -> list[Tag]:
        return await self._rows("all_tags", read_tag)

    async def clusters(self, scopes: Sequence[Scope] | None = None) -> list[Cluster]:
        return await self._rows(
            "clusters", lambda row: from_record(Cluster, read_json(row["record"])), scopes=texts(scopes)
        )

    # -- search ------------------------------------------------------------------------------------------------------
    async def search_text(self, terms: Sequence[str], view: View, *, limit: int) -> list[Hit]:
        return await self._read(lambda c: search.search_text(c, terms, view, limit=limit))

    async def search_vectors(self, vector: Vector, model_id: str, view: View, *, limit: int) -> list[Hit]:
        return await self._read(lambda c: meaning.search_vectors(c, vector, model_id, view, limit=limit))

    async def said_between(self, spans: Sequence[tuple[datetime, datetime]], view: View, *, limit: int) -> list[Hit]:
        return await self._read(lambda c: search.said_between(c, spans, view, limit=limit))

    async def visible(self, ids: Sequence[str], view: View) -> set[str]:
        return await self._read(lambda c: search.visible(c, ids, view))

    async def triggered(self, view: View) -> list[Memory]:
        return await self._read(lambda c: search.triggered(c, view))

    # -- vectors -----------------------------------------------------------------------------------------------------
    async def pending_vectors(self, model_id: str, *, limit: int) -> list[PendingText]:
        return await self._read(lambda c: meaning.pending_vectors(c, model_id, limit=limit))

    async def count_pending_vectors(self, model_id: str) -> int:
        return int(await self._read(lambda c: SEARCH["count_pending_vectors"].value(c, model_id=model_id)))

    async def put_vectors(self, model: EmbeddingModel, ids: Sequence[str], vectors: Vector) -> None:
        await self._write(lambda c: meaning.put_vectors(c, model, ids, vectors))
        if await self._read(lambda c: meaning.wants_index(c, model.id)):
            await self._write(lambda c: meaning.index_when_many(c, model.id), patient=True)

    async def vectors(self, model_id: str, ids: Sequence[str]) -> dict[str, Vector]:
        return await self._read(lambda c: meaning.vectors_by_ids(c, model_id, ids))

    async def all_vectors(self, model_id: str, view: View) -> tuple[list[str], Vector]:
        return await self._read(lambda c: meaning.all_vectors(c, model_id, view))

    async def drop_vectors(self, *, except_model_id: str) -> int:
        return await self._write(lambda c: meaning.drop_vectors(c, except_model_id=except_model_id), patient=True)

    # -- sessions and passages ---------------------------------------------------------------------------------------
    async def put_session(self, session: Session, passages: Sequence[Passage], *, again: Sequence[Message] = ()) -> int:
        return await self._write(lambda c: sessions.put_session(c, session, passages, again))

    async def session(self, session_id: str, *, messages: bool = True) -> Session | None:
        return await self._read(lambda c: sessions.load_session(c, session_id, messages=messages))

    async def list_sessions(
        self,
        *,
        client: str | None = None,
        status: SessionStatus | None = None,
        extraction: Extraction | None = None,
        scopes: Sequence[Scope] | None = None,
        limit: int | None = None,
    ) -> list[Session]:
        return await self._rows(
            "list_sessions",
            lambda row: from_record(Session, read_json(row["record"])),
            client=client,
            status=None if status is None else status.value,
            extraction=None if extraction is None else extraction.value,
            scopes=texts(scopes),
            limit=limit,
        )

    async def passages(self, ids: Sequence[str]) -> list[Passage]:
        return await self._rows(
            "passages_by_ids", lambda row: from_record(Passage, read_json(row["record"])), ids=list(ids)
        )

    async def neighbours(self, passage_ids: Sequence[str], *, reach: int) -> dict[str, list[Passage]]:
        return await self._read(lambda c: sessions.neighbours(c, passage_ids, reach=reach))

    async def archive_passages(
        self, *, older_than: datetime | None, keep_at_most: int | None, at: datetime, cycle: str
    ) -> int:
        return await self._write(
            lambda c: erase.archive_passages(c, older_than=older_than, keep_at_most=keep_at_most, at=at, cycle=cycle),
            patient=True,
        )

    async def count_archived_passages(self, cycle: str) -> int:
        return len(await self._rows("passages_archived_in", lambda row: row["record"], cycle=cycle))

    # -- journal, purge, state ---------------------------------------------------------------------------------------
    async def history(
        self, subject_id: str | None = None, *, cycle: str | None = None, action: str | None = None
    ) -> list[JournalEntry]:
        if action is not None:
            return await self._rows("entries_of_action", read_entry, action=action)
        return await self._rows("history", read_entry, subject_id=subject_id, cycle=cycle)

    async def entries_after(self, after: str, *, limit: int) -> list[JournalEntry]:
        return await self._rows("entries_after", read_entry, after=after, limit=limit)

    async def newest_entries(self, *, limit: int, before: str | None = None) -> list[JournalEntry]:
        return await self._rows("newest_entries", read_entry, limit=limit, before=before)

    async def undos(self) -> list[JournalEntry]:
        return await self._rows("undos", read_entry)

    async def journal_entry(self, entry_id: str) -> JournalEntry | None:
        found = await self._rows("entry_by_id", read_entry, id=entry_id)
        return found[0] if found else None

    async def matching_ids(self, part: str, kinds: Sequence[str]) -> list[str]:
        return await self._rows(
            "matching_ids", lambda row: str(row["id"]), part=part, kinds=list(kinds), shown=SHORT_CHARS
        )

    async def purge(self, ids: Sequence[str], *, at: datetime) -> list[str]:
        return await self._write(lambda c: erase.purge(c, ids, at=at), patient=True)

    async def tombstones(self, keys: Sequence[str]) -> set[str]:
        return set(await self._rows("tombstones", lambda row: str(row["key"]), keys=list(keys)))

    async def get_state(self, key: str) -> Any:
        found = await self._rows("get_state", lambda row: read_json(row["value"]), key=key)
        return found[0] if found else None

    async def put_state(self, key: str, value: Any) -> None:
        await self._write(lambda c: put_state(c, key, value))

    async def state_items(self, prefix: str) -> dict[str, Any]:
        found = await self._rows("state_items", lambda row: (row["key"], read_json(row["value"])), prefix=prefix)
        return dict(found)

    @asynccontextmanager
    async def exclusive(self, name: str) -> AsyncIterator[None]:
        # A lock of the session, not of a transaction: the server lets go of it when the connection ends.
        key = lock_key(f"nightgarden.{self._address.schema}.{name}")
        with explained(self.url):
            connection = await self._pool.acquire(timeout=CONNECT_SECONDS)
        try:
            with explained(self.url):
                taken = await connection.fetchval("SELECT pg_try_advisory_lock($1)", key)
            if not taken:
                raise GardenBusy(f"somebody else holds `{name}` of {self.url}; wait for them and ask again")
            yield
        finally:
            await self._pool.release(connection)  # the pool resets it, which lets go of its locks

    # -- gaps --------------------------------------------------------------------------------------------------------
    async def gaps(self, *, include_closed: bool = False) -> list[Gap]:
        return await self._rows(
            "gaps", lambda row: from_record(Gap, read_json(row["record"])), include_closed=include_closed
        )

    # -- calls of language models ------------------------------------------------------------------------------------
    async def open_call(self, call: MindCall, caps: Caps | None) -> Spent | None:
        return await self._write(lambda c: ledger.open_call(c, call, caps, schema=self._address.schema))

    async def close_call(self, call: MindCall) -> None:
        await self._write(lambda c: ledger.write_call(c, call))

    async def spent(self, budget: str, *, since: datetime, until: datetime) -> Spent:
        return await self._read(lambda c: ledger.spent(c, budget, since, until))

    async def mind_calls(self, *, since: datetime, limit: int | None = None) -> list[MindCall]:
        return await self._read(lambda c: ledger.calls_since(c, since, limit))

    # -- whole garden ------------------------------------------------------------------------------------------------
    async def counts(self) -> Counts:
        async def work(connection: Connection) -> Counts:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return await count_all(connection)

        return await self._read(work)

    async def check(self, *, repair: bool) -> list[Check]:
        async def look(connection: Connection) -> list[Check]:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                return await doctor.check(connection, repair=False)

        if repair:
            return await self._write(lambda c: doctor.check(c, repair=True), patient=True)
        return await self._read(look, patient=True)

    async def dump(self) -> AsyncIterator[dict[str, Any]]:
        with explained(self.url):
            async with self._connected(patient=True) as connection:
                async for record in dump.dump(connection):
                    yield record

    async def load(self, records: Sequence[dict[str, Any]]) -> None:
        await self._write(lambda c: dump.load(c, records), patient=True)

    async def existing(self, records: Sequence[dict[str, Any]]) -> list[bool]:
        return await self._read(lambda c: dump.existing(c, records))

    async def maintain(self) -> None:
        """Nothing is kept in memory here; the server looks after its own indexes."""

    async def empty(self) -> None:
        await self._write(erase.empty, patient=True)

    async def scrub(self) -> None:
        if not self._read_only:
            await self._read(erase.scrub, patient=True)  # outside a transaction, where alone the server rewrites tables
