"""From what a caller asked to the request that recall works on. Pure."""

from __future__ import annotations

from typing import cast

from nightgarden.domain.given import moment
from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import ItemKind
from nightgarden.domain.requests.reading import ITEM_KINDS, Recall
from nightgarden.errors import BadInput
from nightgarden.recall.many import TIMES, asks_for_many
from nightgarden.recall.options import Request
from nightgarden.settings import RecallSettings


def request_asked(asked: Recall, scopes: tuple[Scope, ...] | None, settings: RecallSettings) -> Request:
    """What was left out is as the settings say. Raises BadInput for what does not fit."""
    if wrong := [kind for kind in asked.kinds if kind not in ITEM_KINDS]:
        raise BadInput(f"unknown kind {wrong[0]!r}; use one of {', '.join(ITEM_KINDS)}")
    usual = settings.limit * (TIMES if asks_for_many(asked.query) else 1)
    return Request(
        query=asked.query,
        context=tuple(asked.context),
        files=tuple(asked.files),
        limit=usual if asked.limit is None else asked.limit,
        kinds=cast(tuple[ItemKind, ...], tuple(asked.kinds)),
        scopes=scopes,
        as_of=moment(asked.as_of) if asked.as_of else None,
        fitting=asked.gated,
        rerank=settings.rerank if asked.rerank is None else asked.rerank,
        deep=True if asked.deep else None,
        by_past=not asked.as_of,
        recency=settings.recency if asked.recency is None else asked.recency,
    )
