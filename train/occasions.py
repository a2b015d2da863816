"""Fits when a memory matters and writes `occasions.npz`: `python -m train.occasions`, 15 minutes on two quiet cores;
with `--multilingual`, for the multilingual embedding model, `occasions-multilingual.npz`.

Each tuning writer's garden is filled and each of that writer's turns recalled in the product itself. The matrices are
fitted over the vectors of turns and memories, listwise: the memories that help against the rest of the garden and
against nothing at all. The weights of `recall/showing.py` are fitted on what matrices say that were fitted without the
writer.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from nightgarden.domain.memory import GLOBAL, Category
from nightgarden.domain.other_languages import in_other_language
from nightgarden.domain.verdict import Refused
from nightgarden.garden import Garden
from nightgarden.models.classifier_files import OCCASIONS, OCCASIONS_MULTILINGUAL
from nightgarden.models.glossary import language_of
from nightgarden.models.occasions import Occasion
from nightgarden.recall.options import Request
from nightgarden.recall.query import focus
from nightgarden.recall.recall import recall
from nightgarden.recall.result import Result
from nightgarden.recall.showing import BY_EVIDENCE, BY_OCCASION, features
from nightgarden.recall.worth import JUDGE, MULTILINGUAL_JUDGE
from nightgarden.settings import EmbeddingSettings, Settings
from train.corpus import Corpus, load

FITTED_RANK = 32
EPOCHS, DROPPED, STEP = 7, 0.5, 2e-3
MATRIX_DECAY, NEEDS_PENALTY, WEIGHTS_PENALTY = 0.01, 10.0, 3.0
SCALE = 20.0  # of the matrices' share, so that steps of one size suit all parts
FOLDS, SEEDS = 5, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Models that one file is for, by their names in the settings, and which of them judges."""

    file: str
    models: dict[str, str]
    judge: str
    rank: int  # of the stored matrices
    more: float = 0.0  # log-odds asked for on top, so that one threshold serves all; chosen on the validating writers


ENGLISH = Family(file=OCCASIONS, models={"bge-small": "bge-small-en-v1.5", "minilm": JUDGE}, judge="minilm", rank=40)
# Of low rank because the package may weigh 12 MB, and the rest of it is nearly that.
MULTILINGUAL = Family(
    file=OCCASIONS_MULTILINGUAL, models={"multilingual": MULTILINGUAL_JUDGE}, judge="multilingual", rank=14, more=0.27
)


@dataclass(slots=True, kw_only=True)
class Turn:
    """One turn in one writer's garden, as one model ranked it."""

    writer: str
    text: str
    helps: frozenset[int]  # rows of the garden
    vector: Any
    results: list[tuple[int, Result]]  # with their row in the garden


@dataclass(slots=True, kw_only=True)
class Seen:
    """All turns under one model, and each garden's vectors by it."""

    turns: list[Turn]
    memories: dict[str, Any]


async def look(corpus: Corpus, writer: str, model: str, into: Seen) -> None:
    """Fills one garden and recalls its writer's turns."""
    settings = Settings(embedding=EmbeddingSettings(model=model))  # type: ignore[arg-type]
    rows = list(corpus.gardens[writer].values())
    place = {row["m"]: number for number, row in enumerate(rows)}
    with tempfile.TemporaryDirectory() as folder:
        async with Garden.open(Path(folder) / "garden.db", settings=settings) as garden:
            known: dict[str, int] = {}
            for row in rows:
                verdict = await garden.remember(
                    row["text"], scope=GLOBAL, category=Category(row["cat"]), allow=("not-lasting",)
                )
                if not isinstance(verdict, Refused):
                    known[verdict.memory.id] = place[row["m"]]
            await garden.settle()
            opened = garden._opened
            embedder = opened.models.get()
            into.memories[writer] = torch.tensor(embedder.embed([row["text"] for row in rows]))
            for row in (each for each in corpus.turns if each["w"] == writer):
                request = Request(query=row["turn"], scopes=(GLOBAL,), kinds=("memory",), limit=len(rows))
                found = await recall(request, store=opened.store, embedder=embedder, now=garden.now())
                into.turns.append(
                    Turn(
                        writer=writer,
                        text=row["turn"],
                        helps=frozenset(place[number] for number in row["helps"] if number in place),
                        vector=torch.tensor(embedder.embed_query(focus(row["turn"])[0])),
                        results=[(known[each.id], each) for each in found.results if each.id in known],
                    )
                )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """Matrices of one model."""

    cosine: float
    left: Any
    right: Any
    matters: Any
    matters_from: float

    def match(self, turn: Any, memories: Any) -> Any:
        return self.cosine * (memories @ turn) + (memories @ self.right) @ (self.left.T @ turn)


def fit(seen: Seen, writers: Sequence[str], *, seeds: int, rank: int) -> Fitted:
    """The mean of several fits, brought to one rank and rounded as it will be stored."""
    made = [_fit_once(seen, writers, seed) for seed in range(seeds)]
    whole = sum(SCALE * (left @ right.T) for left, right, *_ in made) / seeds
    u, s, v = torch.linalg.svd(whole)
    root = torch.sqrt(s[:rank])
    return Fitted(
        cosine=float(sum(each[3] for each in made) / seeds),
        left=_rounded(u[:, :rank] * root),
        right=_rounded(v[:rank].T * root),
        matters=sum(SCALE * each[2] for each in made) / seeds,
        matters_from=float(sum(each[4] for each in made) / seeds),
    )


def _fit_once(seen: Seen, writers: Sequence[str], seed: int) -> tuple[Any, ...]:
    torch.manual_seed(seed)
    size = len(seen.turns[0].vector)
    left, right = torch.randn(size, FITTED_RANK) * 0.05, torch.randn(size, FITTED_RANK) * 0.05
    matters, cosine, start = torch.zeros(size), torch.tensor(15.0), torch.tensor(12.0)
    for part in (parts := (left, right, matters, cosine, start)):
        part.requires_grad_()
    optimizer = torch.optim.AdamW(
        [
            {"params": [left, right], "weight_decay": MATRIX_DECAY},
            {"params": [matters], "weight_decay": 0.02, "lr": 0.01},
            {"params": [cosine, start], "weight_decay": 0.0, "lr": 0.05},
        ],
        lr=STEP,
    )
    by_writer = {writer: [turn for turn in seen.turns if turn.writer == writer] for writer in writers}
    drop = torch.nn.functional.dropout
    for epoch in range(EPOCHS):
        for writer in np.random.RandomState(1000 * seed + epoch).permutation(sorted(writers)):
            turns, memories = by_writer[writer], seen.memories[writer]
            asked = torch.stack([turn.vector for turn in turns])
            scores = cosine * (asked @ memories.T)
            scores = scores + SCALE * ((drop(asked, DROPPED) @ left) @ (drop(memories, DROPPED) @ right).T)
            nothing = start - SCALE * (drop(asked, DROPPED) @ matters)
            likely = torch.log_softmax(torch.cat([scores, nothing[:, None]], 1), 1)
            wanted = [
                torch.logsumexp(row[sorted(turn.helps)], 0) if turn.helps else row[-1]
                for row, turn in zip(likely, turns, strict=True)
            ]
            loss = -torch.stack(wanted).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return tuple(part.detach() for part in parts)


def _rounded(matrix: Any) -> Any:
    scale = matrix.abs().amax(0, keepdim=True) / 127
    return torch.round(matrix / scale) * scale


def fit_logistic(rows: Any, labels: Any, *, penalty: float) -> Any:
    """Weights of a logistic sum; the first column is the constant and bears no penalty."""
    x, y = torch.tensor(rows, dtype=torch.float64), torch.tensor(labels, dtype=torch.float64)
    middle, spread = x[:, 1:].mean(0), x[:, 1:].std(0)
    spread = torch.where(spread > 1e-6, spread, torch.inf)  # what never varies tells nothing
    x = torch.cat([x[:, :1], (x[:, 1:] - middle) / spread], 1)
    weights = torch.zeros(x.shape[1], dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([weights], max_iter=300, line_search_fn="strong_wolfe")

    def closure() -> Any:
        optimizer.zero_grad()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(x @ weights, y, reduction="sum")
        loss = loss + penalty * (weights[1:] ** 2).sum() / 2
        loss.backward()
        return loss

    optimizer.step(closure)
    plain = weights.detach()
    own = plain[1:] / spread
    return torch.cat([plain[:1] - (own * middle).sum(), own]).numpy()


def fit_needs(turns: Sequence[Turn]) -> Any:
    """Whether a turn needs any memory, by its vector alone."""
    rows = np.stack([np.concatenate([[1.0], turn.vector.numpy()]) for turn in turns])
    return fit_logistic(rows, [float(bool(turn.helps)) for turn in turns], penalty=NEEDS_PENALTY)


def rows_of(turn: Turn, judged: Turn, ranked: Fitted, judge: Fitted, needs: Any, seen: Seen, own: Seen) -> Any:
    """The features of what would be looked at in one turn, and whether each helps."""
    pre = ranked.match(turn.vector, own.memories[turn.writer])
    best = {row for row, _ in sorted(turn.results, key=lambda each: -float(pre[each[0]]))[:BY_OCCASION]}
    chosen = [(n, each) for k, (n, each) in enumerate(turn.results) if k < BY_EVIDENCE or n in best]
    if not chosen:
        return [], []
    memories = seen.memories[turn.writer][[row for row, _ in chosen]]
    occasion = Occasion(
        matches=tuple(judge.match(judged.vector, memories).tolist()),
        cosines=tuple((memories @ judged.vector).tolist()),
        matters=float(judge.matters @ judged.vector) - judge.matters_from,
        needs=float(needs[0] + needs[1:] @ judged.vector.numpy()),
    )
    other = in_other_language(turn.text) and not language_of(turn.text)
    rows = features(other, [each for _, each in chosen], occasion, by_judge=own is seen)
    return rows, [row in turn.helps for row, _ in chosen]


def main() -> None:
    """Looks, fits, writes."""
    family = MULTILINGUAL if "--multilingual" in sys.argv else ENGLISH
    os.environ["NG_CLASSIFIER_FOLDER"] = os.devnull  # the rules alone fill the gardens: the classifier knows them
    torch.set_num_threads(2)
    corpus = load("tune")
    writers = sorted({row["w"] for row in corpus.turns})
    seen = {model: Seen(turns=[], memories={}) for model in family.models}
    for model, into in seen.items():
        for writer in writers:
            asyncio.run(look(corpus, writer, model, into))
            print(model, writer, len(into.turns), flush=True)
    judging = seen[family.judge]
    judge_turns = judging.turns
    rows, labels = [], []
    for held in (writers[fold::FOLDS] for fold in range(FOLDS)):
        others = [writer for writer in writers if writer not in held]
        fitted = {model: fit(seen[model], others, seeds=2, rank=family.rank) for model in seen}
        needs = fit_needs([turn for turn in judge_turns if turn.writer in others])
        for model in seen:
            for turn, judged in zip(seen[model].turns, judge_turns, strict=True):
                if turn.writer in held:
                    more, truth = rows_of(
                        turn, judged, fitted[model], fitted[family.judge], needs, judging, seen[model]
                    )
                    rows += more
                    labels += truth
        print("held out", held, len(rows), flush=True)
    weights = fit_logistic(np.array(rows), np.array(labels, dtype=float), penalty=WEIGHTS_PENALTY)
    whole = {name: fit(seen[model], writers, seeds=SEEDS, rank=family.rank) for model, name in family.models.items()}
    weights[0] -= family.more
    write(family, whole, fit_needs(judge_turns), weights)


def write(family: Family, fitted: dict[str, Fitted], needs: Any, weights: Any) -> None:
    """The file, as `models/occasions.py` reads it."""
    judge_name = family.models[family.judge]
    arrays: dict[str, Any] = {"models": np.array(sorted(fitted)), "judge": np.array(judge_name), "weights": weights}
    for name, each in fitted.items():
        arrays[f"{name}/cosine"] = np.float32(each.cosine)
        for side, matrix in (("left", each.left.numpy()), ("right", each.right.numpy())):
            scale = np.abs(matrix).max(0, keepdims=True) / 127
            arrays[f"{name}/{side}"] = np.round(matrix / scale).astype(np.int8)
            arrays[f"{name}/{side}-scale"] = scale.astype(np.float32)
    judge = fitted[judge_name]
    arrays |= {"matters": judge.matters.numpy().astype(np.float16), "matters_from": np.float32(judge.matters_from)}
    arrays |= {"needs": needs[1:].astype(np.float16), "needs_from": np.float32(needs[0])}
    path = Path("src/nightgarden/models/data") / family.file
    np.savez_compressed(path, **arrays)
    print("weights", np.round(weights, 3).tolist(), path.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
