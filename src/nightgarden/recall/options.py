"""What a caller may ask of recall: the request, and the switches by which each part can be measured alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from nightgarden.domain.memory import Category, Scope
from nightgarden.domain.ports import ItemKind, Vector

Turned = Callable[[str, Vector], Vector | None]  # of a model's name and a query's vector


class Fusion(StrEnum):
    """How the arms become one order. Evidence is what we do; the others are there to be measured against."""

    EVIDENCE = "evidence"
    ZSCORE = "zscore"
    RANKS = "ranks"


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallOptions:
    """Every part of recall, on or off. The defaults are what measured best (docs/why/fusion.md)."""

    text: bool = True
    vector: bool = True
    tags: bool = True
    triggers: bool = True
    when: bool = True
    files: bool = True
    names: bool = True  # a speaker named in the query
    neighbours: bool = True  # turns next to each other support each other
    sessions: bool = True  # a session with several good turns lifts them
    shape: bool = True  # questions and very short turns say little
    cascade: bool = True
    beliefs_first: bool = True  # a belief stands before the passages that support it
    diverse: bool = True
    fusion: Fusion = Fusion.EVIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to the garden."""

    query: str
    context: tuple[str, ...] = ()  # what was said before it, oldest first; supports, never leads
    files: tuple[str, ...] = ()  # files at hand
    scopes: tuple[Scope, ...] | None = None  # None: all
    kinds: tuple[ItemKind, ...] = ("memory", "passage")
    categories: tuple[Category, ...] | None = None
    as_of: datetime | None = None
    limit: int = 10
    gated: bool = False  # few or none when nothing is good; for what is shown without being asked for
    fitting: bool = False  # only what fits, which may be nothing; for what somebody asked
    rerank: bool = False  # read the best candidates with the cross-encoder, when there is one
    exclude_ids: frozenset[str] = frozenset()
    exclude_session: str | None = None  # a memory is not echoed to the session that wrote it
    deep: bool | None = None  # fading memories too: always, never, or (None) when nothing else is found
    recency: float = 0.0  # 0 to 1: how much it counts that something is new
    by_past: bool = False  # find a memory by what it replaced too; for what was asked in so many words
    turned: Turned | None = None  # gives a second vector to search with, for what matters without being alike
    options: RecallOptions = RecallOptions()
