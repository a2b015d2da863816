"""Fits how a new statement is judged among its neighbours: `python -m train.among [--also WRITER ...]`, a few minutes.
Prints the weights of `remember/among.py`, and how well others' weights do on each writer.

What the product noted of the validating writers' sessions (`python -m train.noted`) and their notebooks are told in
order; each statement is held against the six nearest that still hold. `--also` adds writers whom the network has not
learned from yet.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from bench.judgement.__main__ import find_embedder

from nightgarden.domain.classify import Classifier
from nightgarden.domain.ports import Embedder
from nightgarden.models.models_of_settings import load_classifier
from nightgarden.remember.among import NEIGHBOURS_MIN, KnownStatement, features
from nightgarden.remember.compare.guards import signs
from nightgarden.remember.pair_reading import SCORED_MAX
from nightgarden.remember.relations import AMONG_ENDS_MIN, AMONG_SAME_MIN, PairEvidence
from train.as_noted import related
from train.corpus import Corpus, load
from train.noted import OUT as NOTED
from train.noted import read_notes
from train.occasions import fit_logistic

PENALTY = 2.0
QUESTIONS = {"changes": AMONG_ENDS_MIN, "same": AMONG_SAME_MIN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One note of a history, or one statement of a notebook."""

    writer: str
    number: object
    text: str
    news: float
    relations: Mapping[object, str]  # to earlier ones, by their number
    meant: bool = True  # whether its writer meant it to be kept; what was not is known, and is not asked about


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One neighbour of one statement."""

    writer: str
    statement: tuple[str, object]
    values: dict[str, list[float]]  # by question
    relation: str  # to this neighbour; empty for a stranger


def told_in_sessions(corpus: Corpus) -> Iterator[tuple[str, list[Told]]]:
    """What was noted of each history."""
    for book, notes in corpus.notes.items():
        told = corpus.told[f"{book}/history"]
        groups = related(told)
        found: list[Told] = []
        for number, note in enumerate(notes):
            relations: dict[object, str] = {
                older: rel
                for older, before in enumerate(notes[:number])
                for rel, ids in (groups[each] for each in note["says"] if each in groups)
                if ids & set(before["says"]) and not set(before["says"]) & set(note["says"])
            }
            found.append(
                Told(
                    writer=told[0]["w"],
                    number=number,
                    text=note["text"],
                    news=note["news"],
                    relations=relations,
                    meant=bool(note["says"]),
                )
            )
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
            relations = {row["of"]: row["rel"]} if "rel" in row else {}
            found.append(Told(writer=row["w"], number=row["n"], text=row["text"], news=news, relations=relations))
        yield book, found


def examples_of(book: str, told: Sequence[Told], embedder: Embedder, network: Classifier) -> Iterator[Example]:
    """Each statement with the nearest that hold when it is told."""
    vectors = dict(zip((each.number for each in told), embedder.embed([each.text for each in told]), strict=True))
    live: dict[object, str] = {}
    for each in told:
        new = vectors[each.number]
        near = sorted(live, key=lambda number: -float(vectors[number] @ new))[:SCORED_MAX]
        if each.meant and len(near) >= NEIGHBOURS_MIN:
            scored = network.relate_to(each.text, [live[number] for number in near])
            by_vectors = network.compare_vectors(embedder.model.name, new, [vectors[number] for number in near])
            known: dict[object, KnownStatement] = {}
            for at, number in enumerate(near):
                cosine = embedder.model.nearness(float(vectors[number] @ new))
                evidence = PairEvidence(
                    scores=scored[at],
                    cosine=cosine,
                    by_vectors=by_vectors[at] if by_vectors else None,
                    signs=signs(live[number], each.text),
                )
                likely = evidence.likelihood
                if likely is not None:  # None in letters that no network has learned
                    known[number] = KnownStatement(cosine=cosine, likelihood=likely, scores=scored[at])
            there = list(known.values())
            for at, number in enumerate(known if len(there) >= NEIGHBOURS_MIN else ()):
                values = {question: [1.0, *features(there, at, each.news, question)] for question in QUESTIONS}
                relation = each.relations.get(number, "")
                yield Example(writer=each.writer, statement=(book, each.number), values=values, relation=relation)
        for number, relation in each.relations.items():
            if relation == "changes":
                live.pop(number, None)
        if "same" not in each.relations.values():
            live[each.number] = each.text


def main() -> None:
    """Reads, fits, prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--noted", type=Path, default=NOTED, help="what `python -m train.noted` wrote")
    parser.add_argument("--also", nargs="*", default=(), help="writers whom the network has not learned from")
    chosen = parser.parse_args()
    embedder, network = find_embedder(None), load_classifier(())
    assert embedder is not None
    assert network is not None
    found: list[Example] = []
    for corpus in (load("validate"), *((load(only=set(chosen.also)),) if chosen.also else ())):
        read_notes(chosen.noted, corpus)
        for book, told in (*told_in_sessions(corpus), *told_in_notebooks(corpus, network)):
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
