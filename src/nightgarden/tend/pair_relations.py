"""How near memories relate: each pair read once in a run, as it would have been read when the newer one was written.

A reading by the classifier takes 15 to 50 ms, so each operation makes so many in a run and no more; what is left waits
for the next one (`due_pairs.py`). Two of whom a contradiction is on record are not read again: they are for evidence, a
mind or the user.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Set

from nightgarden.domain.classify import Classifier
from nightgarden.domain.memory import Memory
from nightgarden.domain.ports import EmbeddingModel
from nightgarden.remember.compare import Comparison
from nightgarden.remember.judge import Judgement, judge
from nightgarden.remember.pair_reading import SCORED_MAX, Neighbour, relate
from nightgarden.tend.meanings import ScopeMeanings

READINGS_MAX = 1_500  # of one of the three operations that ask: together about two minutes


class Relations:
    """Readings of pairs, kept while a run lasts. They depend on the two memories and their vectors only."""

    def __init__(self, classifier: Classifier | None, model: EmbeddingModel | None) -> None:
        self.classifier = classifier
        self._model = model
        self._on_record: Set[frozenset[str]] = frozenset()
        self._left = READINGS_MAX
        self._known: dict[tuple[str, str], Comparison] = {}

    def read_on(self, on_record: Set[frozenset[str]]) -> None:
        """Another operation may read as much as the one before it. `on_record`: as it is now, since merging moves what
        is on record of one to another."""
        self._left, self._on_record = READINGS_MAX, on_record

    def is_on_record(self, one: Memory, other: Memory) -> bool:
        """Whether somebody was asked about the two, when one was written or later, whatever was said."""
        return frozenset((one.id, other.id)) in self._on_record

    async def between(self, one: Memory, other: Memory, scope: ScopeMeanings) -> Comparison | None:
        """The older is taken as the one known before. None when enough was read."""
        older, newer = in_order(one, other)
        key = (older.id, newer.id)
        if key not in self._known:
            if not self._may_read(1):
                return None
            neighbour = self._neighbour(older, newer, scope)
            (reading,) = await asyncio.to_thread(relate, newer, [neighbour], classifier=self.classifier)
            self._known[key] = reading.comparison
        return self._known[key]

    async def judged(
        self, newer: Memory, older: Memory, scope: ScopeMeanings, memories: Mapping[str, Memory]
    ) -> Judgement | None:
        """What would become of the newer one if it were written now, among all that was known before it and lies near:
        a pair alone says less. None when enough was read."""
        await scope.look([newer.id])
        near = [memories[each] for each, _ in scope.neighbours(newer.id) if each in memories and each != older.id]
        before = [known for known in near if in_order(known, newer)[0] is known]
        around = [older, *before[: SCORED_MAX - 1]]
        if not self._may_read(len(around)):
            return None
        neighbours = [self._neighbour(known, newer, scope) for known in around]
        return await asyncio.to_thread(judge, newer, neighbours, classifier=self.classifier)

    def _may_read(self, count: int) -> bool:
        if self.classifier is None:  # exact signs take no time
            return True
        self._left -= count
        return self._left >= 0

    def _neighbour(self, older: Memory, newer: Memory, scope: ScopeMeanings) -> Neighbour:
        one, other = scope.vector(older.id), scope.vector(newer.id)
        if not scope.measured or one is None or other is None or self._model is None:
            return Neighbour(memory=older)
        cosine = self._model.nearness(float(one @ other))
        said = self.classifier.compare_vectors(self._model.name, other, [one]) if self.classifier is not None else None
        return Neighbour(memory=older, cosine=cosine, by_vectors=said[0] if said else None)


def in_order(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    """The older first; the smaller id of two that came at once."""
    return (one, other) if (one.created_at, one.id) <= (other.created_at, other.id) else (other, one)
