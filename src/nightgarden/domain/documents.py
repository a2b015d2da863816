"""Documents: small typed values that rooms keep in the garden, such as tasks, requests, cycles, thoughts or missions.

Each room declares a `Kind` for every sort of document it keeps. A document has a version that grows by one with each
change, so that of two writers who read the same version one is refused: whoever claims a task has it alone. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar

from nightgarden.domain.time import as_utc
from nightgarden.errors import BadInput, Conflict

T = TypeVar("T")
ABSENT = 0  # the version of what is not there
NAME_MAX = 500  # characters of a key, owner or status
_KIND = re.compile(r"[a-z][a-z0-9_]{0,62}")
_UNFIT = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class DocumentKind(Generic[T]):
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

    @property
    def id(self) -> str:
        """What the journal calls it."""
        return f"{self.kind}/{self.key}"


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

    @property
    def id(self) -> str:
        return f"{self.kind}/{self.key}"


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


def settle(current: Document | None, put: Put, *, at: datetime) -> Document | None:
    """What a put makes of what is there; None for what it removes. Raises Conflict when the version is not as expected,
    BadInput for what cannot be stored."""
    _check(put)
    there = ABSENT if current is None else current.version
    if put.expected is not None and put.expected != there:
        raise Conflict(_differs(put, there))
    if put.value is None:
        return None
    return Document(
        kind=put.kind,
        key=put.key,
        version=there + 1,
        value=plain(put.value, put.id),
        owner=put.owner,
        status=put.status,
        due_at=None if put.due_at is None else as_utc(put.due_at),
        created_at=at if current is None else current.created_at,
        updated_at=at,
    )


def check_step(before: object, after: object) -> None:
    """Raises BadInput for a journalled change that is none: another document, or a version that does not follow."""
    for side in (before, after):
        if side is not None:
            if not isinstance(side, Document):
                raise BadInput("a change cannot turn a document into something else")
            _check(side)
            if side.value is None or plain(side.value, side.id) != side.value:
                raise BadInput(f"document {side.id} holds what is not plain JSON; write it with domain.record first")
    if not isinstance(before, Document) or not isinstance(after, Document):
        return
    if after.id != before.id:
        raise BadInput(f"a change cannot turn document {before.id} into {after.id}")
    if after.version != before.version + 1:
        raise BadInput(f"document {after.id} must go from version {before.version} to {before.version + 1}")


def plain(value: Any, what: str) -> Any:
    """The value as it comes back from the store. Raises BadInput for what JSON cannot say."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError) as error:
        raise BadInput(f"document {what} holds what is not plain JSON: {error}") from error


def _check(named: Document | Put) -> None:
    if not _KIND.fullmatch(named.kind):
        raise BadInput(f"{named.kind[:80]!r} cannot name a kind of document; use lower-case letters and underscores")
    for name, text in (("key", named.key), ("owner", named.owner), ("status", named.status)):
        if len(text) > NAME_MAX or _UNFIT.search(text) or (name == "key" and not text):
            raise BadInput(
                f"{text[:80]!r} cannot be the {name} of a document; use 1 to {NAME_MAX} printable characters"
            )


def _differs(put: Put, there: int) -> str:
    if put.expected == ABSENT:
        return f"document {put.id} exists already"
    if there == ABSENT:
        return f"document {put.id} is gone"
    return f"document {put.id} was changed by someone else in the meantime; read it again and retry"
