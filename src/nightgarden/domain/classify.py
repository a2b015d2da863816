"""Graded judgements about texts, and the port of who makes them. Values only; what follows from a score is policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from nightgarden.domain.memory import Category
from nightgarden.domain.ports import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationScores:
    """How likely a newer statement is each of these to an older one. They sum to one."""

    same: float
    changes: float  # makes the older one outdated
    narrows: float  # a special case or more detail; the older one stands
    excepts: float  # an exception; the older one stays the rule
    compatible: float  # about the same thing, both true side by side
    unrelated: float
    deep: bool = False  # which of the two networks says so; what their odds mean differs


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorScores:
    """What the vectors of two statements say of the two, as log-odds."""

    same: float
    changes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening:
    """Whether a text may be stored as a memory: a statement, a credential, or nothing worth keeping."""

    secret: float
    junk: float
    spans: tuple[tuple[int, int, float], ...]  # start, end and score of each word that may be part of a credential
    deep: bool = False  # whether the deep network read it


@dataclass(frozen=True, slots=True, kw_only=True)
class WordScores:
    """What one word of a user's message is part of."""

    start: int
    end: int
    keep: float  # a lasting statement
    personal: float  # about the person, so it holds everywhere
    change: float  # told as a change
    categories: tuple[float, ...]  # in the order of CATEGORIES


CATEGORIES = (
    Category.FACT,
    Category.PREFERENCE,
    Category.DECISION,
    Category.CONVENTION,
    Category.CORRECTION,
    Category.NEGATIVE,
    Category.GOTCHA,
    Category.PROCEDURE,
    Category.ENTITY,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageScores:
    """A user's message, read for what is worth keeping."""

    keeps: float  # anything at all
    words: tuple[WordScores, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReading:
    """A turn, read for what would help with it: held against the vector of a memory, `vector` says how much the memory
    matters, and `nothing` how much it takes to matter more than none at all."""

    model_name: str  # of the embedding model whose vectors it is held against
    vector: Vector
    nothing: float


class Classifier(Protocol):
    """A small network that judges texts. Calls block for some milliseconds and may come from several threads."""

    @property
    def deep(self) -> bool:
        """Whether it reads well enough to bring a memory up at a turn, not only to keep one back."""
        ...

    def relate_to(self, newer: str, older: Sequence[str]) -> list[RelationScores]:
        """How one new statement relates to each of several known ones."""
        ...

    def compare_vectors(self, model_name: str, newer: Vector, older: Sequence[Vector]) -> list[VectorScores] | None:
        """The same, from the vectors that an embedding model made of them; None for a model that it does not know."""
        ...

    def chatter(self, model_name: str, vector: Vector) -> float | None:
        """Whether a text is chatter, from the vector that an embedding model made of it, as log-odds; None for a model
        that it does not know."""
        ...

    def screen(self, text: str) -> Screening: ...

    def read_message(self, text: str, *, previous: str) -> MessageScores:
        """`previous` is what the assistant said just before; empty when nothing."""
        ...

    def read_turn(self, turn: str) -> TurnReading | None:
        """What would help with what the user just said; None where it cannot be told."""
        ...

    def helps(self, turn: str, memories: Sequence[str]) -> list[float]:
        """How likely each memory helps with what the user just said."""
        ...
