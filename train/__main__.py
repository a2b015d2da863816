"""`make train`: makes the classifier's two files again from the labelled data, with fixed seeds. About an hour on two
cores. Needs the extra [train], the base weights (`nightgarden models fetch`) and, for the first pass, the public pairs.

    python -m train --base FILE.onnx [--public FOLDER] [--out FOLDER] [--writers N]

`--writers N` trains on the first N of the writers for tuning, for the learning curve.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import torch

from nightgarden.models.classifier_files import WORDS
from train.corpus import Corpus, load, writers
from train.encoder import Classifier, load_base
from train.evaluate import report
from train.export import as_shipped, write_network, write_words
from train.fit import Bottom, Plan, fit
from train.public import load_public, warm_up
from train.rounding import keep_rounded, round_weights
from train.vocabulary import used_pieces

OUT = Path(__file__).parent.parent / "src" / "nightgarden" / "models" / "data"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base", type=Path, required=True, help="all-MiniLM-L6-v2, int8, as `models fetch` stores it")
    parser.add_argument("--public", type=Path, default=None, help="folder with snli_1.0_dev.jsonl, breaking_nli.jsonl")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--writers", type=int, default=None)
    parser.add_argument("--epochs", type=int, default=Plan().epochs)
    parser.add_argument("--start", type=Path, default=None, help="weights saved after the public pairs")
    parser.add_argument("--save", type=Path, default=None, help="where to save the weights after each epoch")
    parser.add_argument("--threads", type=int, default=2)
    chosen = parser.parse_args()
    torch.set_num_threads(chosen.threads)
    torch.manual_seed(Plan().seed)
    model = Classifier(extra={"nli": 3})
    words = load_base(model, chosen.base)
    bottom = Bottom(model, as_shipped(words))
    if chosen.start is not None:
        model.load_state_dict(torch.load(chosen.start))
    elif chosen.public is not None:
        warm_up(model, bottom, load_public(chosen.public))
    corpus = _tuning(chosen.writers)
    round_weights(model)
    bottom = Bottom(model, as_shipped(words))
    fit(model, bottom, corpus, Plan(epochs=chosen.epochs), save=chosen.save)
    keep_rounded(model)
    figures = report(model, bottom, load("validate"))
    print(json.dumps({name: round(value, 3) for name, value in figures.items()}), flush=True)
    chosen.out.mkdir(parents=True, exist_ok=True)
    write_network(model, chosen.out)
    write_words(words, used_pieces(), chosen.out / WORDS)


def _tuning(count: int | None) -> Corpus:
    names = sorted(w for w, row in writers().items() if row["part"] == "tune")
    return load(only=set(names[:count] if count is not None else names))


if __name__ == "__main__":
    main()
