"""What anybody can build in an hour, measured on the same turns and questions in the same run.

Each baseline scores every passage of one garden, and the best passage counts for its message: FTS5 with its own porter
stemmer and BM25 (speaker and date in the text, stop words out of the query), cosine of the same embedding model, and
the two fused.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

import numpy as np

from bench.recall.locomo import Conversation, Question
from bench.recall.metrics import Judged
from nightgarden.domain.ports import Embedder, Vector
from nightgarden.domain.searchable import meaning_text, word_text
from nightgarden.domain.text import STOP_WORDS
from nightgarden.sessions.passages import cut_passages

RRF_OFFSET = 60
TEXT_SHARE = 0.7  # of the z-score fusion, as in the figures everybody quotes
NEIGHBOUR_SHARE = 0.5
DEPTH = 20


class Turns:
    """The turns of one garden, with both indexes."""

    def __init__(self, conversations: Sequence[Conversation], embedder: Embedder) -> None:
        said = [
            passage
            for conversation in conversations
            for session in conversation.sessions
            for passage in cut_passages(session)
        ]
        self.ids = [passage.message_ids[0] for passage in said]
        self.sessions = np.array([hash(passage.session_id) for passage in said])
        self._embedder = embedder
        self._vectors = embedder.embed([meaning_text(passage) for passage in said])
        self._db = sqlite3.connect(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE turn USING fts5 (text, tokenize = 'porter unicode61')")
        self._db.executemany("INSERT INTO turn (text) VALUES (?)", ((word_text(passage),) for passage in said))

    def text_scores(self, question: str) -> Vector:
        words = [word for word in re.findall(r"\w+", question.lower()) if word not in STOP_WORDS]
        scores = np.zeros(len(self.ids), np.float32)
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        if match:
            for number, score in self._db.execute("SELECT rowid, bm25(turn) FROM turn WHERE turn MATCH ?", (match,)):
                scores[number - 1] = -score
        return scores

    def cosines(self, question: str) -> Vector:
        cosines: Vector = np.einsum("ik,k->i", self._vectors, self._embedder.embed_query(question))
        return cosines


Score = Callable[[Turns, Vector, Vector], Vector]


def _standard(scores: Vector) -> Vector:
    spread: Vector = (scores - scores.mean()) / (scores.std() or 1.0)
    return spread


def _ranks(scores: Vector) -> Vector:
    return np.argsort(np.argsort(-scores, kind="stable"), kind="stable").astype(np.float32) + 1.0


def _fused(turns: Turns, text: Vector, cosines: Vector) -> Vector:
    return TEXT_SHARE * _standard(text) + _standard(cosines)


def _by_ranks(turns: Turns, text: Vector, cosines: Vector) -> Vector:
    found = np.where(text > 0, 1.0 / (RRF_OFFSET + _ranks(text)), 0.0)
    scores: Vector = (found + 1.0 / (RRF_OFFSET + _ranks(cosines))).astype(np.float32)
    return scores


def _with_neighbours(turns: Turns, text: Vector, cosines: Vector) -> Vector:
    scores = _fused(turns, text, cosines)
    same = turns.sessions[1:] == turns.sessions[:-1]
    before = np.concatenate(([-np.inf], np.where(same, scores[:-1], -np.inf)))
    after = np.concatenate((np.where(same, scores[1:], -np.inf), [-np.inf]))
    best = np.maximum(before, after)
    return (scores + NEIGHBOUR_SHARE * np.where(np.isfinite(best), best, 0.0)).astype(np.float32)


BASELINES: dict[str, Score] = {
    "FTS5 porter": lambda turns, text, cosines: text,
    "cosine": lambda turns, text, cosines: cosines,
    "both by RRF": _by_ranks,
    "both by z-scores": _fused,
    "z-scores and half the better neighbour": _with_neighbours,
}


def answer(turns: Turns, questions: Sequence[Question]) -> dict[str, list[Judged]]:
    """Every baseline's answers."""
    answers: dict[str, list[Judged]] = {name: [] for name in BASELINES}
    for question in questions:
        text, cosines = turns.text_scores(question.text), turns.cosines(question.text)
        for name, score in BASELINES.items():
            ranked = tuple(_best(turns, score(turns, text, cosines)))
            answers[name].append(Judged(category=question.category, wanted=question.wanted, ranked=ranked))
    return answers


def _best(turns: Turns, scores: Vector) -> Iterator[str]:
    ranked = dict.fromkeys(turns.ids[int(place)] for place in np.argsort(-scores, kind="stable"))
    return islice(ranked, DEPTH)
