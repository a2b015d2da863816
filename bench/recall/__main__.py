"""`python -m bench.recall [PATH] [--sample N] [--together] [--only NAME] [--rerank]`: measures recall and prints
tables.

PATH is LoCoMo's file, or NIGHTGARDEN_LOCOMO names it; without either, only the graph set is measured.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from dataclasses import replace
from pathlib import Path

from bench.recall import graph_set, locomo
from bench.recall.metrics import Judged, summarise, table
from nightgarden.garden import Garden
from nightgarden.recall.options import Fusion, RecallOptions

ALL = RecallOptions()
_PARTS = ("text", "vector", "when", "names", "neighbours", "sessions", "shape", "diverse")
ABLATIONS: dict[str, RecallOptions] = {
    "everything": ALL,
    **{f"without {part}": replace(ALL, **{part: False}) for part in _PARTS},
    "fusion by z-scores": replace(ALL, fusion=Fusion.ZSCORE),
    "fusion by ranks": replace(ALL, fusion=Fusion.RANKS),
    "two arms and nothing else": replace(
        ALL, when=False, names=False, neighbours=False, sessions=False, shape=False, diverse=False
    ),
}
COLUMNS = ("recall@1", "recall@5", "recall@10", "recall@20", "hit@10", "all@10", "mrr", "ndcg@10", "p50_ms", "p95_ms")


async def measure_locomo(path: Path, *, step: int, together: bool, only: str | None, rerank: bool) -> None:
    """Every ablation over every `step`-th question; conversations each in a garden of its own, or all in one."""
    conversations = locomo.read(path)
    groups = [conversations] if together else [[conversation] for conversation in conversations]
    settings = {name: options for name, options in ABLATIONS.items() if only in (None, name)}
    answers: dict[str, list[Judged]] = {name: [] for name in settings}
    for group in groups:
        with tempfile.TemporaryDirectory() as folder:
            async with Garden.open(Path(folder) / "garden.db", directory=folder) as garden:
                await locomo.fill(garden, group)
                questions = [question for conversation in group for question in conversation.questions][::step]
                for name, options in settings.items():
                    answers[name] += await locomo.ask(garden, questions, options=options, rerank=rerank)
    print(table({name: summarise(found)["all"] for name, found in answers.items()}, COLUMNS))
    first = next(iter(answers))
    print(f"\n{first}, by category\n")
    print(table(summarise(answers[first]), (*COLUMNS, "questions")))


async def measure_graph(count: int) -> None:
    """The graph set with and without the cascade."""
    nodes, cases = graph_set.make(count)
    with tempfile.TemporaryDirectory() as folder:
        async with Garden.open(Path(folder) / "garden.db", directory=folder) as garden:
            await graph_set.fill(garden, nodes)
            for name, options in (("with", ALL), ("without", replace(ALL, cascade=False))):
                print(f"\ngraph set, {name} the cascade\n")
                print(table(summarise(await graph_set.ask(garden, cases, options)), (*COLUMNS, "questions")))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", nargs="?", default=os.environ.get("NIGHTGARDEN_LOCOMO"))
    parser.add_argument("--sample", type=int, default=1, help="ask every Nth question")
    parser.add_argument("--together", action="store_true", help="all conversations in one garden")
    parser.add_argument("--only", help="one row of the ablations, by its name")
    parser.add_argument("--rerank", action="store_true", help="let the cross-encoder read the best")
    parser.add_argument("--graph", type=int, default=100, help="cases of the graph set; 0 leaves it out")
    wanted = parser.parse_args()
    if wanted.path:
        path = Path(wanted.path)
        asyncio.run(
            measure_locomo(path, step=wanted.sample, together=wanted.together, only=wanted.only, rerank=wanted.rerank)
        )
    if wanted.graph:
        asyncio.run(measure_graph(wanted.graph))


if __name__ == "__main__":
    main()
