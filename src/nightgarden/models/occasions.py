"""When a memory matters: read off the vectors that are there anyway, by small matrices fitted on turns of many writers.

What helps at a turn is often said in other words and about another thing: "deploy the new version this evening" needs
"nothing is deployed after four". A matrix of low rank turns the vector of a turn towards statements that matter in such
work; a second part says whether a turn is of a kind that needs any memory at all. `python -m train.occasions` makes the
file again; what was measured: docs/why/injection.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from nightgarden.domain.ports import Vector
from nightgarden.errors import ModelUnavailable
from nightgarden.models.classifier_files import OCCASIONS, UNREADABLE, classifier_folder, damaged


@dataclass(frozen=True, slots=True, kw_only=True)
class Turning:
    """How a model's vector of a turn is compared with those of memories: by cosine and by a matrix of low rank."""

    cosine: float
    left: Vector  # of the turn
    right: Vector  # of memories

    def turned(self, turn: Vector) -> Vector:
        """The vector whose product with a memory's is their match."""
        return np.asarray(self.cosine * turn + self.right @ (self.left.T @ turn), dtype=np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """What a turn's vector says, and how each memory matches it."""

    matches: tuple[float, ...]
    cosines: tuple[float, ...]
    matters: float  # whether any of them matters more than none, by the matrices
    needs: float  # whether turns of this kind need a memory, whatever there is; log-odds


class Occasions:
    """The fitted matrices. Cheap to ask: a few thousand multiplications."""

    def __init__(self, folder: Path | None = None, *, name: str = OCCASIONS) -> None:
        path = (folder or classifier_folder()) / name
        try:
            with np.load(path, allow_pickle=False) as kept:
                arrays: dict[str, Any] = {name: kept[name] for name in kept.files}
            self._turnings = {name: _turning(arrays, name) for name in map(str, arrays["models"])}
            self.judge = str(arrays["judge"])  # the model that `read` wants vectors of
            self._matters, self._matters_from = arrays["matters"].astype(np.float32), float(arrays["matters_from"])
            self._needs, self._needs_from = arrays["needs"].astype(np.float32), float(arrays["needs_from"])
            self.weights = tuple(float(weight) for weight in arrays["weights"])  # see recall/showing.py
        except (FileNotFoundError, NotADirectoryError) as error:
            raise ModelUnavailable(f"{path} is missing; install nightgarden again") from error
        except UNREADABLE as error:
            raise damaged(path.name, error) from error

    def turn(self, model_name: str, vector: Vector) -> Vector | None:
        """The vector to search with for what matters at a turn, of length one; None for a model it does not know."""
        known = self._turnings.get(model_name)
        if known is None:
            return None
        turned = known.turned(vector)
        return np.asarray(turned / max(float(np.linalg.norm(turned)), 1e-9), dtype=np.float32)

    def read(self, turn: Vector, memories: Vector) -> Occasion:
        """Vectors of the judge: of the turn, and one row per memory."""
        matches = memories @ self._turnings[self.judge].turned(turn)
        return Occasion(
            matches=tuple(matches.tolist()),
            cosines=tuple((memories @ turn).tolist()),
            matters=float(self._matters @ turn) - self._matters_from,
            needs=float(self._needs @ turn) + self._needs_from,
        )


def _turning(arrays: dict[str, Any], name: str) -> Turning:
    def whole(side: str) -> Vector:
        return np.asarray(arrays[f"{name}/{side}"] * arrays[f"{name}/{side}-scale"], dtype=np.float32)

    return Turning(cosine=float(arrays[f"{name}/cosine"]), left=whole("left"), right=whole("right"))
