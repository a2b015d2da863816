"""What training runs of both networks have in common: their options, their processes, and how they go on from weights
that were saved or shipped."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import torch
from bench.judgement import real_talk
from torch import multiprocessing

from nightgarden.models.catalog import BGE_SMALL, KnownModel
from nightgarden.models.local import LocalEmbedder
from nightgarden.models.model_files import ModelFile, find_model
from train.corpus import Corpus, load, writers
from train.encoder import Classifier
from train.fit import Bottom, Plan, fit
from train.nearness import rank_memories
from train.noted import read_notes
from train.workers import Workers, join

OUT = Path(__file__).parent.parent / "src" / "nightgarden" / "models" / "data"


def add_options(parser: argparse.ArgumentParser, *, epochs: int, rate: float) -> None:
    """The options of both networks."""
    parser.add_argument("--base", type=Path, default=None, help="its base, if it is not where `models fetch` puts it")
    parser.add_argument("--public", type=Path, default=None, help="folder with snli_1.0_dev.jsonl, breaking_nli.jsonl")
    parser.add_argument("--talk", type=Path, default=None, help="folder of BEAM's chats, of which some are labelled")
    parser.add_argument("--noted", type=Path, default=None, help="what `python -m train.noted` wrote")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--epochs", type=int, default=epochs)
    parser.add_argument("--share", type=float, default=1.0, help="of the examples of an epoch")
    parser.add_argument("--glossed", type=float, default=None, help="of those in another language, if it differs")
    parser.add_argument("--shares", nargs="*", default=(), help="of single tasks, where they differ: pair=0.3")
    parser.add_argument("--batch", type=int, default=Plan().batch)
    parser.add_argument("--writers", type=int, default=None, help="the first so many only, for a learning curve")
    parser.add_argument("--whole", nargs="*", default=(), help="writers who are read whole, whatever the share")
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--start", type=Path, default=None, help="weights saved before, or the file that ships")
    parser.add_argument("--save", type=Path, default=None, help="where to save the weights, after each epoch")
    parser.add_argument("--seed", type=int, default=Plan().seed, help="another one for a second run")
    parser.add_argument("--workers", type=int, default=2)


def start(
    parser: argparse.ArgumentParser,
    base_of: Callable[[argparse.Namespace], KnownModel],
    work: Callable[[int, argparse.Namespace], None],
) -> None:
    """Reads the options and starts the workers; each gets its number and the options."""
    chosen = parser.parse_args()
    base = base_of(chosen)
    if chosen.base is None:
        if (found := find_model(base)) is None:
            parser.error(f"{base.name} is not here; run `nightgarden models fetch` first")
        chosen.base = found.path
    if chosen.workers > 1:
        multiprocessing.spawn(work, (chosen,), nprocs=chosen.workers)
    else:
        work(0, chosen)


def load_start(model: Classifier, path: Path, load_shipped: Callable[[Classifier, Path], None]) -> None:
    """Weights saved before, or those of the file that ships."""
    if path.suffix == ".onnx":
        load_shipped(model, path)
    else:
        model.load_state_dict(torch.load(path))


def learn(model: Classifier, bottom: Bottom, rank: int, chosen: argparse.Namespace) -> None:
    """Reads the tuning writers as the options say. Which memories are hardest to tell apart is read off bge-small."""
    workers = join(rank, chosen.workers) if chosen.workers > 1 else Workers()
    plan = Plan(
        epochs=chosen.epochs,
        rate=chosen.rate,
        share=chosen.share,
        glossed=chosen.glossed,
        shares={name: float(share) for name, share in (each.split("=") for each in chosen.shares)},
        batch=chosen.batch,
        seed=chosen.seed,
        half=True,
    )
    if not plan.epochs:
        return
    names = sorted(w for w, row in writers().items() if row["part"] == "tune")[: chosen.writers]
    corpus, also = load(only=set(names)), load(only=set(chosen.whole)) if chosen.whole else Corpus()
    if chosen.noted is not None:  # read whole: it is what the product compares
        read_notes(chosen.noted, corpus)
        also.notes, corpus.notes = corpus.notes, {}
        also.told.update((f"{book}/history", corpus.told[f"{book}/history"]) for book in also.notes)
    if chosen.talk is not None:
        also.messages += real_talk.to_learn(chosen.talk)
    embedder = _embedder()
    also.nearest, also.vectors = corpus.nearest, corpus.vectors  # most of them are among the tuning writers
    for part in (corpus, also):
        rank_memories(part, embedder)
    fit(model, bottom, corpus, plan, save=chosen.save, workers=workers, also=also)


def validating(noted: Path | None = None) -> Corpus:
    """The validating writers, with what `report` asks of them."""
    corpus = load("validate")
    if noted is not None:
        read_notes(noted, corpus)
    rank_memories(corpus, _embedder())
    return corpus


def _embedder() -> LocalEmbedder:
    file = find_model(BGE_SMALL)
    assert file is not None
    return LocalEmbedder(ModelFile(model=BGE_SMALL, path=file.path), threads=1)
