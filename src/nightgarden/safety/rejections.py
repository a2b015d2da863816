"""Kinds of action that the user rejected in a project: they are not proposed again until the user takes that back."""

from __future__ import annotations

import builtins
import hashlib

from nightgarden.domain.memory import Scope
from nightgarden.garden import Garden
from nightgarden.safety.requests import PermissionRequest, Rejection
from nightgarden.safety.safety_documents import REJECTION, ActionLabels, LabelledShelf


class Rejections:
    """The rejected kinds of one garden, as somebody at a place has them. Looked up by kind, without any model."""

    def __init__(self, garden: Garden) -> None:
        self._garden = garden
        self._shelf: LabelledShelf[Rejection] = LabelledShelf(
            garden.store, REJECTION, lambda r: ActionLabels(owner=str(r.scope))
        )

    async def list(self) -> builtins.list[Rejection]:
        """All of the garden."""
        return [held.value for held in await self._shelf.list()]

    async def of(self, kind: str) -> Rejection | None:
        """Whether the user rejected this kind in this project."""
        held = await self._shelf.get(_key(self._garden.place.scope, kind))
        return held.value if held else None

    async def add(self, request: PermissionRequest, *, by: str, reason: str, memory_id: str) -> None:
        """The kind of this request is not wanted in its project."""
        at = self._garden.now()
        rejection = Rejection(
            kind=request.kind,
            scope=request.scope,
            reason=reason,
            by=by,
            at=at,
            request_id=request.id,
            memory_id=memory_id,
        )
        await self._shelf.put(_key(request.scope, request.kind), rejection, None, at=at)

    async def take_back(self, kind: str) -> bool:
        """The kind may be proposed again. False: it was not rejected here."""
        key = _key(self._garden.place.scope, kind)
        held = await self._shelf.get(key)
        if held is None:
            return False
        await self._shelf.put(key, None, held.version, at=self._garden.now())
        return True


def _key(scope: Scope, kind: str) -> str:
    return hashlib.sha256(f"{scope}\n{kind}".encode("utf-8", "replace")).hexdigest()[:32]
