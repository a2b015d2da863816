"""What this room keeps in the garden, as documents, and typed reading and writing of them.

Every change names the version that it was made from, so that of two deciders or two cycles one is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from nightgarden.domain.documents import ABSENT, Document, Documents, Kind, Put
from nightgarden.domain.record import from_record, to_record
from nightgarden.errors import Conflict
from nightgarden.safety.action_log import ActionEntry
from nightgarden.safety.directives import Directive
from nightgarden.safety.messages import Notification
from nightgarden.safety.requests import PermissionRequest, Rejection
from nightgarden.safety.transcripts import Transcript

T = TypeVar("T")
REQUEST = Kind("permission_request", PermissionRequest)
REJECTION = Kind("permission_rejection", Rejection)
ACTION = Kind("safety_action", ActionEntry)
NOTIFICATION = Kind("notification", Notification)
DIRECTIVE = Kind("directive", Directive)
TRANSCRIPT = Kind("cycle_transcript", Transcript)
_TRIES = 20  # each failed one means that somebody else got through


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What a document is found by."""

    owner: str = ""
    status: str = ""
    due_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Held(Generic[T]):
    """A value and the version it was read at."""

    value: T
    version: int


class Shelf(Generic[T]):
    """The documents of one kind. `labels` says how a value is found again."""

    def __init__(self, documents: Documents, kind: Kind[T], labels: Callable[[T], Labels]) -> None:
        self._documents = documents
        self._kind = kind
        self._labels = labels

    async def get(self, key: str) -> Held[T] | None:
        found = await self._documents.document(self._kind.name, key)
        return self._held(found) if found is not None else None

    async def list(
        self,
        *,
        owner: str | None = None,
        statuses: Sequence[str] | None = None,
        due_before: datetime | None = None,
        limit: int | None = None,
        newest_first: bool = False,
    ) -> list[Held[T]]:
        found = await self._documents.list_documents(
            self._kind.name,
            owner=owner,
            statuses=statuses,
            due_before=due_before,
            limit=limit,
            newest_first=newest_first,
        )
        return [self._held(each) for each in found]

    async def put(self, key: str, value: T | None, expected: int | None, *, at: datetime) -> None:
        """Raises Conflict when the version is not as expected."""
        labels = self._labels(value) if value is not None else Labels()
        put = Put(
            kind=self._kind.name,
            key=key,
            value=to_record(value) if value is not None else None,
            expected=expected,
            owner=labels.owner,
            status=labels.status,
            due_at=labels.due_at,
        )
        await self._documents.put_documents([put], at=at)

    async def add(self, key: str, value: T, *, at: datetime) -> None:
        await self.put(key, value, ABSENT, at=at)

    async def change(self, key: str, change: Callable[[T], T | None], *, at: datetime) -> tuple[T | None, bool]:
        """The value after `change`, which is asked again when somebody else was first; it says None to leave the value
        as it is. With it, whether this call changed it."""
        for _ in range(_TRIES):
            held = await self.get(key)
            if held is None:
                return None, False
            after = change(held.value)
            if after is None:
                return held.value, False
            try:
                await self.put(key, after, held.version, at=at)
            except Conflict:
                continue
            return after, True
        raise Conflict(f"{self._kind.name} {key} is being changed by others all the time; ask again")

    def _held(self, document: Document) -> Held[T]:
        return Held(from_record(self._kind.type, document.value), document.version)


def request_labels(request: PermissionRequest) -> Labels:
    due = request.expires_at if request.status.value == "pending" else None
    return Labels(owner=str(request.scope), status=request.status.value, due_at=due)
