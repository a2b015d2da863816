"""Fits how what the occasion, the turn read alone and the turn read with a memory say is added up, and prints the
weights of `recall/helpful.py`: `python -m train.helpful [WRITER ...]`, ten minutes on two quiet cores.

Each validating writer's garden is filled and each of that writer's turns recalled in the product itself; the ten
memories that would be looked at are read, whatever their rank. Prints what leaving one writer out gives at several
thresholds.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from nightgarden.domain.memory import GLOBAL, Category
from nightgarden.domain.odds import log_odds, share_of
from nightgarden.domain.verdict import Refused
from nightgarden.domain.vocabulary import STATED
from nightgarden.garden import Garden
from nightgarden.recall.helpful import READ_MAX, shares_of_turn
from nightgarden.recall.options import Request
from nightgarden.recall.query import focus
from nightgarden.recall.recall import recall
from nightgarden.recall.showing import BESIDE_BEST_MIN, MEMORIES_MAX, SHOWN_MIN
from nightgarden.sessions.turn import CANDIDATES
from train.corpus import load
from train.occasions import fit_logistic

PENALTY = 2.0
THRESHOLDS = (0.12, 0.16, 0.2, 0.24, 0.28, 0.34)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One turn: what is said of each memory that was looked at, and which of them help."""

    writer: str
    needs: bool
    rows: tuple[tuple[float, float, float], ...]  # log-odds by occasion, by the turn alone, by reading
    helps: tuple[bool, ...]


def ask(writer: str) -> list[Asked]:
    return asyncio.run(_ask(writer))


async def _ask(writer: str) -> list[Asked]:
    corpus = load(only={writer})
    found: list[Asked] = []
    with tempfile.TemporaryDirectory() as folder:
        async with Garden.open(Path(folder) / "garden.db") as garden:
            numbers: dict[str, int] = {}
            for row in corpus.gardens[writer].values():
                verdict = await garden.remember(
                    row["text"], scope=GLOBAL, category=Category(row["cat"]), allow=("not-lasting",)
                )
                if not isinstance(verdict, Refused):
                    numbers[verdict.memory.id] = row["m"]
            await garden.settle()
            opened = garden._opened
            chooser, store = opened.turns._chooser, opened.store
            embedder, classifier = opened.models.get(), await opened.models.get_classifier_async()
            assert classifier is not None
            model = (embedder.model.id, embedder.model.name)
            for row in corpus.turns:
                if "not" in row:
                    continue
                text = row["turn"]
                reading = await chooser.read_turn(text)
                request = Request(
                    query=text, scopes=(GLOBAL,), kinds=("memory",), categories=STATED, limit=CANDIDATES, deep=False,
                    turned=await chooser.turned(reading),
                )  # fmt: skip
                results = (await recall(request, store=store, embedder=embedder, now=garden.now())).results
                likely = await chooser._likely(
                    text,
                    results,
                    vector=embedder.embed_query(text),
                    judged=await chooser.read(text, embedder),
                    model=model,
                    items=len(numbers),
                )
                seen = [each for each in results if each.id in (likely or {})]
                by_turn: Mapping[str, float] = {}
                if reading is not None:
                    by_turn = shares_of_turn(reading, await store.vectors(model[0], [each.id for each in seen]))
                read = classifier.helps(focus(text)[0], [each.content for each in seen])
                found.append(
                    Asked(
                        writer=writer,
                        needs=bool(row["helps"]),
                        rows=tuple(
                            (_odds((likely or {})[each.id]), _odds(by_turn.get(each.id, 0.0)), _odds(score))
                            for each, score in zip(seen, read, strict=True)
                        ),
                        helps=tuple(numbers.get(each.id) in row["helps"] for each in seen),
                    )
                )
    return found


def _odds(share: float) -> float:
    return log_odds(share, least=1e-6)


def judge(turns: Sequence[Asked], weights: Sequence[float], threshold: float, kinds: Sequence[int]) -> list[int]:
    """Turns helped, turns that need help, right and all memories shown, quiet turns, turns that need none."""
    counts = [0] * 6
    for turn in turns:
        before = [weights[0] + sum(weights[1 + n] * row[k] for n, k in enumerate(kinds) if k != 2) for row in turn.rows]
        order = sorted(range(len(before)), key=lambda at: -before[at])[:READ_MAX]
        last = weights[1 + list(kinds).index(2)] if 2 in kinds else 0.0
        likely = {at: share_of(before[at] + last * turn.rows[at][2]) for at in order}
        least = max(threshold, BESIDE_BEST_MIN * max(likely.values(), default=0.0))
        shown = [at for at in sorted(likely, key=lambda at: -likely[at]) if likely[at] >= least][:MEMORIES_MAX]
        right = sum(turn.helps[at] for at in shown)
        if turn.needs:
            counts[0] += right > 0
            counts[1] += 1
        else:
            counts[4] += not shown
            counts[5] += 1
        counts[2] += right
        counts[3] += len(shown)
    return counts


def main() -> None:
    writers = sys.argv[1:] or sorted({row["w"] for row in load("validate").turns})
    with ProcessPoolExecutor(max_workers=2) as pool:
        by_writer = dict(zip(writers, pool.map(ask, writers), strict=True))
    for name, kinds in {"reading": (0, 2), "turn": (0, 1, 2), "turn and reading": (1, 2)}.items():
        totals: dict[float, list[int]] = defaultdict(lambda: [0] * 6)
        for held, turns in by_writer.items():
            weights = fitted([turn for writer, rows in by_writer.items() if writer != held for turn in rows], kinds)
            for threshold in THRESHOLDS:
                counts = judge(turns, weights, threshold, kinds)
                totals[threshold] = [a + b for a, b in zip(totals[threshold], counts, strict=True)]
        print(name, np.round(fitted([turn for rows in by_writer.values() for turn in rows], kinds), 3).tolist())
        for threshold, (helped, need, right, shown, quiet, none) in totals.items():
            print(f"  {threshold}: {helped / need:.3f} / {right / max(1, shown):.3f} / {quiet / none:.3f}", flush=True)
    print("now", SHOWN_MIN)


def fitted(turns: Sequence[Asked], kinds: Sequence[int]) -> Sequence[float]:
    rows = [[1.0, *(row[k] for k in kinds)] for turn in turns for row in turn.rows]
    weights: Sequence[float] = fit_logistic(
        np.array(rows), np.array([float(each) for turn in turns for each in turn.helps]), penalty=PENALTY
    )
    return weights


if __name__ == "__main__":
    main()
