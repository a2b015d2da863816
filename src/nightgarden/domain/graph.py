"""Tags, clusters and the edges between them and memories."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from nightgarden.domain.memory import Scope


class EdgeKind(StrEnum):
    """The six ways two nodes hang together."""

    HAS_TAG = "has_tag"
    IN_CLUSTER = "in_cluster"
    RELATES_TO = "relates_to"
    SUPERSEDES = "supersedes"
    CONTRADICTS = "contradicts"
    DERIVED_FROM = "derived_from"


DERIVED = (EdgeKind.HAS_TAG, EdgeKind.IN_CLUSTER)  # these follow from Memory.tags and Cluster.member_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A directed edge. Unique by source, target and kind. Tags and clusters are named by their id."""

    source: str
    target: str
    kind: EdgeKind
    weight: float = 1.0
    created_at: datetime
    updated_at: datetime

    @property
    def key(self) -> str:
        return f"{self.source}>{self.kind}>{self.target}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tag:
    """A label. `id` is its normalised name with the prefix "tag:"."""

    id: str
    name: str
    description: str = ""
    created_at: datetime
    memory_count: int = field(default=0, compare=False)  # derived; not stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A group of memories found by density, with a name a person can read."""

    id: str
    name: str
    scope: Scope
    member_ids: tuple[str, ...]
    centroid: tuple[float, ...] = ()
    created_at: datetime
    updated_at: datetime
