"""Trains a deep network: twelve layers on published weights, of which only thin matrices beside the upper eight are
learned. The first stands on those of bge-small, the second (`--second`) on those of the reranker; only the first is
asked what a turn alone needs. `python -m train.deep [--second] [--public FOLDER] [--out FOLDER]`; above an hour each on
two cores, with fixed seeds. Needs the extra [train] and the files that `nightgarden models fetch` brings.
"""

from __future__ import annotations

import argparse
import json

import torch

from nightgarden.models.classifier_files import DEEP_NETWORK, SECOND_NETWORK
from nightgarden.models.model_files import DEEP_NETWORKS
from train.adapters import adapt
from train.encoder import DEEP_FROZEN, DEEP_LAYERS, Classifier
from train.evaluate import report
from train.export_deep import write_deep
from train.fit import Bottom, Plan
from train.public import load_public, warm_up
from train.published import Published, load_published
from train.run import add_options, learn, load_start, start, validating
from train.shipped import load_shipped

EPOCHS = 2
RATE = 4e-4  # thin matrices start from nothing and take more than whole ones


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, epochs=EPOCHS, rate=RATE)
    parser.add_argument("--second", action="store_true", help="the second network, on the weights of the reranker")
    start(parser, lambda chosen: DEEP_NETWORKS[_network(chosen)], train)


def _network(chosen: argparse.Namespace) -> str:
    return SECOND_NETWORK if chosen.second else DEEP_NETWORK


def train(rank: int, chosen: argparse.Namespace) -> None:
    """What each worker does; the first one also judges and writes."""
    torch.set_num_threads(1)
    torch.manual_seed(Plan().seed)
    published = Published(chosen.base)
    model = Classifier(layers=DEEP_LAYERS, frozen=DEEP_FROZEN, extra={"nli": 3}, occasion=not chosen.second)
    words = load_published(model, published)
    adapt(model)
    bottom = Bottom(model, words)
    if chosen.start is not None:
        load_start(model, chosen.start, load_shipped)
    elif chosen.public is not None:
        warm_up(model, bottom, load_public(chosen.public), rate=RATE, half=True)  # each worker the same
        if chosen.save is not None and rank == 0:
            torch.save(model.state_dict(), chosen.save.with_suffix(".public"))
    if chosen.second:
        chosen.shares = [*chosen.shares, "occasion=0"]
    learn(model, bottom, rank, chosen)
    if rank == 0:
        figures = report(model, bottom, validating(chosen.noted))
        print(json.dumps({name: round(value, 3) for name, value in figures.items()}), flush=True)
        print(write_deep(model, published, chosen.out / _network(chosen)), flush=True)


if __name__ == "__main__":
    main()
