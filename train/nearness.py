"""Which memories of a garden are hardest to tell from those that help with a turn: the nearest by meaning, and those
that the occasion brings up. The network is asked about such memories alone, so it learns from them."""

from __future__ import annotations

import numpy as np

from nightgarden.domain.ports import Embedder
from nightgarden.models.occasions import Occasions
from nightgarden.recall.query import focus
from train.corpus import Corpus


def rank_memories(corpus: Corpus, embedder: Embedder) -> None:
    """Fills `corpus.nearest`."""
    occasions = Occasions()
    for writer, garden in corpus.gardens.items():
        numbers = list(garden)
        memories = embedder.embed([garden[number]["text"] for number in numbers])
        for row in (each for each in corpus.turns if each["w"] == writer):
            turn = embedder.embed_query(focus(row["turn"])[0])
            turned = occasions.turn(embedder.model.name, turn)
            orders = [np.argsort(-(memories @ vector)) for vector in (turn, turned) if vector is not None]
            best = {numbers[at]: rank for order in reversed(orders) for rank, at in enumerate(order.tolist())}
            for order in orders:
                for rank, at in enumerate(order.tolist()):
                    best[numbers[at]] = min(best[numbers[at]], rank)
            corpus.nearest[writer, row["turn"]] = sorted(best, key=lambda number: (best[number], number))
