"""What learning keeps as documents, each read and written as its type: missions, the ledger of what was captured, core
memories and checkpoints, digests, notebooks, and how often the garden was asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from nightgarden.domain.core_memory import Checkpoint, CoreVersion
from nightgarden.domain.documents import Document, Documents, Kind, Put
from nightgarden.domain.ledger import Captured, Refusals
from nightgarden.domain.mission import Mission
from nightgarden.domain.record import from_record, to_record
from nightgarden.learn.digest_values import DigestState
from nightgarden.learn.notebook_values import NotebookState

T = TypeVar("T")

MISSION = Kind("mission", Mission)
CAPTURED = Kind("captured", Captured)
REFUSALS = Kind("capture_refusals", Refusals)
CORE = Kind("core_memory", CoreVersion)
CORE_HISTORY = Kind("core_memory_version", CoreVersion)
CHECKPOINT = Kind("checkpoint", Checkpoint)
DIGEST = Kind("digest", DigestState)
NOTEBOOK = Kind("notebook", NotebookState)


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept(Generic[T]):
    """A value as it is stored, with the version that a change must name."""

    key: str
    version: int
    value: T


class Shelf(Generic[T]):
    """All documents of one kind."""

    def __init__(self, documents: Documents, kind: Kind[T]) -> None:
        self._documents = documents
        self._kind = kind

    async def get(self, key: str) -> Kept[T] | None:
        found = await self._documents.document(self._kind.name, key)
        return self._read(found) if found is not None else None

    async def list(
        self,
        *,
        owner: str | None = None,
        statuses: Sequence[str] | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> list[Kept[T]]:
        found = await self._documents.list_documents(
            self._kind.name, owner=owner, statuses=statuses, limit=limit, newest_first=newest_first
        )
        return [self._read(document) for document in found]

    def put(self, key: str, value: T | None, *, expected: int | None, owner: str = "", status: str = "") -> Put:
        """What `write` takes. None removes."""
        record = to_record(value) if value is not None else None
        return Put(kind=self._kind.name, key=key, value=record, expected=expected, owner=owner, status=status)

    async def write(self, *puts: Put, at: datetime) -> None:
        """All or none. Raises Conflict when somebody was faster."""
        await self._documents.put_documents(puts, at=at)

    def _read(self, document: Document) -> Kept[T]:
        value = from_record(self._kind.type, document.value)
        return Kept(key=document.key, version=document.version, value=value)
