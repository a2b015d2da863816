"""Fits which clauses of a sentence belong to what it has to say: `python -m train.clauses`, some minutes. Prints the
weights of `remember/extract/clauses.py`, and how well those of other writers do on each sixth of the writers.

Sentences of the validating writers that say something to keep and have several clauses; a clause belongs to it if most
of its words were marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nightgarden.domain.classify import Classifier
from nightgarden.models.models_of_settings import load_classifier
from nightgarden.remember.extract.clauses import BELONGS_MIN, Span, clause_spans, features
from nightgarden.remember.extract.spans import sentence_spans
from train.corpus import Corpus, Row, load
from train.evaluate_scores import auc
from train.occasions import fit_logistic

PENALTY = 2.0
FOLDS = 6
MARKED_MIN, MARKED_MAX = 0.75, 0.25  # of a clause's words; what lies between is left out


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseExample:
    """One clause of a sentence that says something to keep."""

    writer: str
    values: list[float]
    belongs: bool


def clause_examples(corpus: Corpus, classifier: Classifier) -> Iterator[ClauseExample]:
    for row in corpus.messages:
        if row["keep"]:
            yield from _of_message(row, classifier)


def _of_message(row: Row, classifier: Classifier) -> Iterator[ClauseExample]:
    text = row["text"]
    marked = [(start, start + len(kept["from"])) for kept in row["keep"] if (start := text.find(kept["from"])) >= 0]
    words = classifier.read_message(text, previous=row["prev"]).words
    for start, end in sentence_spans(text):
        clauses = list(clause_spans(text, start, end))
        if len(clauses) < 2 or not _shared((start, end), marked):
            continue
        inside = [word for word in words if word.start < end and word.end > start]
        for clause, values in zip(clauses, features(text, inside, clauses), strict=True):
            mine = [(word.start, word.end) for word in inside if word.start < clause[1] and word.end > clause[0]]
            share = sum(_shared(word, marked) for word in mine) / len(mine) if mine else 0.5
            if not MARKED_MAX < share < MARKED_MIN:
                yield ClauseExample(writer=row["w"], values=values, belongs=share > 0.5)


def _shared(span: Span, others: Sequence[Span]) -> bool:
    return any(start < span[1] and end > span[0] for start, end in others)


def main() -> None:
    found = list(clause_examples(load("validate"), load_classifier(())))
    rows = np.array([[1.0, *each.values] for each in found])
    truth = np.array([each.belongs for each in found])
    names = sorted({each.writer for each in found})
    scores = np.zeros(len(found))
    for fold in range(FOLDS):
        out = np.array([names.index(each.writer) % FOLDS == fold for each in found])
        weights = fit_logistic(rows[~out], truth[~out].astype(float), penalty=PENALTY)
        scores[out] = 1 / (1 + np.exp(-rows[out] @ weights))
    said = scores >= BELONGS_MIN
    print(f"{len(found)} clauses, {truth.mean():.3f} belong; area {auc(scores, truth):.3f}")
    print(f"right {(said == truth).mean():.3f}, kept {said[truth].mean():.3f}, left out {(~said[~truth]).mean():.3f}")
    weights = fit_logistic(rows, truth.astype(float), penalty=PENALTY)
    print("WEIGHTS =", tuple(round(float(weight), 3) for weight in weights))


if __name__ == "__main__":
    main()
