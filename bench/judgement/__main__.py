"""Measures and writes docs/bench/judgement.md: `python -m bench.judgement [--part test] [--others FOLDER]`; with
`--only WRITER ...` those writers alone, printed and not written.

`--others` names a folder with sets of other hands (secrets, look-alikes, pairs, opposites, sessions), beside which the
real chats lie; without one only the part is measured. Everything is measured three times: by the rules alone, with the
small network, and with the deep one; turns, notebooks and histories by the rules and with the deep one. Two processes
share the work.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from train.corpus import Corpus, load, writers

from bench.judgement import measure, real_talk, replay
from bench.judgement.count import Table
from bench.judgement.page import write_page
from nightgarden.domain.ports import Embedder
from nightgarden.errors import ModelUnavailable
from nightgarden.models.classifier import BuiltInClassifier
from nightgarden.models.models_of_settings import EmbedderSource, load_classifier
from nightgarden.settings import ClassifierSettings, EmbeddingSettings, Settings

OTHERS = Path(__file__).parents[3] / "shared" / "data" / "judgement"
COLUMNS = RULES, SMALL, DEEP = ("rules alone", "small network", "deep network")
STATEMENTS, GARDENS = "statements", "gardens"  # the two halves of the work
PAGE = Path(__file__).parents[2] / "docs" / "bench" / "judgement.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="test", choices=("tune", "validate", "test"))
    parser.add_argument("--others", type=Path, default=OTHERS)
    parser.add_argument("--only", nargs="+", default=(), help="writers, instead of a part")
    parser.add_argument("--no-page", action="store_true", help="print only")
    parser.add_argument("--no-turns", action="store_true")
    parser.add_argument("--models", type=Path, default=None, help="folder of the fetched models")
    parser.add_argument("--columns", nargs="+", default=COLUMNS, choices=COLUMNS, help="of the page; by default all")
    chosen = parser.parse_args()
    columns: dict[str, Table] = {}
    with ProcessPoolExecutor(max_workers=2) as pool:
        # the slowest first
        asked = [(name, half) for name in reversed(chosen.columns) for half in (GARDENS, STATEMENTS)]
        made = {each: pool.submit(_measure, *each, chosen) for each in asked}
        for name in chosen.columns:
            columns[name] = made[name, STATEMENTS].result()
            columns[name].shares.update(made[name, GARDENS].result().shares)
            print(name, flush=True)
            for key in sorted(columns[name].shares):
                print(f"  {key}: {columns[name].get(key)}")
    if not chosen.no_page and not chosen.only:
        write_page(PAGE, columns, part=chosen.part, costs=measure.costs(load(chosen.part), load_classifier(())))


def _measure(name: str, half: str, chosen: argparse.Namespace) -> Table:
    classifier: BuiltInClassifier | None = None
    if name != RULES:
        classifier = load_classifier(()) if name == DEEP else BuiltInClassifier()
    corpus = load(only=set(chosen.only)) if chosen.only else load(chosen.part)
    if half == STATEMENTS:
        return of_statements(corpus, chosen.others, find_embedder(chosen.models), classifier)
    if name == SMALL:
        return Table()
    return of_gardens(corpus, classifier, with_turns=not chosen.no_turns)


def find_embedder(folder: Path | None, model: str = "auto") -> Embedder | None:
    import sys

    try:
        return EmbedderSource(
            EmbeddingSettings(model=model),  # type: ignore[arg-type]
            folder or Path(sys.prefix) / "share" / "nightgarden" / "models",
        ).get()
    except ModelUnavailable:
        return None


def of_statements(
    corpus: Corpus, others: Path, embedder: Embedder | None, classifier: BuiltInClassifier | None
) -> Table:
    """Single messages, pairs and sentences, of the writers and of other people."""
    table, groups = Table(), _groups()
    measure.extraction(corpus.messages, classifier, groups, table)
    measure.pairs(corpus.pairs, embedder, classifier, groups, table)
    measure.writes(corpus.writes, embedder, classifier, groups, table)
    if others.is_dir():
        of_others(others, embedder, classifier, table)
    return table


def of_gardens(corpus: Corpus, classifier: BuiltInClassifier | None, *, with_turns: bool) -> Table:
    """Turns beside whole gardens, notebooks and histories."""
    table, groups = Table(), _groups()
    settings = Settings(classifier=ClassifierSettings(enabled=classifier is not None))
    by_writer: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in corpus.turns if with_turns else ():
        by_writer[row["w"]].append(row)
    for w, rows in by_writer.items():
        measure.run_turns(list(corpus.gardens[w].values()), rows, settings, groups, table)
    asyncio.run(_replay(corpus, settings, groups, table))
    return table


def _groups() -> measure.Groups:
    return {
        w: (f"language {row['language']}", f"writer {w}: {row['domain']}", _round(w)) for w, row in writers().items()
    }


def _round(writer: str) -> str:
    """The last rounds speak plainly; those before them were asked for strong registers and hard cases."""
    names = "seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth".split()
    plain = {letter: f"the {name}" for letter, name in zip("lmnoqrstuv", names, strict=True)}
    return f"round {plain.get(writer[0], 'one to six')}"


async def _replay(corpus: Corpus, settings: Settings, groups: measure.Groups, table: Table) -> None:
    for book, rows in corpus.told.items():
        if not book.endswith("/history"):
            await replay.notebook(rows, settings, groups, table)
    for rows in corpus.histories.values():
        await replay.history(rows, settings, groups, table)


def of_others(folder: Path, embedder: Embedder | None, classifier: BuiltInClassifier | None, table: Table) -> None:
    """The sets that other people wrote; figures under their own names."""
    groups = defaultdict(tuple)
    theirs = Table()
    secrets = [r | {"w": "", "label": "secret"} for r in _rows(folder / "secrets.jsonl")]
    harmless = [r | {"w": "", "label": "lookalike", "values": []} for r in _rows(folder / "lookalikes.jsonl")]
    measure.writes([*secrets, *harmless], embedder, classifier, groups, theirs)
    known = {"duplicate": "same", "supersedes": "changes", "exception": "excepts"}
    for name in ("pairs", "pairs_more"):
        rows = [r | {"w": "", "rel": known.get(r["relation"], r["relation"])} for r in _rows(folder / f"{name}.jsonl")]
        mine = Table()
        measure.pairs(rows, embedder, classifier, groups, mine)
        for key, shares in mine.shares.items():
            theirs.shares[f"{name}: {key}"]["all"] = shares["all"]
    for row in _rows(folder / "opposites.jsonl"):
        theirs.add(
            "adversarial opposites merged", measure.verdict_on(row["a"], row["b"], embedder, classifier) == "same"
        )
    for row in _rows(folder / "sessions.jsonl"):
        measure.session(row, classifier, theirs)
    clauses = [
        {"w": "", "prev": r["asked_before"], "text": r["message"], "why": "" if r["keep"] else r["code"],
         "keep": [{"from": r["clause"], "say": r["clause"], "cat": "fact"}] if r["keep"] else []}
        for r in _rows(folder / "clauses.jsonl")
    ]  # fmt: skip
    measure.extraction(clauses, classifier, groups, theirs)
    for name, talk in real_talk.labelled(folder.parent):
        mine = Table()
        measure.extraction(talk, classifier, groups, mine)
        for key, shares in mine.shares.items():
            theirs.shares[f"{name}: {key}"]["all"] = shares["all"]
    for key, shares in theirs.shares.items():
        if not key.endswith("kept: junk by reason"):
            table.shares[f"others: {key}"]["all"] = shares["all"]


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()] if path.is_file() else []


if __name__ == "__main__":
    main()
