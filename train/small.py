"""Trains the small network: makes the classifier's two files again from the labelled data, with fixed seeds. About two
hours on two cores. Needs the extra [train], the base weights (`nightgarden models fetch`) and, for the first pass, the
public pairs.

    python -m train.small [--public FOLDER] [--out FOLDER] [--start FILE]
"""

from __future__ import annotations

import argparse
import json

import torch

from nightgarden.models.catalog import MINILM
from nightgarden.models.classifier_files import WORDS
from train.encoder import Classifier, load_base
from train.evaluate import report
from train.export import as_shipped, write_network, write_words
from train.fit import Bottom, Plan
from train.public import load_public, warm_up
from train.rounding import keep_rounded, round_weights
from train.run import add_options, learn, load_start, start, validating
from train.shipped import load_shipped_small
from train.vocabulary import used_pieces


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser, epochs=Plan().epochs, rate=Plan().rate)
    start(parser, lambda _: MINILM, train)


def train(rank: int, chosen: argparse.Namespace) -> None:
    """What each worker does; the first one also judges and writes."""
    torch.set_num_threads(1)
    torch.manual_seed(Plan().seed)
    model = Classifier(extra={"nli": 3})
    words = load_base(model, chosen.base)
    if chosen.start is not None:
        load_start(model, chosen.start, load_shipped_small)
    elif chosen.public is not None:
        warm_up(model, Bottom(model, as_shipped(words)), load_public(chosen.public))  # each worker the same
    round_weights(model)
    bottom = Bottom(model, as_shipped(words))
    chosen.shares = [*chosen.shares, "occasion=0"]  # what only the deep network is asked
    learn(model, bottom, rank, chosen)
    if rank == 0:
        keep_rounded(model)
        figures = report(model, bottom, validating(chosen.noted))
        print(json.dumps({name: round(value, 3) for name, value in figures.items()}), flush=True)
        chosen.out.mkdir(parents=True, exist_ok=True)
        write_network(model, chosen.out)
        write_words(words, *used_pieces(), chosen.out / WORDS)


if __name__ == "__main__":
    main()
