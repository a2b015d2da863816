"""How two statements relate, read off the vectors that are there anyway: a linear sum over their products and
differences, fitted on pairs of many writers. It sees less than the classifier, and other things: together they err less
than either. `python -m train.contrasts` makes the file again; what was measured: docs/why/classifier.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nightgarden.domain.classify import VectorScores
from nightgarden.domain.ports import Vector
from nightgarden.models.classifier_files import CONTRASTS, UNREADABLE, damaged

CHATTER = "/chatter"  # after the name of a model: whether a text is chatter, the constant last
PARTS = 3  # products, absolute differences, differences


class Contrasts:
    """The fitted weights, by the name of the model whose vectors they are for. Raises ModelDamaged."""

    def __init__(self, folder: Path) -> None:
        try:
            with (folder / CONTRASTS).open("rb") as raw, np.load(raw, allow_pickle=False) as kept:
                self._weights = {name: kept[name].astype(np.float32) for name in kept.files}
        except UNREADABLE as error:
            raise damaged(CONTRASTS, error) from error

    def compare(self, model_name: str, newer: Vector, older: Sequence[Vector]) -> list[VectorScores] | None:
        """One answer for each older statement; None for a model that it does not know."""
        weights = self._weights.get(model_name)
        if weights is None or weights.shape[1] != PARTS * len(newer) + 1:
            return None
        return [
            VectorScores(same=float(same), changes=float(changes)) for same, changes in _sums(weights, newer, older)
        ]

    def chatter(self, model_name: str, vector: Vector) -> float | None:
        """Whether the text of that vector is chatter, as log-odds; None for a model that it does not know."""
        weights = self._weights.get(model_name + CHATTER)
        return None if weights is None else float(weights[:-1] @ vector + weights[-1])


def parts(older: Vector, newer: Vector) -> Vector:
    """What the sum is over, one row per pair; the constant is last."""
    ones = np.ones((len(older), 1), dtype=np.float32)
    return np.hstack([older * newer, np.abs(newer - older), newer - older, ones])


def _sums(weights: Vector, newer: Vector, older: Sequence[Vector]) -> Vector:
    known = np.stack(list(older)).astype(np.float32)
    return parts(known, np.broadcast_to(newer, known.shape)) @ weights.T
