"""Documents: small typed values that rooms keep in the garden, such as tasks, requests, cycles, thoughts or missions.

Each room declares a `Kind` for every sort of document it keeps. A document has a version that grows by one with each
change, so that of two writers who read the same version one is refused: whoever claims a task has it alone. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

T = TypeVar("T")
ABSENT = 0  # the version of what is not there


@dataclass(frozen=True, slots=True)
class Kind(Generic[T]):
    """One sort of document and the frozen dataclass that it is read as."""

    name: str  # lower case, underscores
    type: type[T]


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One document as it is stored."""

    kind: str
    key: str  # unique within its kind
    version: int
    value: Any  # plain JSON, see domain.record
    owner: str = ""  # whose it is: a scope as text, or empty
    status: str = ""  # what it is looked for by
    due_at: datetime | None = None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """A document to be written. `expected` is the version that must be there: `ABSENT` for a new one, None for any."""

    kind: str
    key: str
    value: Any  # None removes
    expected: int | None
    owner: str = ""
    status: str = ""
    due_at: datetime | None = None


class Documents(Protocol):
    """What a store does with documents. Part of `Store`."""

    async def document(self, kind: str, key: str) -> Document | None: ...

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
        """By key, which for ids is by creation. With `due_before` only those due by then, the earliest first."""
        ...

    async def put_documents(self, puts: Sequence[Put], *, at: datetime) -> list[Document | None]:
        """Writes all or none, durably; what was removed is None. Raises Conflict when a version is not as expected."""
        ...
