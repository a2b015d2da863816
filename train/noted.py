"""What the product notes of the sessions that writers wrote: `python -m train.noted [--part PART ...] [--out FILE]`.

A memory that was read out of a session is seldom the clean statement that its writer had in mind: a question stands
before it, an aside beside it. Pairs are judged on what was noted, so they are learned and fitted on that as well. The
file is made with the networks that are here and is not kept; some ten minutes on two cores.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import groupby
from pathlib import Path

from bench.judgement.measure import belongs_to, says

from nightgarden.domain.classify import Classifier
from nightgarden.domain.memory import Provenance
from nightgarden.domain.session import Message
from nightgarden.models.models_of_settings import load_classifier
from nightgarden.remember.draft import Draft
from nightgarden.remember.extract import extract
from train.corpus import Corpus, Row, load, writers

OUT = Path(".cache") / "noted.jsonl"
ROLES = {"u": "user", "a": "assistant"}
START = datetime(2026, 11, 1, tzinfo=UTC)


def note_history(book: str) -> Row:
    """Of one history: each note in order, with the statements that it says; none for what its writer did not mean."""
    rows = load(only={book.split("/", maxsplit=1)[0]}).histories[book]
    notes: list[Row] = []
    for _, told in groupby(rows, key=lambda row: row["s"]):
        session = list(told)
        gold = [{"say": kept["from"], **kept} for row in session for kept in row.get("keep", ())]
        for draft in _drafts(session, _classifier()):
            meant = [kept for kept in gold if says(draft, kept)] or [kept for kept in gold if belongs_to(draft, kept)]
            ids = [kept["id"] for kept in meant]
            notes.append({"text": draft.content, "news": draft.news or 0.0, "says": ids})
    return {"book": book, "notes": notes}


def _drafts(session: Sequence[Row], classifier: Classifier | None) -> list[Draft]:
    messages = [
        Message(id=str(number), role=ROLES[row["r"]], text=row["t"], at=START + timedelta(minutes=number))
        for number, row in enumerate(session)
    ]
    found = extract(messages, classifier=classifier, tentative=True)
    return [draft for draft in found if draft.provenance is not Provenance.EXTRACTED]


@cache
def _classifier() -> Classifier | None:
    return load_classifier(())


def read_notes(path: Path, corpus: Corpus) -> None:
    """Fills `corpus.notes` for the histories that are in it."""
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if row["book"] in corpus.histories:
            corpus.notes[row["book"]] = row["notes"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", nargs="+", default=("tune", "validate"))
    parser.add_argument("--out", type=Path, default=OUT)
    chosen = parser.parse_args()
    parts = {w: row["part"] for w, row in writers().items()}
    books = [book for book in load().histories if parts[book.split("/", maxsplit=1)[0]] in chosen.part]
    chosen.out.parent.mkdir(parents=True, exist_ok=True)
    with ProcessPoolExecutor(max_workers=2) as pool, chosen.out.open("w", encoding="utf-8") as file:
        for row in pool.map(note_history, books):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            print(row["book"], len(row["notes"]), flush=True)


if __name__ == "__main__":
    main()
