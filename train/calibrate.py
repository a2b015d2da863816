"""Fits the weights of `nightgarden/remember/likelihood.py` on the validating writers and writes them as a module.

    python -m train.calibrate [--out FILE]

Prints what leaving one writer out gives, and recall at fixed precision. Needs the classifier and the embedding model
that `nightgarden models fetch` brings, no training framework.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from bench.judgement.__main__ import find_embedder

from nightgarden.domain.classify import VectorScores
from nightgarden.domain.ports import Embedder
from nightgarden.models.classifier import BuiltInClassifier
from nightgarden.models.models_of_settings import load_classifier
from nightgarden.remember import weights as fitted
from nightgarden.remember.compare.guards import signs
from nightgarden.remember.likelihood import features
from train.corpus import Corpus, load
from train.evaluate_scores import auc, recall_at
from train.tasks import beside

OUT = Path(__file__).parent.parent / "src" / "nightgarden" / "remember" / "weights.py"
CLASSES = ("both stand", "same", "changes")
RIDGE = 50.0  # strength of the pull of all weights towards nothing
STEPS = 60
NAMES_SWAPPED = 8  # place of that feature, the constant counted
BY_VECTORS = 2  # features from vectors, the last ones
Array = np.ndarray[Any, Any]


def table(rows: Sequence[dict[str, Any]], embedder: Embedder, classifier: BuiltInClassifier) -> tuple[Array, Array]:
    """Features and classes of labelled pairs."""
    found, gold = [], []
    for row in rows:
        one, other = embedder.embed([row["a"], row["b"]])
        scores = classifier.relate_to(row["b"], [row["a"]])[0]
        said = classifier.compare_vectors(embedder.model.name, other, [one])
        by_vectors = said[0] if said else VectorScores(same=0.0, changes=0.0)
        found.append(features(scores, signs(row["a"], row["b"]), by_vectors))
        gold.append(CLASSES.index(row["rel"]) if row["rel"] in CLASSES else 0)
    return np.array(found), np.array(gold)


def known_pairs(corpus: Corpus) -> list[dict[str, Any]]:
    """Labelled pairs, of families every other one, since they outnumber the rest; and what stands beside each statement
    of a notebook without having to do with it, the two likest by words, as in a garden."""
    alone = [row for row in corpus.pairs if "family" not in row]
    found = [*alone, *[row for row in corpus.pairs if "family" in row][::2]]
    for rows in corpus.told.values():
        for row, others in beside(rows):
            found += [{"w": row["w"], "a": each["text"], "b": row["text"], "rel": "unrelated"} for each in others[:2]]
    return found


def fit(x: Array, y: Array) -> Array:
    """Weights of the second and third class against the first: the constant, then one for each feature."""
    middle, spread = x.mean(0), x.std(0) + 1e-9
    z = np.hstack([np.ones((len(x), 1)), (x - middle) / spread])
    size, count = z.shape[1], len(CLASSES) - 1
    w = np.zeros(size * count)
    pull = np.tile(np.r_[0.0, np.full(size - 1, RIDGE)], count)
    for _ in range(STEPS):  # Newton's method
        p = probabilities(z, w.reshape(count, size))
        gradient = np.concatenate([z.T @ (p[:, k + 1] - (y == k + 1)) for k in range(count)]) + pull * w
        blocks = [
            [z.T @ (z * (p[:, j + 1] * ((j == k) - p[:, k + 1]))[:, None]) for k in range(count)] for j in range(count)
        ]
        w = w - np.linalg.solve(np.block(blocks) + np.diag(pull + 1e-9), gradient)
    scaled: Array = w.reshape(count, size).copy()
    scaled[:, 1:] /= spread
    scaled[:, 0] -= scaled[:, 1:] @ middle
    # Names in another order never speak for a merge, whatever the few pairs that have them say.
    scaled[0, NAMES_SWAPPED] = min(0.0, scaled[0, NAMES_SWAPPED])
    return scaled


def probabilities(z: Array, w: Array) -> Array:
    e = np.exp(np.hstack([np.zeros((len(z), 1)), np.clip(z @ w.T, -50, 50)]))
    shares: Array = e / e.sum(1, keepdims=True)
    return shares


def predict(x: Array, w: Array) -> Array:
    return probabilities(np.hstack([np.ones((len(x), 1)), x]), w)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--networks", nargs="+", choices=("SMALL", "DEEP"), default=("SMALL", "DEEP"))
    chosen = parser.parse_args()
    embedder = find_embedder(None)
    if embedder is None:
        parser.error("no embedding model: run `nightgarden models fetch` first")
    rows = known_pairs(load("validate"))
    writers = np.array([row["w"] for row in rows])
    # Those of a network that is not asked for stay.
    names = [f"{network}{ending}" for network in ("SMALL", "DEEP") for ending in ("", "_WITH_VECTORS")]
    weights: dict[str, Array] = {name: np.array(getattr(fitted, name)) for name in names}
    networks = {"SMALL": BuiltInClassifier(), "DEEP": load_classifier(())}
    for name in chosen.networks:
        classifier = networks[name]
        x, y = table(rows, embedder, classifier)
        without = x[:, :-BY_VECTORS]
        for what, some in (("without vectors", without), ("with vectors", x)):
            tell(f"{name.lower()}, {what}", some, y, writers)
        weights |= {name: fit(without, y), f"{name}_WITH_VECTORS": fit(x, y)}
    chosen.out.write_text(module(weights), encoding="utf-8")


def tell(what: str, x: Array, y: Array, writers: Array) -> None:
    """What leaving one writer out gives."""
    held = np.zeros((len(y), len(CLASSES)))
    for writer in sorted(set(writers)):
        inside = writers == writer
        held[inside] = predict(x[inside], fit(x[~inside], y[~inside]))
    for k, name in enumerate(CLASSES[1:], 1):
        scores, truth = list(held[:, k]), list(y == k)
        at = {p: round(recall_at(scores, truth, precision=p), 2) for p in (0.8, 0.9, 0.95)}
        print(f"{what}, {name}: area {auc(scores, truth):.3f}, recall at precision {at}", flush=True)


def module(weights: Mapping[str, Array]) -> str:
    parts = []
    for name, rows in weights.items():
        lines = ["    (\n" + "".join(f"        {value:.3f},\n" for value in row) + "    ),\n" for row in rows]
        parts.append(f"{name} = (\n{''.join(lines)})\n")
    return (
        '"""Weights of likelihood.py, written by `python -m train.calibrate`: for each network, with and without'
        ' vectors,\nthose of "same" and of "changes"; the constant first, then one for each feature."""\n\n'
        + "".join(parts)
    )


if __name__ == "__main__":
    main()
