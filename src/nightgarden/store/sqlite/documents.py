"""Documents in a SQLite garden. Writes run in a writer's transaction, which alone may write to the file: between
looking at a version and writing the next one nobody else can write."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar

from nightgarden.domain.documents import Document, Put, settle
from nightgarden.domain.erasing import Erasing
from nightgarden.domain.fence import current_fence
from nightgarden.domain.journal import Change, expect
from nightgarden.domain.time import read_moment, write_moment
from nightgarden.errors import CorruptGarden
from nightgarden.store.sqlfile import load_queries
from nightgarden.store.sqlite import rows
from nightgarden.store.sqlite.damage import BAD_ROW, Skipped, corrupt

Q = load_queries("nightgarden.store.sqlite", "documents.sql")
T = TypeVar("T")
COLUMNS = "kind, key, version, value, owner, status, due_at, created_at, updated_at"


def read_document(row: Sequence[Any]) -> Document:
    """From the columns in their order."""
    try:
        version, value = row[2], json.loads(row[3])
        if not isinstance(version, int) or version < 1 or value is None:
            raise ValueError("no version or no value")
        return Document(
            kind=rows.need_text(row[0]),
            key=rows.need_text(row[1]),
            version=version,
            value=value,
            owner=rows.need_text(row[4]),
            status=rows.need_text(row[5]),
            due_at=read_moment(row[6]) if row[6] is not None else None,
            created_at=read_moment(row[7]),
            updated_at=read_moment(row[8]),
        )
    except BAD_ROW as error:
        raise corrupt("document", f"{row[0]}/{row[1]}", error) from error


def behind_fence(work: Callable[[sqlite3.Connection], T]) -> Callable[[sqlite3.Connection], T]:
    """The same work, refused in its own transaction once the fence that its caller writes under is over."""
    fence = current_fence()
    if fence is None:
        return work

    def checked(db: sqlite3.Connection) -> T:
        row = db.execute(Q["document"], {"kind": fence.kind, "key": fence.key}).fetchone()
        fence.check(None if row is None else read_document(row).value)
        return work(db)

    return checked


def write_document(db: sqlite3.Connection, document: Document) -> None:
    columns = {
        "kind": document.kind,
        "key": document.key,
        "version": document.version,
        "value": rows.write_json(document.value),
        "owner": document.owner,
        "status": document.status,
        "due_at": write_moment(document.due_at) if document.due_at else None,
        "created_at": write_moment(document.created_at),
        "updated_at": write_moment(document.updated_at),
    }
    db.execute(Q["write_document"], columns)


def load_document(db: sqlite3.Connection, kind: str, key: str) -> Document | None:
    row = db.execute(Q["document"], {"kind": kind, "key": key}).fetchone()
    return read_document(row) if row else None


class KeepsDocuments:
    """The part of the store that is about documents. The store itself brings the ways to the file."""

    _skipped: Skipped

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        raise NotImplementedError

    async def _write(self, work: Callable[[sqlite3.Connection], T]) -> T:
        raise NotImplementedError

    async def document(self, kind: str, key: str) -> Document | None:
        return await self._read(lambda db: load_document(db, kind, key))

    async def list_documents(
        self,
        kind: str,
        *,
        owner: str | None = None,
        statuses: Sequence[str] | None = None,
        due_before: datetime | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> list[Document]:
        """Only the clauses that are set reach SQLite, so that it can use its indexes."""
        given: dict[str, Any] = {"kind": kind, "limit": -1 if limit is None else limit}
        clauses, order = [Q["list_documents"]], "key DESC" if newest_first else "key"
        if owner is not None:
            clauses.append("owner = :owner")
            given["owner"] = owner
        if statuses is not None:
            clauses.append("status IN (SELECT value FROM json_each(:statuses))")
            given["statuses"] = rows.array(statuses)
        if due_before is not None:
            clauses.append("due_at <= :due_before")
            given["due_before"], order = write_moment(due_before), "due_at, key"
        statement = f"{' AND '.join(clauses)} ORDER BY {order} LIMIT :limit"

        def work(db: sqlite3.Connection) -> list[Document]:
            return list(self._skipped.read(f"document {kind}", db.execute(statement, given), read_document))

        return await self._read(work)

    async def put_documents(self, puts: Sequence[Put], *, at: datetime) -> list[Document | None]:
        return await self._write(lambda db: write_puts(db, puts, at=at))


def write_puts(db: sqlite3.Connection, puts: Sequence[Put], *, at: datetime) -> list[Document | None]:
    """In their order. Raises Conflict when a version is not as expected; the caller's transaction then falls."""
    return [_put(db, put, at=at) for put in puts]


def _put(db: sqlite3.Connection, put: Put, *, at: datetime) -> Document | None:
    blind = put.value is None and put.expected is None  # also what is damaged can be taken away
    written = settle(None if blind else load_document(db, put.kind, put.key), put, at=at)
    if written is None:
        db.execute(Q["remove_document"], {"kind": put.kind, "key": put.key})
    else:
        write_document(db, written)
    return written


def change_document(db: sqlite3.Connection, change: Change) -> None:
    """Makes a journalled change. Raises Conflict when its `before` is not what is there."""
    before, after = change.before, change.after
    node = after if after is not None else before
    assert isinstance(node, Document)
    expect(load_document(db, node.kind, node.key), before, f"document {node.id}")
    if after is None:
        db.execute(Q["remove_document"], {"kind": node.kind, "key": node.key})
    else:
        write_document(db, node)


def keys_among(db: sqlite3.Connection, ids: Sequence[str]) -> set[str]:
    """Which of these are keys of documents."""
    if not has_documents(db):
        return set()
    return {row[0] for row in db.execute(Q["document_keys"], {"keys": rows.array(ids)})}


def has_documents(db: sqlite3.Connection) -> bool:
    return bool(db.execute(Q["has_documents"]).fetchone()[0])


def erase(db: sqlite3.Connection, what: Erasing, *, at: datetime) -> None:
    """Takes what is erased out of documents and their history."""
    if not has_documents(db):
        return
    gone = [f"{kind}/{key}" for kind, key in _erase_rows(db, what, at=at)]
    entries = db.execute(Q["document_entries"]).fetchall()
    gone += [subject for _, subject, *sides in entries if any(_takes(what, side) for side in sides)]
    db.execute(Q["remove_document_entries"], {"ids": rows.array(gone)})
    for entry_id, subject, *sides in entries:
        struck = [_struck(what, side) for side in sides]
        if subject not in gone and struck != list(sides):
            db.execute(Q["rewrite_document_entry"], {"id": entry_id, "before": struck[0], "after": struck[1]})


def _erase_rows(db: sqlite3.Connection, what: Erasing, *, at: datetime) -> Iterable[tuple[str, str]]:
    """Kind and key of those that went whole: also what cannot be read, when it quotes what is erased."""
    for row in db.execute(Q["all_documents"]).fetchall():
        try:
            document = read_document(row)
        except CorruptGarden:
            raw = row[3].decode("utf-8", "replace") if isinstance(row[3], bytes) else str(row[3])
            whole = row[1] in what.ids or what.struck(raw) != raw
        else:
            whole = what.takes(document.key, document.value)
            struck = what.struck(document.value)
            if not whole and struck != document.value:
                write_document(db, replace(document, value=struck, version=document.version + 1, updated_at=at))
        if whole:
            db.execute(Q["remove_document"], {"kind": row[0], "key": row[1]})
            yield row[0], row[1]


def _takes(what: Erasing, side: str | None) -> bool:
    record = json.loads(side) if side is not None else {}
    return what.takes(record.get("key"), record.get("value"))


def _struck(what: Erasing, side: str | None) -> str | None:
    if side is None:
        return None
    record = json.loads(side)
    struck = what.struck(record)
    return side if struck == record else rows.write_json(struck)
