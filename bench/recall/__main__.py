"""`python -m bench.recall [--quick] [--part NAME] [--every N]`: measures recall and writes docs/bench/recall.md.

The data is read from NIGHTGARDEN_BENCH_DATA, or from ../shared/data. Results of each part are kept in .cache/bench, so
that parts can be measured one at a time; the page always shows the last of each.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from bench.machine import describe_machine
from bench.recall import beam, locomo, measure, page
from bench.recall.kept import Kept, KeptEmbedder, KeptReranker
from nightgarden.errors import ModelUnavailable
from nightgarden.models.models_of_settings import EmbedderSource
from nightgarden.settings import EmbeddingSettings

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "bench"
PARTS: dict[str, Callable[[measure.Bench], Coroutine[Any, Any, dict[str, measure.Table]]]] = {
    "quality": measure.quality,
    "chats": measure.chats,
    "ablations": measure.ablations,
    "engines": measure.engines,
    "reranking": measure.reranking,
    "graph": measure.graph,
    "pace": measure.pace,
}
QUICK = 9  # every ninth question
# In a full run: all questions where figures are quoted from, a sample where only differences matter or reading is slow.
EVERY = {"quality": 1, "chats": 1, "ablations": 3, "engines": 3, "reranking": 6, "graph": 1, "pace": 1}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"every {QUICK}th question")
    parser.add_argument("--every", type=int, help="every Nth question")
    parser.add_argument("--part", choices=PARTS, action="append", help="only these parts")
    parser.add_argument("--models", default=os.fspath(ROOT / ".cache" / "models"), help="folder of the models")
    wanted = parser.parse_args()
    data = Path(os.environ.get("NIGHTGARDEN_BENCH_DATA", ROOT.parent / "shared" / "data"))
    conversations = locomo.read(data / "locomo" / "locomo10.json")
    chats = beam.read(data / "beam")
    source = EmbedderSource(EmbeddingSettings(), Path(wanted.models))
    kept = Kept(CACHE / "models.db")
    for part in wanted.part or PARTS:
        step = wanted.every or (QUICK if wanted.quick else EVERY[part])
        machine = describe_machine()
        bench = measure.Bench(
            conversations=conversations,
            chats=chats,
            embedder=KeptEmbedder(source.get(), kept),
            reranker=_reranker(source, kept),
            step=step,
            models=wanted.models,
        )
        tables = asyncio.run(PARTS[part](bench))
        sample = "all questions" if step == 1 else f"every question whose number is divisible by {step}"
        _keep(part, {"tables": tables, "sample": f"{sample}; {source.get().model.name}", "machine": machine})
        print(f"{part}: done", file=sys.stderr)
    kept.close()


def _keep(part: str, result: dict[str, Any]) -> None:
    """Puts a result beside those of the other parts, and writes the page anew."""
    file = CACHE / "recall.json"
    results = json.loads(file.read_text("utf-8")) if file.exists() else {}
    results[part] = result
    file.write_text(json.dumps(results), "utf-8")
    page.write(results, ROOT / "docs" / "bench")


def _reranker(source: EmbedderSource, kept: Kept) -> KeptReranker | None:
    reranker = asyncio.run(source.get_reranker_async())
    return KeptReranker(reranker, kept) if reranker is not None else None


if __name__ == "__main__":
    try:
        main()
    except (FileNotFoundError, ModelUnavailable) as error:
        sys.exit(f"{error}; set NIGHTGARDEN_BENCH_DATA to the folder of the data, --models to that of the models")
