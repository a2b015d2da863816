"""Trains the network with fixed seeds. One batch answers one kind of question; all kinds share the encoder."""

from __future__ import annotations

import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.nn.utils.rnn import pad_sequence

from nightgarden.models.classifier import heads
from nightgarden.models.encoding import Task
from train.corpus import Corpus
from train.encoder import Classifier
from train.tasks import Example, examples
from train.workers import Workers

TOKEN_WEIGHT = {"keep": 1.0, "category": 0.3, "personal": 0.3, "change": 0.3, "secret": 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How long and how fast to train."""

    epochs: int = 3
    rate: float = 6e-5
    head_rate: float = 1e-3
    seed: int = 7
    share: float = 1.0  # of the examples of an epoch that are read
    glossed: float | None = None  # of those in another language, where it differs
    shares: Mapping[str, float] = field(default_factory=dict)  # of single tasks, by name, where they differ
    batch: int = 32
    half: bool = False  # whether products are computed in 16 bits, which takes half the time where the machine can

    def share_of(self, example: Example) -> float:
        share = self.shares.get(example.task.name.lower(), self.share)
        return self.glossed if share and example.glossed and self.glossed is not None else share


KNOWN_MAX = 40_000  # inputs whose lower states are kept, about 1 GB


class Bottom:
    """What the frozen layers make of each input, computed once as long as there is room."""

    def __init__(self, model: Classifier, words: Tensor) -> None:
        self._encoder = model.encoder
        self._words = words
        self._known: dict[tuple[int, ...], Tensor] = {}

    def collate(self, batch: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
        """States below the trained part, shapes and mask of a batch, padded to its longest input."""
        if len(self._known) > KNOWN_MAX:
            self._known = dict(list(self._known.items())[KNOWN_MAX // 2 :])
        self._learn([e for e in batch if e.encoded.ids not in self._known])
        states = pad_sequence([self._known[e.encoded.ids].float() for e in batch], batch_first=True)
        shapes = pad_sequence([torch.tensor(e.encoded.shapes) for e in batch], batch_first=True)
        mask = pad_sequence([torch.ones(len(e.encoded.ids), dtype=torch.long) for e in batch], batch_first=True)
        return states, shapes, mask

    def _learn(self, batch: Sequence[Example]) -> None:
        if not batch:
            return
        ids = pad_sequence([torch.tensor(e.encoded.ids) for e in batch], batch_first=True)
        segments = pad_sequence([torch.tensor(e.encoded.segments) for e in batch], batch_first=True)
        mask = pad_sequence([torch.ones(len(e.encoded.ids), dtype=torch.long) for e in batch], batch_first=True)
        with torch.no_grad():
            states = self._encoder.below(self._words[ids], segments, mask).half()
        for row, example in enumerate(batch):
            self._known[example.encoded.ids] = states[row, : len(example.encoded.ids)].clone()


def _some(corpus: Corpus, also: Corpus | None, plan: Plan, rng: random.Random) -> list[Example]:
    found = examples(corpus, rng)
    more = [] if also is None else examples(also, rng)
    some = [each for each in found if rng.random() < plan.share_of(each)]
    return [*some, *(each for each in more if plan.shares.get(each.task.name.lower(), 1.0) > 0)]


def _batches(found: list[Example], size: int, rng: random.Random) -> Iterator[list[Example]]:
    """Batches of one task and of like length, in random order."""
    by_task: dict[int, list[Example]] = defaultdict(list)
    for example in found:
        by_task[example.task].append(example)
    batches = []
    for rows in by_task.values():
        rows = sorted(rows, key=lambda e: len(e.encoded.ids) + rng.random() * 12)
        batches += [rows[i : i + size] for i in range(0, len(rows), size)]
    rng.shuffle(batches)
    yield from batches


def loss_of(whole: Tensor, token: Tensor, batch: Sequence[Example]) -> Tensor:
    """The loss of all questions that the batch answers."""
    total = torch.zeros(())
    weights = torch.tensor([e.weight for e in batch])
    for name, logits in _parts(whole, "whole"):
        if name not in batch[0].whole:
            continue
        if logits.shape[-1] == 1:
            target = torch.tensor([float(e.whole[name][0]) for e in batch])
            each = F.binary_cross_entropy_with_logits(logits[:, 0], target, reduction="none")
        else:
            allowed = torch.full_like(logits, float("-inf"))
            for row, e in enumerate(batch):
                allowed[row, list(e.whole[name])] = 0.0
            each = torch.logsumexp(logits, -1) - torch.logsumexp(logits + allowed, -1)
        total = total + (each * weights).mean()
    for name, logits in _parts(token, "token"):
        if name not in batch[0].token:
            continue
        target = torch.full(logits.shape[:2], -1)
        for row, e in enumerate(batch):
            values = e.token[name]
            for position, word in enumerate(e.encoded.words):
                if word >= 0:
                    target[row, position] = values[word]
        asked = target >= 0
        if not asked.any():
            continue
        if logits.shape[-1] == 1:
            each = F.binary_cross_entropy_with_logits(logits[asked][:, 0], target[asked].float())
        else:
            each = F.cross_entropy(logits[asked], target[asked])
        total = total + TOKEN_WEIGHT[name] * each
    return total


def occasion_loss(model: Classifier, states: Tensor, batch: Sequence[Example], vectors: Mapping[str, Any]) -> Tensor:
    """Listwise: the memories that help against the rest of the garden and against nothing at all."""
    assert model.occasion is not None
    turned, nothing = model.occasion(model.dropout(states[:, 0]))
    each = []
    for row, example in enumerate(batch):
        scores = torch.from_numpy(vectors[example.garden]) @ turned[row]
        likely = torch.log_softmax(torch.cat([scores, nothing[row : row + 1]]), 0)
        each.append(torch.logsumexp(likely[list(example.helps)], 0) if example.helps else likely[-1])
    return -torch.stack(each).mean()


def _parts(logits: Tensor, of: str) -> Iterator[tuple[str, Tensor]]:
    start = 0
    for name, size in heads(of).items():  # type: ignore[arg-type]
        yield name, logits[..., start : start + size]
        start += size


def fit(
    model: Classifier,
    bottom: Bottom,
    corpus: Corpus,
    plan: Plan,
    *,
    say: bool = True,
    save: Path | None = None,
    workers: Workers | None = None,
    also: Corpus | None = None,
) -> None:
    """Trains in place; `save` names a file for the weights after each epoch. With workers each does its share of every
    batch, and all take the same step. `also` is read whole, whatever share of the rest."""
    workers = workers or Workers()
    torch.manual_seed(plan.seed + workers.rank)
    rng = random.Random(plan.seed)
    slow = [p for layer in model.encoder.trained for p in layer.parameters() if p.requires_grad]
    fast = [p for name, p in model.named_parameters() if not name.startswith("encoder") or name == "encoder.shapes"]
    optimizer = torch.optim.AdamW(
        [{"params": slow, "lr": plan.rate}, {"params": fast, "lr": plan.head_rate}], weight_decay=0.01, fused=True
    )
    read = _some(corpus, also, plan, rng)
    steps = sum(1 for _ in _batches(read, plan.batch, random.Random(0))) * plan.epochs
    warm = max(1, steps // 12)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min((step + 1) / warm, max(0.02, (steps - step) / max(1, steps - warm)))
    )
    started, seen = time.monotonic(), 0
    for epoch in range(plan.epochs):
        model.train()
        losses: dict[str, list[float]] = defaultdict(list)
        read = read if epoch == 0 else _some(corpus, also, plan, rng)  # other negatives, other swaps
        for whole_batch in _batches(read, plan.batch, rng):
            batch = workers.share(whole_batch)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=plan.half):
                states = model.encoder.above(*bottom.collate(batch))
                answer = model.answer(states) if batch[0].task is not Task.OCCASION else None
            if answer is None:
                loss = occasion_loss(model, states.float(), batch, corpus.vectors)
            else:
                loss = loss_of(answer[0].float(), answer[1].float(), batch)
            optimizer.zero_grad()
            loss.backward()
            workers.average([*slow, *fast])
            torch.nn.utils.clip_grad_norm_([*slow, *fast], 1.0)
            optimizer.step()
            schedule.step()
            losses[batch[0].task.name].append(loss.item())
            seen += len(whole_batch)
            if say and workers.rank == 0 and sum(map(len, losses.values())) % 200 == 0:
                told = " ".join(
                    f"{name.lower()} {sum(v[-50:]) / len(v[-50:]):.3f}" for name, v in sorted(losses.items())
                )
                print(f"  {seen}: {told} ({seen / (time.monotonic() - started):.0f} a second)", flush=True)
        if save is not None and workers.rank == 0:
            torch.save(model.state_dict(), save)
        if say and workers.rank == 0:
            told = " ".join(f"{name.lower()} {sum(v) / len(v):.3f}" for name, v in sorted(losses.items()))
            print(f"epoch {epoch + 1}: {told} ({seen / (time.monotonic() - started):.0f} a second)", flush=True)
