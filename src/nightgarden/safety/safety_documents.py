"""What this room keeps in the garden, as documents, and typed reading and writing of them.

Every change names the version that it was made from, so that of two deciders or two cycles one is refused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

from nightgarden.domain.documents import ABSENT, DocumentKind, Documents
from nightgarden.domain.shelf import Shelf
from nightgarden.errors import Conflict
from nightgarden.safety.action_log import ActionEntry
from nightgarden.safety.directives import Directive
from nightgarden.safety.messages import Notification
from nightgarden.safety.requests import PermissionRequest, Rejection
from nightgarden.safety.transcripts import Transcript

T = TypeVar("T")
REQUEST = DocumentKind("permission_request", PermissionRequest)
REJECTION = DocumentKind("permission_rejection", Rejection)
ACTION = DocumentKind("safety_action", ActionEntry)
NOTIFICATION = DocumentKind("notification", Notification)
DIRECTIVE = DocumentKind("directive", Directive)
TRANSCRIPT = DocumentKind("cycle_transcript", Transcript)
_TRIES = 20  # each failed one means that somebody else got through


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionLabels:
    """What a document is found by."""

    owner: str = ""
    status: str = ""
    due_at: datetime | None = None


class LabelledShelf(Generic[T]):
    """The documents of one kind. `labels` says how a value is found again."""

    def __init__(self, documents: Documents, kind: DocumentKind[T], labels: Callable[[T], ActionLabels]) -> None:
        self._shelf = Shelf(documents, kind)
        self._labels = labels
        self.get = self._shelf.get
        self.list = self._shelf.list

    async def put(self, key: str, value: T | None, expected: int | None, *, at: datetime) -> None:
        """Raises Conflict when the version is not as expected."""
        if value is None:
            await self._shelf.remove(key, expected=expected, at=at)
            return
        labels = self._labels(value)
        await self._shelf.put(
            key, value, expected=expected, at=at, owner=labels.owner, status=labels.status, due_at=labels.due_at
        )

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
        raise Conflict(f"{self._shelf.kind.name} {key} is being changed by others all the time; ask again")


def request_labels(request: PermissionRequest) -> ActionLabels:
    due = request.expires_at if request.status.value == "pending" else None
    return ActionLabels(owner=str(request.scope), status=request.status.value, due_at=due)
