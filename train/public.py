"""Public entailment pairs (SNLI's development part, Breaking NLI; both CC BY-SA 4.0), learned from before our own data:
they teach the encoder to read two sentences against each other. Their own three-way head is dropped afterwards."""

from __future__ import annotations

import json
import random
import time
from pathlib import Path

import torch
from torch.nn import functional as F

from nightgarden.models.classifier import lay_out
from nightgarden.models.encoding import Task
from train.encoder import Classifier
from train.fit import Bottom, Plan
from train.tasks import Example

BATCH = Plan().batch
LABELS = ("entailment", "neutral", "contradiction")
BREAKING_MAX = 5_000  # its sentences repeat; more of them teach its words, not reading


def load_public(folder: Path, seed: int = 7) -> list[tuple[str, str, int]]:
    """Premise, hypothesis and label, shuffled. Empty when the folder is not there."""
    found: list[tuple[str, str, int]] = []
    for name, most in (("snli_1.0_dev.jsonl", 100_000), ("breaking_nli.jsonl", BREAKING_MAX)):
        if not (folder / name).is_file():
            continue
        rows = [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        rows = [row for row in rows if row.get("gold_label") in LABELS]
        random.Random(seed).shuffle(rows)
        found += [(r["sentence1"], r["sentence2"], LABELS.index(r["gold_label"])) for r in rows[:most]]
    random.Random(seed).shuffle(found)
    return found


def warm_up(
    model: Classifier, bottom: Bottom, rows: list[tuple[str, str, int]], *, rate: float = 6e-5, half: bool = False
) -> None:
    """One pass over the pairs."""
    model.train()
    trained = [p for layer in model.encoder.trained for p in layer.parameters() if p.requires_grad]
    trained += [*model.extra.parameters(), *model.pool.parameters(), model.encoder.shapes]
    optimizer = torch.optim.AdamW(trained, lr=rate, weight_decay=0.01, fused=True)
    steps = len(rows) // BATCH
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda s: min((s + 1) / 60, max(0.1, 1 - s / steps)))
    right, started = 0, time.monotonic()
    for step in range(steps):
        some = rows[step * BATCH : (step + 1) * BATCH]
        batch = [Example(task=Task.PAIR, encoded=lay_out(Task.PAIR, a, b)) for a, b, _ in some]
        gold = torch.tensor([label for _, _, label in some])
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=half):
            logits = model.extra["nli"](model.pooled(model.encoder.above(*bottom.collate(batch))))
        loss = F.cross_entropy(logits.float(), gold)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimizer.step()
        schedule.step()
        right += int((logits.argmax(-1) == gold).sum())
        if step % 50 == 49:
            pace = step * BATCH / (time.monotonic() - started)
            print(f"public {step + 1}/{steps}: {right / (50 * BATCH):.3f} right, {pace:.0f} a second", flush=True)
            right = 0
