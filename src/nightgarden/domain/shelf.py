"""Documents of one kind, read and written as the dataclass that the kind declares.

A room declares its kinds and makes a `Shelf` for each. A document that cannot be read, because it is damaged or because
a newer program wrote it, is left out of a listing and counted; whoever asks for it by its key is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from nightgarden.domain.documents import ABSENT, Document, DocumentKind, Documents, Put
from nightgarden.domain.record import from_record, to_record
from nightgarden.errors import CorruptGarden

T = TypeVar("T")
_UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Kept(Generic[T]):
    """A value and the document that it was read from."""

    value: T
    document: Document

    @property
    def key(self) -> str:
        return self.document.key

    @property
    def version(self) -> int:
        return self.document.version


def read(kind: DocumentKind[T], document: Document) -> T:
    """The value of a document. Raises CorruptGarden when it is not one of this kind."""
    try:
        return from_record(kind.type, document.value)
    except _UNREADABLE as error:
        raise CorruptGarden(
            f"the document {document.id} cannot be read ({type(error).__name__}: {str(error)[:80]}): it is damaged, or "
            "a newer nightgarden wrote it. Nothing was changed. Upgrade, or run `nightgarden doctor`."
        ) from error


def put(
    kind: DocumentKind[T],
    key: str,
    value: T,
    *,
    expected: int | None,
    owner: str = "",
    status: str = "",
    due_at: datetime | None = None,
) -> Put:
    """A value to be written. `expected` is the version that must be there: ABSENT for a new one, None for any."""
    record = to_record(value)
    return Put(kind=kind.name, key=key, value=record, expected=expected, owner=owner, status=status, due_at=due_at)


def new(
    kind: DocumentKind[T],
    key: str,
    value: T,
    *,
    at: datetime,
    owner: str = "",
    status: str = "",
    due_at: datetime | None = None,
) -> Document:
    """A document for a journalled change that creates it."""
    return Document(
        kind=kind.name,
        key=key,
        version=ABSENT + 1,
        value=to_record(value),
        owner=owner,
        status=status,
        due_at=due_at,
        created_at=at,
        updated_at=at,
    )


class Shelf(Generic[T]):
    """The documents of one kind in one garden."""

    def __init__(self, documents: Documents, kind: DocumentKind[T]) -> None:
        self._documents = documents
        self.kind = kind
        self.unreadable = 0  # how many the last listing left out

    async def get(self, key: str) -> Kept[T] | None:
        found = await self._documents.document(self.kind.name, key)
        return None if found is None else Kept(read(self.kind, found), found)

    async def list(
        self,
        *,
        owner: str | None = None,
        statuses: Sequence[str] | None = None,
        due_before: datetime | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> list[Kept[T]]:
        """As `Documents.list_documents`; what cannot be read is left out and counted in `unreadable`."""
        found = await self._documents.list_documents(
            self.kind.name,
            owner=owner,
            statuses=statuses,
            due_before=due_before,
            limit=limit,
            newest_first=newest_first,
        )
        kept = []
        for document in found:
            try:
                kept.append(Kept(read(self.kind, document), document))
            except CorruptGarden:
                continue
        self.unreadable = len(found) - len(kept)
        return kept

    async def put(
        self,
        key: str,
        value: T,
        *,
        expected: int | None,
        at: datetime,
        owner: str = "",
        status: str = "",
        due_at: datetime | None = None,
    ) -> Kept[T]:
        """Writes one value. Raises Conflict when the version is not as expected."""
        wanted = put(self.kind, key, value, expected=expected, owner=owner, status=status, due_at=due_at)
        (written,) = await self._documents.put_documents([wanted], at=at)
        assert written is not None
        return Kept(value, written)

    async def remove(self, key: str, *, expected: int | None, at: datetime) -> None:
        """Takes one away; None takes whatever is there, also what cannot be read."""
        gone = Put(kind=self.kind.name, key=key, value=None, expected=expected)
        await self._documents.put_documents([gone], at=at)
