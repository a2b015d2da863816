"""Fits how a new statement is judged among its neighbours: `python -m train.among [--also WRITER ...]`, a few minutes.
Prints the weights of `remember/among.py`, and how well others' weights do on each writer.

Sessions and notebooks of the validating writers are told in order, in the words that the product would note down; each
statement is held against the six nearest that still hold. `--also` adds writers whom the network has not learned from
yet.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from bench.judgement.__main__ import find_embedder

from nightgarden.domain.classify import Classifier
from nightgarden.domain.ports import Embedder
from nightgarden.models.models_of_settings import load_classifier
from nightgarden.remember.among import NEIGHBOURS_MIN, KnownStatement, features
from nightgarden.remember.compare.guards import signs
from nightgarden.remember.extract.rewrite import stand_alone
from nightgarden.remember.judge import SCORED_MAX, relate
from nightgarden.remember.language import lexicon_of
from nightgarden.remember.relations import AMONG_ENDS_MIN, AMONG_SAME_MIN, PairEvidence
from train.corpus import Corpus, Row, load
from train.occasions import fit_logistic

PENALTY = 2.0
QUESTIONS = {"changes": AMONG_ENDS_MIN, "same": AMONG_SAME_MIN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One statement of a history or a notebook, as the product would note it."""

    writer: str
    number: object
    text: str
    news: float
    relation: str = ""  # to the earlier one `of`
    of: object = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One neighbour of one statement."""

    writer: str
    statement: tuple[str, object]
    values: dict[str, list[float]]  # by question
    relation: str  # to this neighbour; empty for a stranger


def told_in_sessions(corpus: Corpus, classifier: Classifier) -> Iterator[tuple[str, list[Told]]]:
    """Each history's statements in the words of its messages."""
    for book, rows in corpus.histories.items():
        found, before = [], ""
        for row in rows:
            if row["r"] != "u":
                before = row["t"]
                continue
            words = classifier.read_message(row["t"], previous=before).words if row.get("keep") else ()
            for kept in row.get("keep", ()):
                said, start = kept["from"], row["t"].find(kept["from"])
                inside = (word.change for word in words if word.start < start + len(said) and word.end > start)
                text = stand_alone(said, lexicon_of(said)) or said
                found.append(_told(row["w"], kept["id"], text, max(inside, default=0.0), kept))
            before = ""
        yield book, found


def told_in_notebooks(corpus: Corpus, classifier: Classifier) -> Iterator[tuple[str, list[Told]]]:
    """Each notebook's statements as they stand."""
    for book, rows in corpus.told.items():
        if book.endswith("/history"):
            continue
        found = []
        for row in rows:
            words = classifier.read_message(row["text"], previous="").words
            news = max((word.change for word in words), default=0.0)
            found.append(_told(row["w"], row["n"], row["text"], news, row))
        yield book, found


def _told(writer: str, number: object, text: str, news: float, row: Row) -> Told:
    return Told(writer=writer, number=number, text=text, news=news, relation=row.get("rel", ""), of=row.get("of"))


def examples_of(book: str, told: Sequence[Told], embedder: Embedder, network: Classifier) -> Iterator[Example]:
    """Each statement with the nearest that hold when it is told."""
    vectors = dict(zip((each.number for each in told), embedder.embed([each.text for each in told]), strict=True))
    live: dict[object, str] = {}
    for each in told:
        new = vectors[each.number]
        near = sorted(live, key=lambda number: -float(vectors[number] @ new))[:SCORED_MAX]
        if len(near) >= NEIGHBOURS_MIN:
            scored = network.relate_to(each.text, [live[number] for number in near])
            by_vectors = network.compare_vectors(embedder.model.name, new, [vectors[number] for number in near])
            known = []
            for at, number in enumerate(near):
                cosine = embedder.model.nearness(float(vectors[number] @ new))
                ruled = relate(live[number], each.text, cosine=cosine)
                evidence = PairEvidence(
                    scores=scored[at],
                    cosine=cosine,
                    by_vectors=by_vectors[at] if by_vectors else None,
                    signs=signs(live[number], each.text),
                )
                likely = evidence.likelihood(ruled.relation)
                assert likely is not None
                known.append(KnownStatement(cosine=cosine, likelihood=likely, scores=scored[at]))
            for at, number in enumerate(near):
                values = {question: [1.0, *features(known, at, each.news, question)] for question in QUESTIONS}
                relation = each.relation if each.of == number else ""
                yield Example(writer=each.writer, statement=(book, each.number), values=values, relation=relation)
        if each.relation == "changes":
            live.pop(each.of, None)
        if each.relation != "same":
            live[each.number] = each.text


def main() -> None:
    """Reads, fits, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--also", nargs="*", default=(), help="writers whom the network has not learned from")
    chosen = parser.parse_args()
    embedder, network = find_embedder(None), load_classifier(())
    assert embedder is not None
    assert network is not None
    found: list[Example] = []
    for corpus in (load("validate"), *((load(only=set(chosen.also)),) if chosen.also else ())):
        for book, told in (*told_in_sessions(corpus, network), *told_in_notebooks(corpus, network)):
            found += examples_of(book, told, embedder, network)
            print(book, len(found), flush=True)
    writers = np.array([each.writer for each in found])
    for question, least in QUESTIONS.items():
        x = np.array([each.values[question] for each in found])
        y = np.array([each.relation == question for each in found], dtype=float)
        held_out = np.zeros(len(found))
        for writer in sorted(set(writers)):
            weights = fit_logistic(x[writers != writer], y[writers != writer], penalty=PENALTY)
            held_out[writers == writer] = 1 / (1 + np.exp(-x[writers == writer] @ weights))
        by_statement: dict[tuple[str, object], list[int]] = defaultdict(list)
        for number, each in enumerate(found):
            by_statement[each.statement].append(number)
        best = [max(numbers, key=lambda number: held_out[number]) for numbers in by_statement.values()]
        acted = [number for number in best if held_out[number] >= least]
        right = sum(int(y[number]) for number in acted)
        print(question, f"{right} of {int(y.sum())} found at {least}, {len(acted) - right} wrong; weights of others")
        print(question, np.round(fit_logistic(x, y, penalty=PENALTY), 3).tolist())


if __name__ == "__main__":
    main()
