"""The page about recall, written from the results of the last runs. Pure but for the chart files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.recall.bars import bars
from bench.recall.metrics import table
from bench.recall.quoted import BEST_BY_CATEGORY, PEERS

_COLUMNS = ("recall@1", "recall@5", "recall@10", "recall@20", "hit@10", "all@10", "mrr", "ndcg@10")
_TIMED = (*_COLUMNS, "p50_ms", "p95_ms")
_SHORT = ("recall@5", "recall@10", "ndcg@10")
_BOUNDED = ("recall@10", "recall@10 ahead", "ndcg@10", "ndcg@10 ahead")
_OURS = frozenset({"recall, a garden per conversation", "recall, all in one garden"})


def write(results: Mapping[str, Any], folder: Path) -> None:
    """Writes recall.md, recall-beam.md and the charts. `results` holds, by part, its tables, sample and machine. A page
    none of whose parts was measured is left as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, head, parts in (("recall.md", _HEAD, _SECTIONS), ("recall-beam.md", _CHATS_HEAD, {"chats": _chats})):
        sections = [head]
        for part, section in parts.items():
            if part in results:
                sections.append(section(results[part]["tables"], folder))
                sections.append(f"<sub>{results[part]['sample']}; {results[part]['machine']}</sub>")
        if sections[1:]:
            (folder / name).write_text("\n\n".join(sections) + "\n", "utf-8")


_CHATS_HEAD = """# How good recall is in talk with an agent

Written by `make bench-recall`. BEAM: eight long chats of a user with an assistant, a garden each; wanted are the
messages that hold the answer. A result is a message, whatever the number of its pieces, and so is a baseline's. The set
is not in this repository; `NIGHTGARDEN_BENCH_DATA` says where it is. The rules were chosen with these chats in view, so
the row "recall" is not held out; the row with weights fitted on the other chats is, but for the choice of what to fit,
which flatters it: [the page on fusion](../why/fusion.md) has the one chat that was kept apart."""
_HEAD = """# How good and how fast recall is

Written by `make bench-recall`. LoCoMo at turn level: ten long conversations, a passage per turn, the questions whose
evidence exists; wanted are the turns that hold the evidence. No language model takes part. The set is not in this
repository (CC BY-NC 4.0); `NIGHTGARDEN_BENCH_DATA` says where it is. What was tuned on it, and what was held out, is
said in [the page on fusion](../why/fusion.md). `all@10`: all evidence among the first ten. Times in the tables of
quality leave out the embedding of the query, which is kept from run to run; the table of pace does not."""


def _quality(tables: Mapping[str, Any], folder: Path) -> str:
    overall = tables["overall"]
    chart = {name: row["recall@10"] for name, row in overall.items()}
    chart = {f"{name} (quoted)": float(ten) for name, _, ten, _ in PEERS} | chart
    ranked = dict(sorted(chart.items(), key=lambda pair: pair[1]))
    (folder / "recall-at-10.svg").write_text(bars("recall@10, LoCoMo turns", ranked, highest=1.0, ours=_OURS), "utf-8")
    lines = ["| system | recall@5 | recall@10 | search p50 ms |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in PEERS]
    own, one = tables["own"], tables["one"]
    simple = [figures for name, figures in tables.items() if name.startswith("baseline ")]
    best_of = {
        name: max(quoted, *(figures[name]["recall@10"] for figures in simple))
        for name, quoted in BEST_BY_CATEGORY.items()
    }
    behind = [name for name, best in best_of.items() if own[name]["recall@10"] <= best]
    return "\n\n".join(
        (
            "## All questions",
            "![recall@10 of every system](recall-at-10.svg)",
            table(overall, _COLUMNS),
            "### By category, a garden per conversation",
            table(own, (*_COLUMNS, "questions")),
            "### By category, all in one garden",
            table(one, (*_COLUMNS, "questions")),
            "### Others, quoted",
            "Measured once on the same questions with two shared cores; each needs an installation of its own.",
            "\n".join(lines),
            "The best recall@10 among them and the simple baselines above, by category: "
            + ", ".join(f"{name} {best:.3f}" for name, best in best_of.items())
            + (f". Behind it: {', '.join(behind)}." if behind else ". Recall is ahead in every category."),
        )
    )


def _chats(tables: Mapping[str, Any], folder: Path) -> str:
    bounds = tables["intervals"]
    lines = ["| | recall@10 | ahead of cosine | NDCG@10 | ahead of cosine |", "|---|---|---|---|---|"]
    for name, found in bounds.items():
        shown = (f"{found[f'{kind} from']:+.3f} to {found[f'{kind} to']:+.3f}" for kind in _BOUNDED)
        lines.append(f"| {name} | {' | '.join(shown)} |".replace(" +0.", " 0."))
    weights = tables["fitted"]
    columns = tuple(next(iter(weights.values()), ()))
    fitted = ["| left out | " + " | ".join(columns) + " |", "|---|" + "---|" * len(columns)]
    fitted += [f"| {name} | " + " | ".join(f"{row[c]:.2f}" for c in columns) + " |" for name, row in weights.items()]
    return "\n\n".join(
        (
            table(tables["overall"], _COLUMNS),
            "By category:",
            table(tables["categories"], (*_COLUMNS, "questions")),
            "Within these bounds lie 95 of 100 resamplings of the questions:",
            "\n".join(lines),
            *(("The weights that the other seven chats gave for each (`bench/recall/held_out.py`):",
               "\n".join(fitted)) if weights else ()),
        )
    )  # fmt: skip


def _ablations(tables: Mapping[str, Any], folder: Path) -> str:
    drops = {name: row["ndcg@10"] for name, row in tables["own"].items()}
    chart = bars("NDCG@10 with a part left out", drops, highest=1.0, ours=frozenset({"everything"}))
    (folder / "recall-ablations.svg").write_text(chart, "utf-8")
    return "\n\n".join(
        (
            "## What each part is worth",
            "![NDCG@10 with a part left out](recall-ablations.svg)",
            "A garden per conversation:",
            table(tables["own"], (*_COLUMNS, "p50_ms")),
            "All in one garden:",
            table(tables["one"], (*_SHORT, "p50_ms")),
        )
    )


def _engines(tables: Mapping[str, Any], folder: Path) -> str:
    share = tables["agreement"]["same first ten, in order"]["share"]
    return "\n\n".join(
        (
            "## SQLite and PostgreSQL",
            table(tables["engines"], _TIMED),
            f"The first ten results are the same, in the same order, for {share:.1%} of the questions.",
        )
    )


def _reranking(tables: Mapping[str, Any], folder: Path) -> str:
    return "\n\n".join(
        (
            "## With the cross-encoder",
            "For recall that was asked for, not for turns. A garden per conversation:",
            table(tables["own"], _COLUMNS),
            "In talk with an agent:",
            table(tables["chats"], _COLUMNS),
        )
    )


def _graph(tables: Mapping[str, Any], folder: Path) -> str:
    columns = ("recall@1", "recall@5", "mrr", "questions")
    return "\n\n".join(
        (
            "## Where the answer hangs on a link",
            "A set of our own in which the answer shares no word with the question. With the cascade:",
            table(tables["with"], columns),
            "Without:",
            table(tables["without"], columns),
        )
    )


def _pace(tables: Mapping[str, Any], folder: Path) -> str:
    rows = tables["pace"]
    columns = tuple(next(iter(rows.values())))
    return "\n\n".join(
        (
            "## Pace",
            "A warm `Garden.recall` without the cross-encoder, the embedding of the query included, in milliseconds, "
            "by number of passages. Wall time depends on what else the machine does; processor time less so. `fill_s` "
            "is one transaction a session of twenty turns, embedding left out; `index_s` the grouping of the vectors.",
            table(rows, columns),
        )
    )


_SECTIONS = {
    "quality": _quality,
    "ablations": _ablations,
    "engines": _engines,
    "reranking": _reranking,
    "graph": _graph,
    "pace": _pace,
}
