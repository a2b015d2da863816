"""The SQLite store: each call is one unit of work, handed to the writer thread or to a reader."""

from __future__ import annotations

import asyncio
import json
import secrets
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from pathlib import Path
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
from nightgarden.domain.time import write_moment
from nightgarden.errors import CorruptGarden, StoreUnavailable
from nightgarden.store.sqlite import doctor, dump, erase, ledger, rows, search, sessions
from nightgarden.store.sqlite.changes import apply_changes, put_state
from nightgarden.store.sqlite.connection import Readers, Writer
from nightgarden.store.sqlite.damage import Skipped, text_or_bytes
from nightgarden.store.sqlite.documents import KeepsDocuments, behind_fence, write_puts
from nightgarden.store.sqlite.listing import list_memories
from nightgarden.store.sqlite.lock import hold
from nightgarden.store.sqlite.migrate import keep_copy, refuse_newer, schema_version
from nightgarden.store.sqlite.rows import Q
from nightgarden.store.sqlite.streaming import stream
from nightgarden.store.sqlite.vector_rows import all_vectors, drop_snapshots, read_vector, write_vectors

if TYPE_CHECKING:  # numpy takes 60 ms to import; whoever only lists does without, so it comes with the first vector
    from nightgarden.store.sqlite.vectors import MeaningIndex

T = TypeVar("T")


class SqliteStore(KeepsDocuments):
    """One garden in one SQLite file (the `Store` contract of domain/ports.py)."""

    def __init__(self, path: Path, db: sqlite3.Connection, *, read_only: bool) -> None:
        self._path = path
        self._read_only = read_only
        # Another process may bring the schema further while this one has the garden open.
        self._writer = None if read_only else Writer(db, path, lambda now: refuse_newer(schema_version(now), path))
        if read_only:
            db.close()
        self._readers = Readers(path, read_only=read_only)
        self._ids = IdMaker(lambda: secrets.randbits(64))
        self._meanings: dict[str, MeaningIndex] = {}
        self._meanings_lock = threading.Lock()
        self._skipped = Skipped()

    @property
    def damaged(self) -> int:
        return self._skipped.count

    @property
    def outdated(self) -> bool:
        return self._writer is not None and self._writer.outdated

    @property
    def url(self) -> str:
        return str(self._path)

    @property
    def path(self) -> Path:
        return self._path

    @property
    def read_only(self) -> bool:
        return self._read_only

    async def close(self) -> None:
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        for index in self._meanings.values():
            index.close()
        self._readers.close()
        if self._writer is not None:
            self._writer.close()

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._writer is None:
            raise StoreUnavailable(f"{self._path} is open read-only; nothing was stored")
        return await self._writer.run(behind_fence(work))

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        return await self._readers.run(work)

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
        def work(db: sqlite3.Connection) -> tuple[JournalEntry, ...]:
            entries = apply_changes(db, changes, origin, at=at, ids=self._ids)
            for model, each, vector in vectors:
                write_vectors(db, model, [each], vector[None, :])
            for key, value in (state or {}).items():
                put_state(db, key, value)
            write_puts(db, documents, at=at)
            if restore is not None:
                erase.restore_passages(db, restore)
            return entries

        return await self._write(work)

    async def touch(self, memory_ids: Sequence[str], *, at: datetime) -> None:
        columns = {"ids": rows.array(memory_ids), "at": write_moment(at)}
        await self._write(lambda db: db.execute(Q["touch"], columns))

    async def memories(self, ids: Sequence[str]) -> list[Memory]:
        if len(ids) == 1:  # who asks for one alone is told that it is damaged, not that it is not there
            given = {"ids": rows.array(ids)}
            row = await self._read(lambda db: db.execute(Q["memories_by_ids"], given).fetchone())
            return [rows.read_memory(row)] if row else []
        return await self._rows("memories_by_ids", {"ids": rows.array(ids)}, rows.read_memory)

    async def list_memories(
        self, which: MemoryFilter, *, limit: int | None = None, after: str | None = None, newest_first: bool = False
    ) -> list[Memory]:
        return await self._read(
            lambda db: list_memories(
                db, which, limit=limit, after=after, newest_first=newest_first, skipped=self._skipped
            )
        )

    async def edges(
        self, node_ids: Sequence[str], *, kinds: Sequence[EdgeKind] | None = None, incoming: bool = True
    ) -> list[Edge]:
        columns = {"ids": rows.array(node_ids), "kinds": rows.array(tuple(kinds) if kinds else tuple(EdgeKind))}

        def work(db: sqlite3.Connection) -> list[Edge]:
            found = db.execute(Q["edges_out"], columns).fetchall()
            if incoming:
                found += db.execute(Q["edges_in"], columns).fetchall()
            return [rows.read_edge(row) for row in dict.fromkeys(found)]

        return await self._read(work)

    async def degrees(self, node_ids: Sequence[str]) -> dict[str, int]:
        found = await self._rows("degrees", {"ids": rows.array(node_ids)}, lambda row: (str(row[0]), int(row[1])))
        return dict(found)

    async def all_edges(self, *, kinds: Sequence[EdgeKind] | None = None) -> AsyncIterator[list[Edge]]:
        columns = {"kinds": rows.array(tuple(kinds) if kinds else tuple(EdgeKind))}
        found = await self._rows("all_edges", columns, rows.read_edge)
        for start in range(0, len(found), 1000):
            yield found[start : start + 1000]

    async def tags(self) -> list[Tag]:
        return await self._rows("all_tags", {}, rows.read_tag)

    async def clusters(self, scopes: Sequence[Scope] | None = None) -> list[Cluster]:
        return await self._rows("clusters", {"scopes": rows.array(scopes)}, rows.read_cluster)

    async def _rows(self, name: str, columns: dict[str, Any], read: Callable[[Sequence[Any]], T]) -> list[T]:
        """Those that cannot be read are left out and counted."""
        return await self._read(lambda db: list(self._skipped.read(name, db.execute(Q[name], columns), read)))

    # -- search ------------------------------------------------------------------------------------------------------
    async def search_text(self, terms: Sequence[str], view: View, *, limit: int) -> list[Hit]:
        return await self._read(lambda db: search.search_text(db, terms, view, limit=limit))

    async def search_vectors(self, vector: Vector, model_id: str, view: View, *, limit: int) -> list[Hit]:
        def work(db: sqlite3.Connection) -> list[Hit]:
            index = self._meaning(db, model_id)
            return index.search(db, vector, view, limit=limit) if index else []

        return await self._read(work)

    async def said_between(self, spans: Sequence[tuple[datetime, datetime]], view: View, *, limit: int) -> list[Hit]:
        return await self._read(lambda db: search.said_between(db, spans, view, limit=limit))

    async def visible(self, ids: Sequence[str], view: View) -> set[str]:
        return await self._read(lambda db: search.visible(db, ids, view))

    async def triggered(self, view: View) -> list[Memory]:
        return await self._read(lambda db: search.triggered(db, view))

    def _meaning(self, db: sqlite3.Connection, model_id: str) -> MeaningIndex | None:
        from nightgarden.store.sqlite.vectors import MeaningIndex  # 60 ms with numpy; most commands do without

        with self._meanings_lock:
            if model_id not in self._meanings:
                row = db.execute(Q["model_by_id"], {"id": model_id}).fetchone()
                if row is None:
                    return None
                self._meanings[model_id] = MeaningIndex(self._path, model_id, row[0])
            return self._meanings[model_id]

    # -- vectors -----------------------------------------------------------------------------------------------------
    async def pending_vectors(self, model_id: str, *, limit: int) -> list[PendingText]:
        def work(db: sqlite3.Connection) -> list[PendingText]:
            if not db.execute(Q["count_pending_vectors"], {"model_id": model_id}).fetchone()[0]:
                return []  # the usual answer, asked after each write: counted, not searched for
            found = db.execute(Q["pending_vectors"], {"model_id": model_id, "limit": limit})
            return [PendingText(id=each, kind=kind, text=rows.meaning_of(kind, text)) for each, kind, text in found]

        return await self._read(work)

    async def count_pending_vectors(self, model_id: str) -> int:
        return await self._read(
            lambda db: int(db.execute(Q["count_pending_vectors"], {"model_id": model_id}).fetchone()[0])
        )

    async def put_vectors(self, model: EmbeddingModel, ids: Sequence[str], vectors: Vector) -> None:
        await self._write(lambda db: write_vectors(db, model, ids, vectors))

    async def vectors(self, model_id: str, ids: Sequence[str]) -> dict[str, Vector]:
        columns = {"ids": rows.array(ids), "model_id": model_id}
        found = await self._rows("vectors_by_ids", columns, lambda row: (row[0], read_vector(row[1])))
        return dict(found)

    async def all_vectors(self, model_id: str, view: View) -> tuple[list[str], Vector]:
        return await self._read(lambda db: all_vectors(db, model_id, view))

    async def drop_vectors(self, *, except_model_id: str) -> int:
        return await self._write(lambda db: db.execute(Q["drop_vectors"], {"model_id": except_model_id}).rowcount)

    async def maintain(self) -> None:
        """Background upkeep of the in-process indexes."""
        for index in list(self._meanings.values()):
            await self._read(index.maintain)

    # -- sessions and passages ---------------------------------------------------------------------------------------
    async def put_session(self, session: Session, passages: Sequence[Passage], *, again: Sequence[Message] = ()) -> int:
        return await self._write(lambda db: sessions.put_session(db, session, passages, again))

    async def session(self, session_id: str, *, messages: bool = True) -> Session | None:
        return await self._read(lambda db: sessions.load_session(db, session_id, messages=messages))

    async def list_sessions(
        self,
        *,
        client: str | None = None,
        status: SessionStatus | None = None,
        extraction: Extraction | None = None,
        scopes: Sequence[Scope] | None = None,
        limit: int | None = None,
    ) -> list[Session]:
        columns = {
            "client": client,
            "status": status,
            "extraction": extraction,
            "scopes": rows.array(scopes),
            "limit": -1 if limit is None else limit,
        }
        return await self._rows("list_sessions", columns, rows.read_session)

    async def passages(self, ids: Sequence[str]) -> list[Passage]:
        return await self._rows("passages_by_ids", {"ids": rows.array(ids)}, rows.read_passage)

    async def neighbours(self, passage_ids: Sequence[str], *, reach: int) -> dict[str, list[Passage]]:
        return await self._read(lambda db: sessions.neighbours(db, passage_ids, reach=reach))

    async def archive_passages(
        self, *, older_than: datetime | None, keep_at_most: int | None, at: datetime, cycle: str
    ) -> int:
        return await self._write(
            lambda db: erase.archive_passages(db, older_than=older_than, keep_at_most=keep_at_most, at=at, cycle=cycle)
        )

    async def count_archived_passages(self, cycle: str) -> int:
        return len(await self._rows("passages_archived_in", {"cycle": cycle}, rows.read_passage))

    # -- journal, purge, state ---------------------------------------------------------------------------------------
    async def history(
        self, subject_id: str | None = None, *, cycle: str | None = None, action: str | None = None
    ) -> list[JournalEntry]:
        if action is not None:
            return await self._rows("entries_of_action", {"action": action}, rows.read_entry)
        return await self._rows("history", {"subject_id": subject_id, "cycle": cycle}, rows.read_entry)

    async def entries_after(self, after: str, *, limit: int) -> list[JournalEntry]:
        return await self._rows("entries_after", {"after": after, "limit": limit}, rows.read_entry)

    async def newest_entries(self, *, limit: int, before: str | None = None) -> list[JournalEntry]:
        return await self._rows("newest_entries", {"limit": limit, "before": before}, rows.read_entry)

    async def undos(self) -> list[JournalEntry]:
        return await self._rows("undos", {}, rows.read_entry)

    async def journal_entry(self, entry_id: str) -> JournalEntry | None:
        found = await self._rows("entry_by_id", {"id": entry_id}, rows.read_entry)
        return found[0] if found else None

    async def matching_ids(self, part: str, kinds: Sequence[str]) -> list[str]:
        given = {"part": part, "kinds": rows.array(kinds), "shown": SHORT_CHARS}
        return await self._rows("matching_ids", given, lambda row: str(row[0]))

    async def purge(self, ids: Sequence[str], *, at: datetime) -> list[str]:
        return await self._write(lambda db: erase.purge(db, ids, at=at))

    async def tombstones(self, keys: Sequence[str]) -> set[str]:
        return set(await self._rows("tombstones", {"keys": rows.array(keys)}, lambda row: str(row[0])))

    async def get_state(self, key: str) -> Any:
        found = await self._rows("get_state", {"key": key}, lambda row: json.loads(row[0]))
        return found[0] if found else None

    async def put_state(self, key: str, value: Any) -> None:
        await self._write(lambda db: put_state(db, key, value))

    async def state_items(self, prefix: str) -> dict[str, Any]:
        return dict(await self._rows("state_items", {"prefix": prefix}, lambda row: (row[0], json.loads(row[1]))))

    def exclusive(self, name: str) -> AbstractAsyncContextManager[None]:
        return hold(self._path, name)

    # -- gaps --------------------------------------------------------------------------------------------------------
    async def gaps(self, *, include_closed: bool = False) -> list[Gap]:
        columns = {"include_closed": int(include_closed)}
        return await self._rows("gaps", columns, rows.read_gap)

    # -- calls of language models ------------------------------------------------------------------------------------
    async def open_call(self, call: MindCall, caps: Caps | None) -> Spent | None:
        return await self._write(lambda db: ledger.open_call(db, call, caps))

    async def close_call(self, call: MindCall) -> None:
        await self._write(lambda db: ledger.write_call(db, call))

    async def spent(self, budget: str, *, since: datetime, until: datetime) -> Spent:
        return await self._read(lambda db: ledger.spent(db, budget, since, until))

    async def mind_calls(self, *, since: datetime, limit: int | None = None) -> list[MindCall]:
        columns = {"since": write_moment(since), "limit": -1 if limit is None else limit}
        return await self._rows("calls_since", columns, lambda row: from_record(MindCall, json.loads(row[0])))

    # -- whole garden ------------------------------------------------------------------------------------------------
    async def counts(self) -> Counts:
        return await self._read(lambda db: rows.count_all(db, self._path))

    async def check(self, *, repair: bool) -> list[Check]:
        def work(db: sqlite3.Connection) -> list[Check]:
            text = db.text_factory
            db.text_factory = text_or_bytes
            try:
                return doctor.check(db, repair=repair)
            finally:
                db.text_factory = text

        try:
            return await (self._write if not self._read_only else self._read)(work)
        except CorruptGarden as error:
            return [Check(name="file", ok=False, detail=str(error))]

    async def copy_to(self, target: Path) -> None:
        """A consistent copy of the whole file, for backups."""
        await self._read(lambda db: keep_copy(db, target))

    def dump(self) -> AsyncIterator[dict[str, Any]]:
        return stream(
            lambda work: self._readers.run_here(work, around_damage=True), lambda db: dump.dump(db, self._skipped)
        )

    async def load(self, records: Sequence[dict[str, Any]]) -> None:
        await self._write(lambda db: dump.load(db, records))

    async def existing(self, records: Sequence[dict[str, Any]]) -> list[bool]:
        return await self._read(lambda db: [dump.exists(db, record) for record in records])

    async def empty(self) -> None:
        await self._write(dump.empty)

    async def scrub(self) -> None:
        if self._writer is not None:
            await self._writer.run_alone(erase.scrub)
            await asyncio.to_thread(drop_snapshots, self._path)
