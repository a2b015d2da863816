"""How much of everything there is in a garden, as a value. Knows not how it is counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nightgarden.domain.ports import Counts, EmbeddingModel
from nightgarden.minds.mind_of_settings import MindUse
from nightgarden.models.pace import QueueHealth
from nightgarden.scope import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How much of everything there is."""

    counts: Counts
    embedding: QueueHealth
    model: EmbeddingModel | None  # None: everything works by words alone
    mind: MindUse | None  # None: none is set, and nothing needs one
    pending_vectors: int | None
    url: str
    place: Place
    turns: Mapping[str, int]  # how turns ended, by label
    background: Mapping[str, int]  # what became of work after answers, in this process
