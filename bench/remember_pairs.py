"""Duplicates and contradictions on labelled pairs by exact signs alone, as without a classifier.

`python bench/remember_pairs.py`, or `run(data_dir)` from elsewhere. Reads public sets from a data folder
(NIGHTGARDEN_BENCH_DATA, or ../shared/data next to the repository) and the pairs of bench/data/memory_pairs.jsonl. Sets
that are not there are left out. Cosines come from the embedder passed in; with None there are none.
"""

from __future__ import annotations

import csv
import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nightgarden.domain.ports import Embedder
from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.by_signs import compare_by_signs, is_exact
from nightgarden.remember.compare.guards import signs
from nightgarden.remember.compare.relation import EXACT

_HERE = Path(__file__).resolve().parent
_STS_SAME = 4.0  # of 5: "mostly equivalent, unimportant details differ"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements and what they are to each other: same, contradicts or other."""

    old: str
    new: str
    label: str


def find_data() -> Path:
    given = os.environ.get("NIGHTGARDEN_BENCH_DATA")
    return Path(given) if given else _HERE.parent.parent / "shared" / "data"


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def _nli(path: Path) -> list[Pair]:
    """Entailed is not the same as equal, so only contradictions are labelled."""
    return [
        Pair(row["sentence1"], row["sentence2"], "contradicts" if row["gold_label"] == "contradiction" else "other")
        for row in _json_lines(path)
        if row["gold_label"] != "-"
    ]


def _tab_rows(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8-sig") as lines:
        return [line.rstrip("\n").split("\t") for line in lines][1:]


def _sick(path: Path) -> list[Pair]:
    return [
        Pair(row[1], row[2], "contradicts" if row[4] == "CONTRADICTION" else "other")
        for row in _tab_rows(path)
        if len(row) >= 5
    ]


def _stsb(path: Path) -> list[Pair]:
    with path.open(encoding="utf-8", newline="") as lines:
        return [Pair(a, b, "same" if float(score) >= _STS_SAME else "other") for a, b, score in csv.reader(lines)]


def _msr(path: Path) -> list[Pair]:
    return [Pair(row[3], row[4], "same" if row[0] == "1" else "other") for row in _tab_rows(path)]


def _memory(path: Path) -> list[Pair]:
    labels = {"same": "same", "contradicts": "contradicts"}
    return [Pair(row["old"], row["new"], labels.get(row["label"], "other")) for row in _json_lines(path)]


def load_sets(data_dir: Path) -> dict[str, list[Pair]]:
    pairs = data_dir / "pairs"
    sources = (
        ("memory", _memory, _HERE / "data" / "memory_pairs.jsonl"),
        ("memory, held out", _memory, _HERE / "data" / "memory_pairs_held_out.jsonl"),
        ("Breaking-NLI", _nli, pairs / "breaking_nli.jsonl"),
        ("SNLI", _nli, pairs / "snli_1.0_dev.jsonl"),
        ("SICK", _sick, pairs / "SICK_train.txt"),
        ("STS-B dev", _stsb, pairs / "stsb-en-dev.csv"),
        ("STS-B test", _stsb, pairs / "stsb-en-test.csv"),
        ("MSR", _msr, pairs / "msr-para-val.tsv"),
    )
    return {name: read(path) for name, read, path in sources if path.exists()}


def _cosines(pairs: list[Pair], embedder: Embedder | None) -> list[float | None]:
    if embedder is None:
        return [None] * len(pairs)
    old, new = embedder.embed([pair.old for pair in pairs]), embedder.embed([pair.new for pair in pairs])
    return [float(value) for value in (old * new).sum(axis=1)]


def _compare(pair: Pair, cosine: float | None) -> Comparison:
    if is_exact(pair.old, pair.new):
        return Comparison(relation=Relation.SAME, rule=EXACT)
    return compare_by_signs(pair.old, pair.new, signs(pair.old, pair.new), cosine=cosine)


def _score(pairs: list[Pair], answers: list[Comparison], label: str, relations: Iterable[Relation]) -> dict[str, float]:
    wanted = set(relations)
    hits = sum(p.label == label and a.relation in wanted for p, a in zip(pairs, answers, strict=True))
    said = sum(a.relation in wanted for a in answers)
    true = sum(p.label == label for p in pairs)
    precision, recall = hits / said if said else 1.0, hits / true if true else 0.0
    f1 = 2 * hits / (said + true) if said + true else 0.0
    return {"precision": round(precision, 3), "recall": round(recall, 3), "f1": round(f1, 3)}


def measure(pairs: list[Pair], embedder: Embedder | None) -> dict[str, Any]:
    """The figures of one set."""
    cosines = _cosines(pairs, embedder)
    began = time.process_time()
    answers = [_compare(p, c) for p, c in zip(pairs, cosines, strict=True)]
    spent = time.process_time() - began
    found: dict[str, Any] = {"pairs": len(pairs), "cpu_us_per_pair": round(spent / len(pairs) * 1e6)}
    labels = {pair.label for pair in pairs}
    if "same" in labels:
        found["same"] = _score(pairs, answers, "same", [Relation.SAME])
    if "contradicts" in labels:
        sure, maybe = Relation.CONTRADICTS_SURE, Relation.CONTRADICTS_MAYBE
        found["sure"] = _score(pairs, answers, "contradicts", [sure])
        found["sure_or_maybe"] = _score(pairs, answers, "contradicts", [sure, maybe])
        found["opposites"] = sum(p.label == "contradicts" for p in pairs)
        found["opposites_merged"] = sum(
            p.label == "contradicts" and a.relation is Relation.SAME for p, a in zip(pairs, answers, strict=True)
        )
    found["rules"] = dict(sorted(Counter(answer.rule.id for answer in answers).items()))
    return found


def as_markdown(figures: dict[str, dict[str, Any]]) -> str:
    rows = [
        "| set | pairs | duplicates P / R / F1 | sure P / R | sure or maybe P / R | opposites merged | CPU µs |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, found in figures.items():
        same, sure, either = found.get("same"), found.get("sure"), found.get("sure_or_maybe")
        rows.append(
            f"| {name} | {found['pairs']} "
            f"| {'{precision:.2f} / {recall:.2f} / {f1:.3f}'.format(**same) if same else '–'} "
            f"| {'{precision:.3f} / {recall:.3f}'.format(**sure) if sure else '–'} "
            f"| {'{precision:.3f} / {recall:.3f}'.format(**either) if either else '–'} "
            f"| {'{opposites_merged} of {opposites}'.format(**found) if sure else '–'} "
            f"| {found['cpu_us_per_pair']} |"
        )
    return "\n".join(rows)


def run(data_dir: Path | None = None, embedder: Embedder | None = None) -> dict[str, Any]:
    """Measures every set, prints a Markdown table and the same as JSON, and returns the figures."""
    figures = {name: measure(pairs, embedder) for name, pairs in load_sets(data_dir or find_data()).items()}
    print(as_markdown(figures))
    print(json.dumps(figures))
    return figures


if __name__ == "__main__":
    run()
