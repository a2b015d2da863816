"""What recall answers with: the results, why each is there, and what was cut and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from nightgarden.domain.memory import Category, Scope
from nightgarden.domain.ports import ItemKind
from nightgarden.recall.show_gate import FITTING_EVIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmFound:
    """What one arm said about an item: its place in that arm's list (1 is best; 0 when looked up, not found), the
    arm's own score, and how much evidence that made."""

    rank: int
    score: float
    evidence: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallStep:
    """One edge walked by the cascade."""

    source: str
    kind: str
    target: str
    carried: float  # share of the first item's strength that arrived


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How a result came to its place. `evidence` is the sum of the arms and boosts, in log-odds."""

    arms: Mapping[str, ArmFound]
    boosts: Mapping[str, float]
    path: tuple[RecallStep, ...] = ()
    evidence: float = 0.0
    reranked_from: int | None = None  # its place before the cross-encoder read it


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One recalled item. `score` is its strength, 0 to 1; `reasons` are short sentences for people."""

    id: str
    kind: ItemKind
    content: str
    score: float
    reasons: tuple[str, ...]
    category: Category | None  # memories only
    scope: Scope
    created_at: datetime
    session_id: str | None
    message_ids: tuple[str, ...]
    speaker: str
    tainted: bool = False  # outside text shaped it: a quotation, not to be taken at its word
    explanation: Explanation

    @property
    def fits(self) -> bool:
        """Whether there is enough evidence that it answers what was asked."""
        return self.explanation.evidence >= FITTING_EVIDENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """An item that was a candidate and is not in the results."""

    id: str
    why: str


class Part(StrEnum):
    """A part of recall that needs a model."""

    VECTOR = "vector"
    RERANK = "rerank"


class Cause(StrEnum):
    """Why a part could not take part."""

    OFF = "off"
    NO_MODEL = "no_model"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingPart:
    """A part of recall that could not take part, and why."""

    part: Part
    cause: Cause
    detail: str = ""  # the failure, for people

    @property
    def sentence(self) -> str:
        what = "searched by words alone" if self.part is Part.VECTOR else "not read again by the cross-encoder"
        model = "embedding model" if self.part is Part.VECTOR else "reranking model"
        if self.cause is not Cause.FAILED:
            return f"{what}: " + (f"there is no {model}" if self.cause is Cause.NO_MODEL else "switched off")
        return f"{what}: {self.detail or f'the {model} cannot be used now'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """The answer. Equal for equal gardens and requests; the time it took does not count."""

    query: str
    results: tuple[Result, ...]
    cut: tuple[Cut, ...] = ()
    took_ms: float = field(default=0.0, compare=False)
    missing: tuple[MissingPart, ...] = ()  # what could not take part

    @property
    def fits(self) -> bool:
        """Whether anything fits well. Otherwise the results are only the nearest there is."""
        return any(result.fits for result in self.results)
