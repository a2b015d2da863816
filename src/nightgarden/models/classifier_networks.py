"""The networks of the built-in classifier, opened and run. They answer the same questions in the same order.

The small one is whole in the package. The deep ones have twelve layers and stand on the weights of the embedding model
and of the reranker that `nightgarden models fetch` brings: the package has only what they learned beside them, and
where in those files each published matrix lies. How they differ in judgement and cost: docs/why/classifier.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nightgarden.errors import ModelUnavailable
from nightgarden.models.classifier_files import NETWORK, UNREADABLE, WORDS, damaged
from nightgarden.models.encoding import Encoded
from nightgarden.models.model_files import ModelFile
from nightgarden.models.session import open_session
from nightgarden.models.wordpiece import UNKNOWN

if TYPE_CHECKING:
    import onnxruntime as ort

Numbers = NDArray[Any]
BATCH = 8  # inputs in one run of the small network; more gain little and take more memory
OCCASION = "occasion"  # the first deep network's third output


class ClassifierNetwork(Protocol):
    """What a classifier asks."""

    def run(self, inputs: Sequence[Encoded]) -> list[tuple[Numbers, Numbers]]:
        """For each input the numbers of the whole, and those of each of its pieces."""
        ...


class SmallNetwork:
    """Six layers in four bits, with word vectors of its own."""

    def __init__(self, folder: Path, *, threads: int) -> None:
        self._session = open_network(folder / NETWORK, threads=threads)
        self._words = WordVectors(folder / WORDS)

    def run(self, inputs: Sequence[Encoded]) -> list[tuple[Numbers, Numbers]]:
        order = sorted(range(len(inputs)), key=lambda i: len(inputs[i].ids))
        answers: dict[int, tuple[Numbers, Numbers]] = {}
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            whole, token = self._session.run(None, self._words.batch([inputs[i] for i in some]))
            answers |= {i: (whole[row], token[row][: len(inputs[i].ids)]) for row, i in enumerate(some)}
        return [answers[i] for i in range(len(inputs))]


class DeepNetwork:
    """Twelve layers on published weights. One input at a time: its graph knows no padding, and on one core a batch of
    inputs of several lengths would take no less time."""

    def __init__(self, path: Path, base: ModelFile, *, threads: int) -> None:
        self.model_name = base.model.name
        self._session = open_network(path, threads=threads, weights_folder=base.path.parent)

    def run(self, inputs: Sequence[Encoded]) -> list[tuple[Numbers, Numbers]]:
        return [self._run_one(each) for each in inputs]

    def occasion(self, turn: Encoded) -> Numbers:
        """Of a turn read alone: a vector in the space of the model that the network stands on, and a last number."""
        numbers: Numbers = self._session.run([OCCASION], _rows(turn))[0][0]
        return numbers

    def _run_one(self, encoded: Encoded) -> tuple[Numbers, Numbers]:
        whole, token = self._session.run(["whole", "token"], _rows(encoded))
        return whole[0], token[0]


def open_network(path: Path, *, threads: int, weights_folder: Path | None = None) -> ort.InferenceSession:
    """Raises ModelDamaged, naming the file."""
    try:
        return open_session(path, path.name, threads=threads, weights_folder=weights_folder)
    except ModelUnavailable as error:
        cause = error.__cause__
        if not isinstance(cause, Exception) or isinstance(cause, ImportError):
            raise
        raise damaged(path.name, cause) from error


def _rows(encoded: Encoded) -> dict[str, Numbers]:
    rows = {"ids": encoded.ids, "segments": encoded.segments, "shapes": encoded.shapes}
    return {name: np.array([row], dtype=np.int64) for name, row in rows.items()}


class WordVectors:
    """The word vectors, four bits a number, and how a batch is made of them."""

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as raw, np.load(raw) as file:
                self._packed, self._scales, self._rows = file["packed"], file["scales"], file["rows"]
        except UNREADABLE as error:
            raise damaged(WORDS, error) from error

    def batch(self, inputs: Sequence[Encoded]) -> dict[str, Numbers]:
        length = max(len(each.ids) for each in inputs)
        ids, segments, shapes, mask = (np.zeros((len(inputs), length), dtype=np.int64) for _ in range(4))
        for row, each in enumerate(inputs):
            size = len(each.ids)
            ids[row, :size], segments[row, :size] = each.ids, each.segments
            shapes[row, :size], mask[row, :size] = each.shapes, 1
        return {"words": self._vectors(ids), "segments": segments, "shapes": shapes, "mask": mask}

    def _vectors(self, ids: Numbers) -> Numbers:
        rows = self._rows[ids]  # pieces that were never seen in training have no row of their own
        rows = np.where(rows < 0, self._rows[UNKNOWN], rows)
        packed = self._packed[rows]
        numbers = np.empty((*packed.shape[:-1], packed.shape[-1] * 2), dtype=np.float32)
        numbers[..., 0::2] = packed & 15
        numbers[..., 1::2] = packed >> 4
        vectors: Numbers = (numbers - 8.0) * self._scales[rows].astype(np.float32)[..., None]
        return vectors
