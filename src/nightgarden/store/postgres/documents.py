"""Documents in a PostgreSQL garden. A writer locks the rows before it looks at their versions; of two who create the
same document the second is told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar

from nightgarden.domain.documents import Document, Put, settle
from nightgarden.domain.erasing import Erasing
from nightgarden.domain.fence import current_fence
from nightgarden.errors import Conflict
from nightgarden.store.postgres.rows import read_json, write_json
from nightgarden.store.postgres.statements import load_statements

if TYPE_CHECKING:
    from asyncpg import Connection

Q = load_statements("documents.sql")
T = TypeVar("T")
Name = tuple[str, str]  # kind and key


def read_document(row: Mapping[str, Any]) -> Document:
    return Document(
        kind=row["kind"],
        key=row["key"],
        version=row["version"],
        value=read_json(row["value"]),
        owner=row["owner"],
        status=row["status"],
        due_at=row["due_at"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
    )


async def check_fence(connection: Connection) -> None:
    """Raises LeaseLost when the fence that this transaction's caller writes under is over. The lease cannot change
    hands before the transaction has ended."""
    fence = current_fence()
    if fence is not None:
        rows = await Q["fence"].rows(connection, kind=fence.kind, key=fence.key)
        fence.check(read_json(rows[0]["value"]) if rows else None)


def document_row(document: Document) -> dict[str, Any]:
    """Columns of table document."""
    return {
        "kind": document.kind,
        "key": document.key,
        "version": document.version,
        "value": write_json(document.value),
        "owner": document.owner,
        "status": document.status,
        "due_at": document.due_at,
        "created_at": document.created_at,
        "updated_at": document.updated_at,
    }


class KeepsDocuments:
    """The part of the store that is about documents. The store itself brings the ways to the server."""

    async def _read(self, work: Callable[[Connection], Awaitable[T]], *, patient: bool = False) -> T:
        raise NotImplementedError

    async def _write(self, work: Callable[[Connection], Awaitable[T]], *, patient: bool = False) -> T:
        raise NotImplementedError

    async def document(self, kind: str, key: str) -> Document | None:
        row = await self._read(lambda c: Q["document"].row(c, kind=kind, key=key))
        return None if row is None else read_document(row)

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
        name = "list_documents_newest" if newest_first else "list_documents"
        given: dict[str, Any] = {
            "kind": kind,
            "owner": owner,
            "statuses": None if statuses is None else list(statuses),
            "limit": limit,
        }
        if due_before is not None:
            name, given["due_before"] = "list_documents_due", due_before
        return [read_document(row) for row in await self._read(lambda c: Q[name].rows(c, **given))]

    async def put_documents(self, puts: Sequence[Put], *, at: datetime) -> list[Document | None]:
        return await self._write(lambda c: write_puts(c, puts, at=at))


async def write_puts(connection: Connection, puts: Sequence[Put], *, at: datetime) -> list[Document | None]:
    """In their order. Raises Conflict when a version is not as expected; the caller's transaction then falls."""
    if not puts:
        return []
    now: dict[Name, Document | None] = {}
    now |= await lock(connection, [(put.kind, put.key) for put in puts])
    written = []
    for put in puts:
        name = put.kind, put.key
        try:
            now[name] = await _put(connection, now.get(name), put, at=at)
        except Conflict:
            if put.expected is not None:
                raise
            there = await lock(connection, [name])  # somebody else created it meanwhile, which is as good
            now[name] = await _put(connection, there.get(name), put, at=at)
        written.append(now[name])
    return written


async def _put(connection: Connection, current: Document | None, put: Put, *, at: datetime) -> Document | None:
    document = settle(current, put, at=at)
    await write(connection, current, document)
    return document


async def lock(connection: Connection, names: Iterable[Name]) -> dict[Name, Document]:
    """The documents as they are, locked until the transaction ends."""
    wanted = sorted(set(names))
    rows = await Q["lock_documents"].rows(
        connection, kinds=[kind for kind, _ in wanted], keys=[key for _, key in wanted]
    )
    return {(row["kind"], row["key"]): read_document(row) for row in rows}


async def write(connection: Connection, before: Document | None, after: Document | None) -> None:
    """Makes one of the other. Raises Conflict when somebody else created it meanwhile."""
    if after is None:
        if before is not None:
            await Q["remove_document"].run(connection, kind=before.kind, key=before.key)
    elif before is not None:
        await Q["write_document"].run(connection, **document_row(after))
    elif not await Q["create_document"].run(connection, **document_row(after)):
        raise Conflict(f"document {after.id} exists already")


async def erase(connection: Connection, what: Erasing, *, at: datetime) -> None:
    """Takes what is erased out of documents and their history."""
    gone = set()
    for row in await Q["all_documents"].rows(connection):
        document = read_document(row)
        struck = what.struck(document.value)
        if what.takes(document.key, document.value):
            gone.add(document.id)
            await Q["remove_document"].run(connection, kind=document.kind, key=document.key)
        elif struck != document.value:
            again = replace(document, value=struck, version=document.version + 1, updated_at=at)
            await Q["write_document"].run(connection, **document_row(again))
    entries = await Q["document_entries"].rows(connection)
    for entry in entries:
        sides = [read_json(entry[side]) or {} for side in ("before", "after")]
        if any(what.takes(side.get("key"), side.get("value")) for side in sides):
            gone.add(entry["subject_id"])
    await Q["remove_document_entries"].run(connection, ids=sorted(gone))
    for entry in entries:
        given = {side: read_json(entry[side]) for side in ("before", "after")}
        struck = what.struck(given)
        if struck != given and entry["subject_id"] not in gone:
            texts = {side: None if record is None else write_json(record) for side, record in struck.items()}
            await Q["rewrite_document_entry"].run(connection, id=entry["id"], **texts)
