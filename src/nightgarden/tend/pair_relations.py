"""How two memories relate, each pair read once in a run. The older is taken as the one known before."""

from __future__ import annotations

from nightgarden.domain.memory import Memory
from nightgarden.remember.compare import Comparison, compare


class Relations:
    """Comparisons of pairs, kept while a run lasts. They depend on the two texts and the cosine only."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], Comparison] = {}

    def between(self, one: Memory, other: Memory, cosine: float | None) -> Comparison:
        older, newer = in_order(one, other)
        key = (older.id, newer.id)
        if (found := self._known.get(key)) is None:
            found = self._known[key] = compare(older.content, newer.content, cosine=cosine)
        return found


def in_order(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    """The older first; the smaller id of two that came at once."""
    return (one, other) if (one.created_at, one.id) <= (other.created_at, other.id) else (other, one)
