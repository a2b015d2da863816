"""Trains the deep network: twelve layers on the published weights of bge-small, of which only thin matrices beside the
upper eight are learned. `python -m train.deep [--public FOLDER] [--out FOLDER]`; above an hour on two cores, with fixed
seeds. Needs the extra [train] and the file that `nightgarden models fetch` brings.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch
from torch import multiprocessing

from nightgarden.models.catalog import BGE_SMALL
from nightgarden.models.local import LocalEmbedder
from nightgarden.models.model_files import ModelFile, find_model
from train.__main__ import OUT
from train.adapters import adapt
from train.corpus import Corpus, load
from train.encoder import DEEP_FROZEN, DEEP_LAYERS, Classifier
from train.evaluate import report
from train.export_deep import write_deep
from train.fit import Bottom, Plan, fit
from train.nearness import rank_memories
from train.public import load_public, warm_up
from train.published import Published, load_published
from train.shipped import load_shipped
from train.workers import Workers, join

EPOCHS = 2
RATE = 4e-4  # thin matrices start from nothing and take more than whole ones


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, default=None, help="bge-small, if it is not where `models fetch` puts it")
    parser.add_argument("--public", type=Path, default=None, help="folder with snli_1.0_dev.jsonl, breaking_nli.jsonl")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--share", type=float, default=1.0, help="of the examples of an epoch")
    parser.add_argument("--whole", nargs="*", default=(), help="writers who are read whole, whatever the share")
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--start", type=Path, default=None, help="weights saved before, or the file that ships")
    parser.add_argument("--save", type=Path, default=None, help="where to save the weights, after each epoch")
    parser.add_argument("--seed", type=int, default=Plan().seed, help="another one for a second run")
    parser.add_argument("--workers", type=int, default=2)
    chosen = parser.parse_args()
    if chosen.base is None:
        if (found := find_model(BGE_SMALL)) is None:
            parser.error("bge-small is not here; run `nightgarden models fetch` first")
        chosen.base = found.path
    if chosen.workers > 1:
        multiprocessing.spawn(train, (chosen,), nprocs=chosen.workers)
    else:
        train(0, chosen)


def train(rank: int, chosen: argparse.Namespace) -> None:
    """What each worker does; the first one also judges and writes."""
    torch.set_num_threads(1)
    torch.manual_seed(Plan().seed)
    published = Published(chosen.base)
    model = Classifier(layers=DEEP_LAYERS, frozen=DEEP_FROZEN, extra={"nli": 3})
    words = load_published(model, published)
    adapt(model)
    bottom = Bottom(model, words)
    if chosen.start is not None and chosen.start.suffix == ".onnx":
        load_shipped(model, chosen.start)
    elif chosen.start is not None:
        model.load_state_dict(torch.load(chosen.start))
    elif chosen.public is not None:
        warm_up(model, bottom, load_public(chosen.public), rate=RATE, half=True)  # each worker the same
        if chosen.save is not None and rank == 0:
            torch.save(model.state_dict(), chosen.save.with_suffix(".public"))
    workers = join(rank, chosen.workers) if chosen.workers > 1 else Workers()
    plan = Plan(epochs=chosen.epochs, rate=chosen.rate, share=chosen.share, seed=chosen.seed, half=True)
    if plan.epochs:
        corpus, also = load("tune"), load(only=set(chosen.whole)) if chosen.whole else Corpus()
        embedder = LocalEmbedder(ModelFile(model=BGE_SMALL, path=chosen.base), threads=1)
        also.nearest = corpus.nearest  # most of them are among the tuning writers
        for part in (corpus, also):
            rank_memories(part, embedder)
        fit(model, bottom, corpus, plan, save=chosen.save, workers=workers, also=also)
    if rank == 0:
        figures = report(model, bottom, load("validate"))
        print(json.dumps({name: round(value, 3) for name, value in figures.items()}), flush=True)
        print(write_deep(model, published, chosen.out), flush=True)


if __name__ == "__main__":
    main()
