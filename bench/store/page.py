"""The result page, from what was measured. Figures as they are; ratios to nightgarden in brackets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

OURS = "nightgarden"
FEW = 100
INTRODUCTION = """\
Every store got the same texts (English words as often as in natural language, 8 to 24 a text) and the same vectors
(384 numbers, in topics of many sizes), and ran in an environment and a process of its own, one after the other. In
brackets: how many times nightgarden's figure; above 1 is slower than nightgarden. p50 and p95 are wall-clock times, and
so hold what else the machine was doing; CPU ms is the processor time of the process, all its threads.
"""
COMPARED = """
## What is compared

- **single write**: one memory with its vector, on return as durable as the store promises. nightgarden: text, vector,
  graph and journal in one transaction, synced to disk. Calls to sync, counted for one write: nightgarden 1,
  sqlite-vec 1 (`synchronous=FULL` as ours), qdrant 4, chromadb 8, lancedb none. mcp-memory-service sets `NORMAL`: a
  power cut may take the last writes.
- **remember**: nightgarden's write with all its rules: refusals, duplicates, contradictions. No peer does this.
- **bulk**: batches of 1,000. mem0 has no bulk write; its vector store's was used. \\*: told not to sync each row, since
  it would have taken half an hour.
- **search**: the ten nearest by meaning, with their texts; the query's vector is given. *recall* is how many of the
  true ten nearest were found.
- **hybrid**: words and meaning together, where a store offers it. nightgarden: the whole of recall, with reasons.
- **recall, embedding included**: the same with the model that turns the query into a vector.
- **start**: opening what is there, until the first search is answered; loading of code not counted.
- **MB**: resident after the searches, libraries included.
"""
Rows = dict[str, dict[str, Any]]  # by store


def write(measured: dict[str, Any]) -> str:
    """The whole page."""
    return "\n".join(_lines(measured)).rstrip() + "\n"


def _lines(measured: dict[str, Any]) -> Iterator[str]:
    yield "# The store beside other stores\n"
    yield f"{measured['machine']}; {measured['load']} at the end. Written by `make bench-store`.\n"
    yield INTRODUCTION
    for size in sorted(int(size) for size in measured["sizes"]):
        yield from _size(size, measured["sizes"][str(size)], measured["versions"])
    if "footprint" in measured:
        yield from _footprint(measured["footprint"])
    yield COMPARED


def _size(size: int, rows: Rows, versions: dict[str, str]) -> Iterator[str]:
    ours = rows.get(OURS, {})
    yield f"\n## {size:,} memories\n"
    yield (
        "| store | single write ms p50 | p95 | CPU ms | bulk/s | build s | start ms | search ms p50 | p95 | CPU ms "
        "| recall | hybrid ms p50 | p95 | CPU ms | MB | on disk MB |"
    )
    yield "|---" * 16 + "|"
    for name, row in rows.items():
        label = f"{name} {versions.get(name, '')}".strip()
        if "error" in row:
            yield f"| {label} | {row['error']} |" + " |" * 14
            continue
        cells = [_ratio(row, ours, "single", figure) for figure in ("p50", "p95", "cpu")]
        cells += [
            f"{row['bulk_per_s']:,.0f}{'*' if row.get('hurried') else ''}",
            f"{row['build_s']:.1f}",
            f"{row['start_ms']:,.0f}",
        ]
        cells += [_ratio(row, ours, "search", figure) for figure in ("p50", "p95", "cpu")] + [f"{row['recall']:.3f}"]
        cells += [_ratio(row, ours, "hybrid", figure) for figure in ("p50", "p95", "cpu")]
        cells += [f"{row['rss_mb']:,.0f}", f"{row['disk_mb']:,.0f}"]
        yield f"| {label} | {' | '.join(cells)} |"
    if "remember" in ours:
        yield "\nnightgarden alone:\n\n| | ms p50 | p95 | CPU ms |\n|---|---|---|---|"
        for name, title in (("remember", "remember, all rules"), ("recall_whole", "recall, embedding included")):
            yield (
                f"| {title} | " + " | ".join(_ratio(ours, {}, name, figure) for figure in ("p50", "p95", "cpu")) + " |"
            )
    few = [
        f"{name} {what} {row[what]['count']}"
        for name, row in rows.items()
        for what in ("single", "search", "hybrid")
        if what in row and row[what]["count"] < FEW
    ]
    if few:
        yield f"\nAsked less often than {FEW} times, because each took so long: {', '.join(few)}."
    late = [name for name, row in rows.items() if row.get("fresh") is False]
    if late:
        yield f"\nDid not find, by its own vector, what was written last: {', '.join(late)}."


def _ratio(row: dict[str, Any], ours: dict[str, Any], name: str, figure: str) -> str:
    if name not in row:
        return "–"
    value = row[name][figure]
    times = f" ({value / ours[name][figure]:.1f})" if name in ours and row is not ours else ""
    return f"{value:,.2f}{times}" if value < 10 else f"{value:,.1f}{times}"


def _footprint(found: dict[str, Any]) -> Iterator[str]:
    yield "\n## Before it does anything\n"
    yield "| | ms | CPU ms | goal |\n|---|---|---|---|"
    for name, title, goal in (
        ("python", "`python -c pass`, for comparison", ""),
        ("version", "`nightgarden --version`", "120 ms"),
        ("list", "`nightgarden list`", ""),
        ("recall", "`nightgarden recall`, cold: model loaded, reranker used", "1,500 ms"),
    ):
        yield f"| {title} | {found[name]['ms']:,.0f} | {found[name]['cpu']:,.0f} | {goal} |"
    yield f"\nA core installation with its model, pip and Python left out: {found['install_mb']:.0f} MB (goal: 250 MB)."
