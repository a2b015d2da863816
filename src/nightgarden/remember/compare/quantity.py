"""One number of a statement, with what it is a number of."""

from __future__ import annotations

from dataclasses import dataclass

Key = tuple[str, float | str]


@dataclass(frozen=True, slots=True)
class Quantity:
    """Two agree when they have a key in common, or one is what the other accepts."""

    keys: frozenset[Key]
    accepts: frozenset[Key] = frozenset()
    loose: bool = False  # can agree with a number, and is none that could disagree
    counts: str = ""  # the word that follows a bare number

    def agrees(self, other: Quantity) -> bool:
        return bool(self.keys & (other.keys | other.accepts) or self.accepts & other.keys)

    def comparable(self, other: Quantity) -> bool:
        """Whether the two are values of one kind: two times of day, two amounts of money, two numbers of users."""
        kinds = {kind for kind, _ in self.keys} & {kind for kind, _ in other.keys} - {"text"}
        if kinds == {"number"}:
            return not self.counts or not other.counts or self.counts == other.counts
        return bool(kinds)
