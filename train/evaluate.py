"""Scores a network on labelled rows, question by question: figures by which models are kept."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import torch

from nightgarden.models.classifier import RELATIONS, SCREENS, heads
from train import tasks
from train.corpus import Corpus
from train.encoder import Classifier
from train.evaluate_scores import auc, recall_at
from train.fit import Bottom
from train.tasks import Example

BATCH = 64
TURNS_STEP = 12  # one turn in so many is read with each memory of its garden


def run(
    model: Classifier, bottom: Bottom, found: Sequence[Example]
) -> list[tuple[dict[str, np.ndarray], dict[str, np.ndarray]]]:
    """For each example the probabilities of the whole, and for each of its words those of the word."""
    model.eval()
    order = sorted(range(len(found)), key=lambda i: len(found[i].encoded.ids))
    answers: list[tuple[dict[str, np.ndarray], dict[str, np.ndarray]]] = [({}, {})] * len(found)
    with torch.no_grad():
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            whole, token = model.answer(model.encoder.above(*bottom.collate([found[i] for i in some])))
            for row, i in enumerate(some):
                answers[i] = (_named(whole[row].numpy(), "whole"), _by_word(token[row].numpy(), found[i]))
    return answers


def _named(logits: np.ndarray, of: str) -> dict[str, np.ndarray]:
    answer, start = {}, 0
    for name, size in heads(of).items():  # type: ignore[arg-type]
        part = logits[..., start : start + size]
        answer[name] = 1 / (1 + np.exp(-part[..., 0])) if size == 1 else _softmax(part)
        start += size
    return answer


def _softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def _by_word(logits: np.ndarray, example: Example) -> dict[str, np.ndarray]:
    """The mean over each word's pieces."""
    answer = _named(logits, "token")
    words = np.array(example.encoded.words)
    size = len(example.encoded.spans)
    return {
        name: np.array([values[: len(words)][words == w].mean(0) for w in range(size)])
        for name, values in answer.items()
    }


def report(model: Classifier, bottom: Bottom, corpus: Corpus) -> dict[str, float]:
    """Figures that do not depend on a threshold."""
    figures: dict[str, float] = {}
    answers = run(model, bottom, [tasks.message(row) for row in corpus.messages])
    truth = [bool(row["keep"]) for row in corpus.messages]
    best = [float(token["keep"].max()) if len(token["keep"]) else 0.0 for _, token in answers]
    both = [float(whole["keeps"]) * peak for (whole, _), peak in zip(answers, best, strict=True)]
    figures |= {"keep auc": auc(best, truth), "keep auc whole": auc([float(w["keeps"]) for w, _ in answers], truth)}
    figures |= {"keep auc both": auc(both, truth), "keep r@p90": recall_at(both, truth, precision=0.9)}
    found = [piece for row in corpus.messages for piece in tasks.pieces(row, random.Random(0))]
    answers = run(model, bottom, found)
    truth = [bool(piece.whole["keeps"][0]) for piece in found]
    figures["piece auc"] = auc([float(whole["keeps"]) for whole, _ in answers], truth)
    answers = run(model, bottom, [tasks.pair(r["a"], r["b"], r["rel"]) for r in corpus.pairs])
    p = np.array([whole["relation"] for whole, _ in answers])
    gold = np.array([RELATIONS.index(row["rel"]) for row in corpus.pairs])
    figures["relation accuracy"] = float((p.argmax(-1) == gold).mean())
    for name in ("same", "changes"):
        index = RELATIONS.index(name)
        figures |= {f"{name} auc": auc(p[:, index], gold == index)}
        figures |= {f"{name} r@p95": recall_at(p[:, index], gold == index, precision=0.95)}
        figures |= {f"{name} r@p90": recall_at(p[:, index], gold == index, precision=0.9)}
    figures |= _noted(model, bottom, corpus)
    answers = run(model, bottom, [tasks.write(row) for row in corpus.writes])
    screen = np.array([whole["screen"] for whole, _ in answers])
    for name in ("secret", "junk"):
        scores = list(screen[:, SCREENS.index(name)])
        truth = [row["label"] == name for row in corpus.writes]
        figures |= {f"{name} auc": auc(scores, truth), f"{name} r@p98": recall_at(scores, truth, precision=0.98)}
    peaks = [float(token["secret"].max()) for _, token in answers]
    figures["secret auc words"] = auc(peaks, [row["label"] == "secret" for row in corpus.writes])
    figures |= _turns(model, bottom, corpus)
    if model.occasion is not None:
        figures |= _occasions(model, bottom, corpus)
    return figures


def _noted(model: Classifier, bottom: Bottom, corpus: Corpus) -> dict[str, float]:
    """The same of what the product noted in sessions, each beside some that it has nothing to do with."""
    rng = random.Random(0)
    made = [
        row
        for book, notes in corpus.notes.items()
        for row in tasks.noted_pairs(notes, corpus.told[f"{book}/history"], rng, strangers=tasks.ALIKE)
    ]
    if not made:
        return {}
    p = np.array([whole["relation"] for whole, _ in run(model, bottom, [tasks.pair(a, b, *r) for a, b, r, _ in made])])
    figures: dict[str, float] = {}
    for name in ("same", "changes"):
        scores, truth = p[:, RELATIONS.index(name)], [name in relations for _, _, relations, _ in made]
        figures |= {f"noted {name} auc": auc(scores, truth)}
        figures |= {f"noted {name} r@p90": recall_at(scores, truth, precision=0.9)}
    return figures


def _occasions(model: Classifier, bottom: Bottom, corpus: Corpus) -> dict[str, float]:
    """Of turns that need a memory: whether one that helps is the first, or among four; and whether it is told which
    turns need any."""
    assert model.occasion is not None
    found = tasks.occasions(corpus)
    ranks, most, needs = [], [], []
    with torch.no_grad():
        for start in range(0, len(found), BATCH):
            some = found[start : start + BATCH]
            turned, nothing = model.occasion(model.encoder.above(*bottom.collate(some))[:, 0])
            for row, each in enumerate(some):
                scores = torch.from_numpy(corpus.vectors[each.garden]) @ turned[row]
                most.append(float(torch.logsumexp(scores, 0) - nothing[row]))
                needs.append(bool(each.helps))
                if each.helps:
                    order = torch.argsort(-scores).tolist()
                    ranks.append(min(order.index(helping) for helping in each.helps))
    return {
        "occasion first": sum(rank < 1 for rank in ranks) / max(1, len(ranks)),
        "occasion in four": sum(rank < 4 for rank in ranks) / max(1, len(ranks)),
        "occasion needs auc": auc(most, needs),
    }


def _turns(model: Classifier, bottom: Bottom, corpus: Corpus) -> dict[str, float]:
    made, truth, owner = [], [], []
    turns = corpus.turns[::TURNS_STEP]
    for number, row in enumerate(turns):
        for key, memory in corpus.gardens[row["w"]].items():
            made.append(tasks.turn(row, memory["text"], helps=False))
            truth.append(key in row["helps"])
            owner.append(number)
    scores = [float(whole["helps"]) for whole, _ in run(model, bottom, made)]
    first = 0
    deserving = [n for n, row in enumerate(turns) if row["helps"]]
    for number in deserving:
        mine = [(s, t) for s, t, o in zip(scores, truth, owner, strict=True) if o == number]
        first += max(mine)[1]
    return {
        "helps auc": auc(scores, truth),
        "helps first": first / max(1, len(deserving)),
        "helps r@p60": recall_at(scores, truth, precision=0.6),
    }
