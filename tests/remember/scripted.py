"""A classifier that says what a test wants: a function per question, no network."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from nightgarden.domain.classify import (
    CATEGORIES,
    MessageScores,
    RelationScores,
    Screening,
    TurnReading,
    VectorScores,
    WordScores,
)
from nightgarden.domain.memory import Category
from nightgarden.domain.ports import Vector


class Scripted:
    """Every answer is given by the test; what it does not give is harmless."""

    def __init__(  # noqa: PLR0913 - one for each question
        self,
        *,
        keep: Callable[[str], bool] = lambda word: False,
        weak: bool = False,  # what is kept is too weak to be kept for itself
        change: float = 0.0,
        category: Category = Category.FACT,
        personal: float = 0.0,
        relation: RelationScores | None = None,
        secret: float = 0.0,
        secret_words: Sequence[str] = (),
        junk: float = 0.0,
        helps: Callable[[str, str], float] = lambda turn, memory: 0.0,
        turn: TurnReading | None = None,
        deep: bool = False,
    ) -> None:
        self._keep, self._category, self._personal = keep, category, personal
        self._score, self._change = 0.4 if weak else 0.95, change
        self._relation, self._secret, self._secret_words, self._junk = relation, secret, secret_words, junk
        self._helps, self._turn = helps, turn
        self.deep = deep

    def relate_to(self, newer: str, older: Sequence[str]) -> list[RelationScores]:
        return [self._relation or scores(unrelated=1.0) for _ in older]

    def compare_vectors(self, model_name: str, newer: Vector, older: Sequence[Vector]) -> list[VectorScores] | None:
        return None

    def chatter(self, model_name: str, vector: Vector) -> float | None:
        return None

    def screen(self, text: str) -> Screening:
        spans = tuple(
            (text.index(word), text.index(word) + len(word), 0.9 if word in self._secret_words else 0.0)
            for word in text.split()
        )
        return Screening(secret=self._secret, junk=self._junk, spans=spans)

    def read_message(self, text: str, *, previous: str) -> MessageScores:
        words, at = [], 0
        for word in text.split():
            start = text.index(word, at)
            at = start + len(word)
            kept = self._score if self._keep(word.strip(".,")) else 0.05
            shares = tuple(1.0 if each is self._category else 0.0 for each in CATEGORIES)
            words.append(
                WordScores(
                    start=start, end=at, keep=kept, personal=self._personal, change=self._change, categories=shares
                )
            )
        return MessageScores(keeps=max((word.keep for word in words), default=0.0), words=tuple(words))

    def read_turn(self, turn: str) -> TurnReading | None:
        return self._turn

    def helps(self, turn: str, memories: Sequence[str]) -> list[float]:
        return [self._helps(turn, memory) for memory in memories]


def scores(**given: float) -> RelationScores:
    """Scores with those given; the rest of one is shared by the others."""
    names = ("same", "changes", "narrows", "excepts", "compatible", "unrelated")
    rest = (1.0 - sum(given.values())) / max(1, len(names) - len(given))
    return RelationScores(**{name: given.get(name, rest) for name in names}, deep=False)
