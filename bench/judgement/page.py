"""The page of results, from tables of shares. Pure but for the writing."""

from __future__ import annotations

import json
from pathlib import Path

from bench.judgement.count import Table
from bench.machine import describe_machine

GOALS = {
    "kept: recall": "≥ .70",
    "kept: junk": "≤ .05",
    "duplicates: recall": "F1 ≥ .85",
    "duplicates: precision": "F1 ≥ .85",
    "supersede: precision": "≥ .95",
    "supersede: recall": "≥ .60",
    "true facts lost": "≤ .005",
    "opposites merged": "0",
    "secrets let in": "≤ .01",
    "look-alikes refused as secrets": "≤ .01",
    "junk let in": "≤ .10",
    "good ones saved": "≥ .97",
    "turns: recall": "≥ .60",
    "turns: precision": "≥ .60",
    "turns: quiet": "≥ .95",
}
# A whole garden fed in order; the goals are those of the pairs.
REPLAYED = {
    "notebooks: duplicates: recall": "F1 ≥ .85",
    "notebooks: duplicates: precision": "F1 ≥ .85",
    "notebooks: supersede: precision": "≥ .95",
    "notebooks: supersede: recall": "≥ .60",
    "notebooks: supersede: recall, flagged counted": "",
    "notebooks: true facts lost": "≤ .005",
    "notebooks: opposites merged": "0",
    "notebooks: flagged without need": "",
    "notebooks: refused": "",
    "histories: kept: recall": "≥ .70",
    "histories: kept: junk": "≤ .05",
    "histories: chains right": "≥ .80",
    "histories: chains whose outdated statement is live": "",
}
_GROUPS = (
    ("round ", "By round of data"),
    ("language ", "By language"),
    ("writer ", "By writer"),
    ("category ", "By category"),
    ("relation ", "By relation"),
    ("why ", "Messages with nothing to keep, by reason"),
)


CURVE = Path(__file__).parent / "curve.json"  # figures on the validating writers after each round of data


def write_page(path: Path, columns: dict[str, Table], *, part: str, costs: dict[str, float]) -> None:
    """One table in all, one for the sets of others, then by language and by writer."""
    lines = [
        "# Judgement on writers nobody tuned on",
        "",
        f"Made by `make bench-judgement`; {describe_machine()}.",
        f"Data: `bench/data/judgement` (its README says how it was written), part `{part}`: neither rules nor training",
        "saw these writers. Shares with Wilson's interval at 95 %.",
        "What was tried, what it means and where it fails: [notes](judgement-notes.md).",
        "",
        *_table(columns, [name for name in GOALS if any(name in t.shares for t in columns.values())]),
        "",
        "## Whole gardens",
        "",
        "Notebooks: what one person asked to remember in a year, told to a garden in order. Histories: sessions read",
        "one after the other; a chain is something told early and changed later.",
        "",
        *_table(columns, [name for name in REPLAYED if any(name in t.shares for t in columns.values())]),
        "",
        "## Sets that other people wrote",
        "",
        *_table(columns, sorted({n for t in columns.values() for n in t.shares if n.startswith("others: ")})),
    ]
    lines += ["", "## What a decision costs", "", "Median on one core, the network's part alone.", ""]
    lines += _markdown(["decision", "milliseconds"], [[name, f"{cost:.1f}"] for name, cost in costs.items()])
    lines += [
        "",
        "## Learning curve",
        "",
        "The small network, area under the curve on the first validating writers, by the data there was.",
        "",
    ]
    lines += _curve(json.loads(CURVE.read_text(encoding="utf-8")))
    last = list(columns.values())[-1]
    for kind, title in _GROUPS:
        lines += ["", f"## {title}", "", *_grouped(last, kind)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _table(columns: dict[str, Table], names: list[str]) -> list[str]:
    head = ["decision", *columns, "goal"]
    rows = [
        [name.removeprefix("others: "), *(str(t.get(name)) for t in columns.values()), (GOALS | REPLAYED).get(name, "")]
        for name in names
    ]
    return _markdown(head, rows)


def _curve(points: list[dict[str, float]]) -> list[str]:
    names = list(points[0])
    return _markdown(names, [[f"{point[name]:g}" for name in names] for point in points])


def _grouped(table: Table, kind: str) -> list[str]:
    names = [n for n in table.shares if any(g.startswith(kind) for g in table.shares[n])]
    groups = sorted({g for n in names for g in table.shares[n] if g.startswith(kind)})
    rows = [
        [g.removeprefix(kind), *(f"{table.get(n, g).value:.3f}" if table.get(n, g).of else "–" for n in names)]
        for g in groups
    ]
    return _markdown(["", *names], rows)


def _markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head), *("| " + " | ".join(row) + " |" for row in rows)]
