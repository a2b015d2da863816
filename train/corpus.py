"""The labelled data, as values. Reads `bench/data/judgement/`; knows which writers are for what."""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "bench" / "data" / "judgement"
Row = dict[str, Any]


@dataclass(slots=True, kw_only=True)
class Corpus:
    """Rows by kind. A garden is the list of one writer's memories, in whose presence that writer's turns are judged.
    What was told is a year of one person's statements in order, each with its relation to an earlier one, if any; a
    history is what one person and an assistant said to each other, session after session."""

    messages: list[Row] = field(default_factory=list)
    pairs: list[Row] = field(default_factory=list)
    writes: list[Row] = field(default_factory=list)
    turns: list[Row] = field(default_factory=list)
    gardens: dict[str, dict[int, Row]] = field(default_factory=lambda: defaultdict(dict))
    told: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    histories: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))
    nearest: dict[tuple[str, str], list[int]] = field(default_factory=dict)  # by writer and turn, see train/nearness.py
    vectors: dict[str, Any] = field(default_factory=dict)  # of each garden's memories, in their order; the same
    notes: dict[str, list[Row]] = field(default_factory=dict)  # of each history, in their order; see train/noted.py

    def __len__(self) -> int:
        return len(self.messages) + len(self.pairs) + len(self.writes) + len(self.turns)


def writers(folder: Path = FOLDER) -> dict[str, Row]:
    """Everyone who wrote, with language, domain, register and the part of the data they belong to."""
    rows = [json.loads(line) for line in (folder / "writers.jsonl").read_text(encoding="utf-8").splitlines()]
    return {row["w"]: row for row in rows}


def load(part: str | None = None, *, only: set[str] | None = None, folder: Path = FOLDER) -> Corpus:
    """All rows of a part (tune, validate, test), or of the named writers."""
    wanted = only if only is not None else {w for w, row in writers(folder).items() if part in (None, row["part"])}
    corpus = Corpus()
    for kind in ("messages", "pairs", "families", "writes", "turns"):
        for number, row in enumerate(_rows(folder, kind)):
            if row["w"] not in wanted or row.get("doubt") is True:
                continue  # rows on whose label a second hand disagreed are kept in the file, and left out of the count
            if kind == "families":
                corpus.pairs += _pairs_of(row, number)
            elif "m" in row:
                corpus.gardens[row["w"]][row["m"]] = row
            else:
                getattr(corpus, kind).append(_filled(row, kind))
    for row in _rows(folder, "notebooks"):
        if row["w"] in wanted:
            corpus.told[f"{row['w']}/{row['book']}"].append(row)
    for row in _rows(folder, "histories"):
        if row["w"] in wanted:
            corpus.histories[f"{row['w']}/{row['book']}"].append(row)
    for book, rows in corpus.histories.items():
        corpus.messages += _messages_of(rows)
        corpus.told[f"{book}/history"] = [_as_told(kept, row) for row in rows for kept in row.get("keep", ())]
    for book, rows in corpus.told.items():
        by_number = {row["n"]: row for row in rows}
        corpus.pairs += [
            {"w": row["w"], "a": by_number[row["of"]]["text"], "b": row["text"], "rel": row["rel"], "told": book}
            for row in rows
            if "rel" in row
        ]
    return corpus


def _messages_of(history: list[Row]) -> Iterator[Row]:
    """The user's messages, each with what the assistant said before it in that session."""
    before: Row | None = None
    for row in history:
        if row["r"] == "u":
            previous = before["t"] if before is not None and (before["s"], before["r"]) == (row["s"], "a") else ""
            said = {"w": row["w"], "prev": previous, "text": row["t"], "why": row.get("why", "")}
            keep = [{**kept, "change": kept.get("rel") == "changes"} for kept in row.get("keep", ())]
            yield _filled(said | {"keep": keep}, "messages")
        before = row


def _as_told(kept: Row, row: Row) -> Row:
    related: Row = {name: kept[name] for name in ("rel", "of") if name in kept}
    return {"w": row["w"], "n": kept["id"], "text": kept.get("say", kept["from"]), "said": kept["from"], **related}


def _rows(folder: Path, kind: str) -> Iterator[Row]:
    with gzip.open(folder / f"{kind}.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


_EMPTY: dict[str, Row] = {
    "messages": {"prev": "", "keep": [], "why": ""},
    "writes": {"values": []},
    "turns": {"prev": "", "helps": []},
}


def _filled(row: Row, kind: str) -> Row:
    """With what is left out of the file because it is empty."""
    filled = {**_EMPTY.get(kind, {}), **row}
    if kind == "messages":
        filled["keep"] = [{"say": kept["from"], "change": False, **kept} for kept in filled["keep"]]
    return filled


def _pairs_of(family: Row, number: int) -> list[Row]:
    """Each statement of a family with the older one that it is about, but for those that a second hand labelled
    otherwise."""
    doubted = family.get("doubt", ())
    return [
        {"w": family["w"], "a": family["a"], "b": newer, "rel": relation, "family": number}
        for relation in ("same", "changes", "narrows", "excepts", "compatible")
        for newer in family.get(relation, ())
        if newer not in doubted
    ]
