"""How many secrets are found and how many ordinary sentences are refused, set by set.

    python bench/remember_secrets.py            prints JSON, then a Markdown table

Labelled sets are read from NIGHTGARDEN_BENCH_DATA, or from shared/data next to the repository; sets that are not there
are left out. The sentences in bench/data/ordinary.jsonl are our own: statements that look like secrets and are none.
"""

from __future__ import annotations

import csv
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.verdict import Refused
from nightgarden.remember.refuse import refuse

HERE = Path(__file__).resolve().parent


def default_data_dir() -> Path:
    return Path(os.environ.get("NIGHTGARDEN_BENCH_DATA", HERE.parent.parent / "shared" / "data"))


def run(data_dir: Path) -> dict[str, Any]:
    """One row for each set: what share of it was found, which is recall for secrets and false alarms for the rest."""
    rows = [_row(name, secret, texts) for name, secret, texts in _sets(data_dir) if texts]
    return {"rows": rows, "scan": _timing()}


def _row(name: str, secret: bool, texts: list[str]) -> dict[str, Any]:
    found = sum(1 for text in texts if find_secrets(text))
    row: dict[str, Any] = {
        "set": name,
        "secret": secret,
        "texts": len(texts),
        "found": found,
        "share": found / len(texts),
    }
    if not secret:
        row["refused_by_any_rule"] = sum(1 for text in texts if isinstance(refuse(text, tainted=True), Refused))
    return row


def _sets(data_dir: Path) -> Iterator[tuple[str, bool, list[str]]]:
    cases = [json.loads(line) for line in _lines(data_dir / "secrets" / "gitleaks_cases_half.jsonl")]
    for kind, secret in (("positive", True), ("negative", False)):
        yield f"scanner cases, {kind}", secret, [case["text"] for case in cases if case["kind"] == kind]
    found = data_dir / "secrets" / "credsweeper_expected.json"
    expected = json.loads(found.read_text(encoding="utf-8")) if found.exists() else []
    for severity in ("high", "medium", "low", "info"):
        yield (
            f"scanner findings, {severity}",
            True,
            [
                "\n".join(dict.fromkeys(line["line"] for line in finding["line_data_list"]))
                for finding in expected
                if finding["severity"] == severity
            ],
        )
    yield "our hard sentences", False, [json.loads(line)["text"] for line in _lines(HERE / "data" / "ordinary.jsonl")]
    yield "sentence pairs", False, sorted(_pair_sentences(data_dir / "pairs"))
    yield "conversation turns", False, sorted(_turns(data_dir / "locomo" / "locomo10.json"))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def _pair_sentences(folder: Path) -> set[str]:
    sentences: set[str] = set()
    for line in _lines(folder / "SICK_train.txt")[1:]:
        sentences.update(line.split("\t")[1:3])
    for name in ("stsb-en-dev.csv", "stsb-en-test.csv"):
        for row in csv.reader(_lines(folder / name)):
            sentences.update(row[:2])
    for line in _lines(folder / "msr-para-val.tsv")[1:]:
        sentences.update(line.split("\t")[-2:])
    for line in _lines(folder / "snli_1.0_dev.jsonl"):
        pair = json.loads(line)
        sentences.update((pair["sentence1"], pair["sentence2"]))
    return sentences - {""}


def _turns(path: Path) -> set[str]:
    def walk(node: Any) -> Iterator[str]:
        if isinstance(node, dict):
            if isinstance(node.get("text"), str):
                yield node["text"]
            for value in node.values():
                yield from walk(value)
        elif isinstance(node, list):
            for value in node:
                yield from walk(value)

    return set(walk(json.loads(path.read_text(encoding="utf-8")))) if path.exists() else set()


def _timing() -> dict[str, float]:
    sentence = (
        "The team moved billing to PostgreSQL 16 in March because the access keys were hard to rotate; see the notes. "
    )
    typical = (sentence * 2)[:200]
    best = min(_seconds(typical, 200) for _ in range(5))
    return {"ms_per_200_characters": best * 1000, "seconds_per_megabyte": _seconds((sentence + "\n") * 9_000, 1)}


def _seconds(text: str, times: int) -> float:
    started = time.process_time()
    for _ in range(times):
        find_secrets(text)
    return (time.process_time() - started) / times


def as_markdown(result: dict[str, Any]) -> str:
    lines = ["| set | texts | found | share | refused by any rule |", "|---|---:|---:|---:|---:|"]
    for row in result["rows"]:
        kind = "recall" if row["secret"] else "false alarms"
        refused = row.get("refused_by_any_rule", "")
        lines.append(f"| {row['set']} | {row['texts']} | {row['found']} | {row['share']:.2%} {kind} | {refused} |")
    scan = result["scan"]
    lines.append("")
    short, long = scan["ms_per_200_characters"], scan["seconds_per_megabyte"]
    lines.append(f"Processor time: {short:.2f} ms for 200 characters, {long:.1f} s for a megabyte.")
    return "\n".join(lines)


if __name__ == "__main__":
    outcome = run(default_data_dir())
    print(json.dumps(outcome, indent=2))
    print(as_markdown(outcome))
