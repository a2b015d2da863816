"""Which memories of a garden are hardest to tell from those that help with a turn: the nearest by meaning, and those
that the occasion brings up. The network is asked about such memories alone, so it learns from them."""

from __future__ import annotations

import numpy as np

from nightgarden.domain.ports import Embedder
from nightgarden.models.occasions import Occasions
from nightgarden.recall.query import focus
from train.corpus import Corpus


def rank_memories(corpus: Corpus, embedder: Embedder) -> None:
    """Fills `corpus.vectors`, and `corpus.nearest` for the turns that are not in it."""
    occasions = Occasions()
    for writer, garden in corpus.gardens.items():
        turns = [row["turn"] for row in corpus.turns if row["w"] == writer]
        numbers = list(garden)
        if not (new := [turn for turn in turns if (writer, turn) not in corpus.nearest]):
            continue
        memories = embedder.embed([garden[number]["text"] for number in numbers])
        corpus.vectors[writer] = np.asarray(memories, dtype=np.float32)
        for said in new:
            turn = embedder.embed_query(focus(said)[0])
            turned = occasions.turn(embedder.model.name, turn)
            products = [memories @ vector for vector in (turn, turned) if vector is not None]
            ranks = np.min([np.argsort(np.argsort(-each)) for each in products], axis=0)
            corpus.nearest[writer, said] = [numbers[at] for at in np.lexsort((numbers, ranks)).tolist()]
