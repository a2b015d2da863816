"""Which of the results that recall found are shown at a turn. Holds the models that have a say in it.

Memories are chosen by what was learned about occasions, where the vectors for it are at hand; passages, and everything
where they are not, by the rule of worth. The classifier takes out what it is sure does not help.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from nightgarden.domain.classify import Classifier, TurnReading
from nightgarden.domain.memory import Scope
from nightgarden.domain.ports import Embedder, Store, Vector, View
from nightgarden.recall.activities import activity_of, meant_for
from nightgarden.recall.helpful import helpful, read_with_turn, shares_of_turn
from nightgarden.recall.options import Turned
from nightgarden.recall.query import focus
from nightgarden.recall.result import Result
from nightgarden.recall.result_judge import Judge
from nightgarden.recall.showing import fired, helping, likelihoods, looked_at
from nightgarden.recall.unasked import count_items
from nightgarden.recall.worth import JUDGE, JUDGES, MULTILINGUAL_JUDGE, floor, worth_judging, worth_showing

if TYPE_CHECKING:  # numpy: 60 ms that a start without turns does without
    from nightgarden.models.occasions import Occasions

COUNTED_FOR = timedelta(minutes=10)
ACTIVITY_CANDIDATES = 24  # memories looked at for what a short turn is about to do


class Chooser:
    """Chooses for one garden."""

    def __init__(
        self,
        store: Store,
        *,
        judge: Judge | None = None,
        classifier: Callable[[], Awaitable[Classifier | None]] | None = None,
        occasions: Callable[[], Awaitable[Occasions | None]] | None = None,
    ) -> None:
        self._store = store
        self._judge = judge
        self._classifier = classifier
        self._occasions = occasions
        self._counted: tuple[datetime, int] | None = None

    async def read_turn(self, text: str) -> TurnReading | None:
        """The turn as the classifier reads it alone, where it can."""
        classifier = await self._classifier() if self._classifier is not None else None
        return None if classifier is None else await asyncio.to_thread(classifier.read_turn, focus(text)[0])

    async def turned(self, reading: TurnReading | None) -> Turned | None:
        """By what recall searches a second time for what matters at a turn: the turn as it was read, or else by the
        occasion."""
        occasions = await self._occasions() if self._occasions is not None else None
        by_occasion = None if occasions is None else occasions.turn
        if reading is None:
            return by_occasion

        def turn(model_name: str, vector: Vector) -> Vector | None:
            if model_name == reading.model_name:
                return reading.vector / max(float((reading.vector @ reading.vector) ** 0.5), 1e-9)
            return None if by_occasion is None else by_occasion(model_name, vector)

        return turn

    async def read(self, text: str, embedder: Embedder | None) -> Vector | None:
        """The prompt as the judge sees it, where there is a judge besides the ranking model."""
        if self._judge is None or embedder is None or embedder.model.name in JUDGES:
            return None
        return await self._judge.read(focus(text)[0])

    async def meant(self, text: str, scopes: Sequence[Scope], now: datetime) -> list[str]:
        """Rules and wishes for what a short turn asks to be done."""
        activity = activity_of(text)
        if activity is None:
            return []
        view = View(now=now, scopes=tuple(scopes), kinds=("memory",))
        hits = await self._store.search_text(activity.terms, view, limit=ACTIVITY_CANDIDATES)
        return [memory.id for memory in meant_for(activity, await self._store.memories([hit.id for hit in hits]))]

    async def choose(
        self,
        text: str,
        results: Sequence[Result],
        *,
        vector: Vector | None,
        judged: Vector | None,
        model: tuple[str, str] | None,
        now: datetime,
        reading: TurnReading | None = None,
    ) -> list[Result]:
        """The results to show, best first. `vector` is the prompt's by the ranking model, whose id and name are
        `model`; `judged` the prompt's by the judge, where that is another one; `reading` the turn as the classifier
        reads it."""
        items = await self._items(now)
        classifier = await self._classifier() if self._classifier is not None else None
        likely = await self._likely(text, results, vector=vector, judged=judged, model=model, items=items)
        reader = classifier if classifier is not None and classifier.deep else None
        memories: list[Result] | None = None
        if likely is not None:
            by_turn = await self._by_turn(results, likely, reading, model)
            memories = await self._helping(text, results, likely, reader, by_turn)
        others = results if memories is None else [each for each in results if each.kind == "passage" or fired(each)]
        worth = await self._worth(text, others, judged, None if model is None else model[1], items)
        first = [each for each in worth if fired(each)]
        chosen = [*first, *(memories or ()), *(each for each in worth if not fired(each))]
        if classifier is None:
            return chosen
        read = memories if memories and reader is not None else []
        left = await asyncio.to_thread(helpful, text, [each for each in chosen if each not in read], classifier)
        return [each for each in chosen if each in read or each in left]

    async def _by_turn(
        self,
        results: Sequence[Result],
        likely: Mapping[str, float],
        reading: TurnReading | None,
        model: tuple[str, str] | None,
    ) -> dict[str, float] | None:
        """What the turn read alone says of each memory that was looked at; None where its vectors are not at hand."""
        if reading is None or model is None or model[1] != reading.model_name:
            return None
        vectors = await self._store.vectors(model[0], [each.id for each in results if each.id in likely])
        return shares_of_turn(reading, vectors)

    async def _helping(
        self,
        text: str,
        results: Sequence[Result],
        likely: dict[str, float],
        reader: Classifier | None,
        by_turn: dict[str, float] | None,
    ) -> list[Result]:
        """The memories that help: by occasion and, where there is one, by a classifier that reads well enough."""
        seen = [each for each in results if each.id in likely]
        if reader is not None and seen:
            likely = await asyncio.to_thread(read_with_turn, text, seen, likely, reader, by_turn=by_turn)
        return helping(seen, likely)

    async def _likely(
        self,
        text: str,
        results: Sequence[Result],
        *,
        vector: Vector | None,
        judged: Vector | None,
        model: tuple[str, str] | None,
        items: int,
    ) -> dict[str, float] | None:
        """How likely each memory that was looked at helps, by occasion; None when that cannot be told."""
        occasions = await self._occasions() if self._occasions is not None else None
        judge = model[1] if model is not None and model[1] in JUDGES else JUDGE
        by_judge = model is not None and model[1] == judge
        asked = vector if by_judge else judged
        if occasions is None or occasions.judge != judge or asked is None or model is None:
            return None
        look = looked_at(results)
        vectors = await self._vectors(look, model[0] if by_judge else None)
        if vectors is None:
            return None if look else {}
        seen = [each for each in look if each.id in vectors]
        if not seen:
            return {}
        import numpy as np  # here already, by the vectors

        occasion = occasions.read(asked, np.stack([vectors[each.id] for each in seen]))
        return likelihoods(
            text,
            seen,
            occasion,
            by_judge=by_judge,
            weights=occasions.weights,
            items=items,
            english=judge != MULTILINGUAL_JUDGE,
        )

    async def _vectors(self, results: Sequence[Result], model_id: str | None) -> dict[str, Vector] | None:
        """The judge's vectors: stored ones where it ranks as well, else made now."""
        if model_id is not None:
            return await self._store.vectors(model_id, [each.id for each in results])
        return None if self._judge is None else await self._judge.vectors(results)

    async def _worth(
        self, text: str, results: Sequence[Result], judged: Vector | None, model_name: str | None, items: int
    ) -> list[Result]:
        """The rule of worth; when another model than the judge ranked, the judge looks at the few near the floor."""
        needed = floor(text, model_name=model_name, items=items)
        if self._judge is None or model_name in (None, *JUDGES):
            return worth_showing(results, needed)
        cosines = await self._judge.cosines(judged, worth_judging(results, needed))
        if cosines is None:
            return worth_showing(results, needed)
        return worth_showing(results, floor(text, model_name=JUDGE, items=items), cosines)

    async def _items(self, now: datetime) -> int:
        """How much there is to find. Counted anew every few minutes: only its size matters."""
        if self._counted is None or now - self._counted[0] > COUNTED_FOR:
            self._counted = (now, count_items(await self._store.counts()))
        return self._counted[1]
