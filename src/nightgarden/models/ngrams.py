"""The network of the multilingual sentence encoder: embeddings of pieces, three convolutions over neighbouring ones,
a sum over the text and four dense layers. Plain numpy; one text is one run, so no vector depends on its company.

The weights are those of Google's universal-sentence-encoder-multilingual (version 3), with six bits a number in the
table of pieces. How near it is to other implementations: docs/why/embedding-model.md."""

from __future__ import annotations

import ctypes
import threading
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from nightgarden.domain.ports import Vector
from nightgarden.errors import ModelUnavailable
from nightgarden.models.model_files import ModelFile
from nightgarden.models.sentencepiece import SentencePiece

_TABLES = 17  # the pieces' vectors lie in so many tables, piece n in table n modulo this
_WINDOWS = ((2, 0), (3, 1), (5, 2))  # width of each convolution, and how much of it lies before the piece
# By the age of numpy.
_SET_THREADS = ("scipy_openblas_set_num_threads64_", "openblas_set_num_threads64_", "openblas_set_num_threads")


class NgramEncoder:
    """One model, loaded at the first text. Safe to share between threads."""

    def __init__(self, file: ModelFile, *, tokens_max: int) -> None:
        self._file = file
        self._tokens_max = tokens_max
        self._lock = threading.Lock()
        self._loaded: tuple[SentencePiece, _Network] | None = None

    @property
    def loaded(self) -> bool:
        return self._loaded is not None

    def load(self) -> None:
        """Raises ModelUnavailable when the files cannot be read."""
        self._open()

    def vector(self, text: str) -> Vector:
        tokenizer, network = self._open()
        return network.run(tokenizer.encode(text, tokens_max=self._tokens_max))

    def _open(self) -> tuple[SentencePiece, _Network]:
        with self._lock:
            if self._loaded is None:
                try:
                    assert self._file.vocabulary is not None, "the catalog names one for this kind of model"
                    tokenizer = SentencePiece(self._file.vocabulary.read_bytes())
                    with self._file.path.open("rb") as raw, np.load(raw, allow_pickle=False) as kept:
                        self._loaded = tokenizer, _Network(kept)
                    _use_one_thread()
                except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
                    name = f"{self._file.model.name} at {self._file.path}"
                    again = "Run `nightgarden models fetch --multilingual` again."
                    raise ModelUnavailable(f"{name} cannot be loaded: {error}. {again}") from error
            return self._loaded


class _Network:
    """The arrays of the file, under the names that they have there."""

    def __init__(self, kept: Any) -> None:
        rows, width = kept["q1"].shape
        self._pieces = np.empty((rows * _TABLES, width), dtype=np.uint8)  # 66 MB; as floats it would be 262
        for number in range(_TABLES):
            self._pieces[number::_TABLES] = kept[f"q{number + 1}"]
        self._at = {name: np.asarray(kept[name]) for name in kept.files if not name.startswith("q")}
        self._eps = np.float32(self._at["eps"])
        self._projection, self._shift, self._gains, self._shifts = (
            np.concatenate([self._at[f"{name}{width}"] for width, _ in _WINDOWS], axis=-1)
            for name in ("proj", "proj_b", "ln_g", "ln_b")
        )

    def run(self, ids: list[int]) -> Vector:
        """The unit vector of one text."""
        at, where = self._at, np.asarray(ids)
        table = where % _TABLES
        embedded = self._pieces[where] * at["scale"][table, None] + at["lo"][table, None]
        projected = self._even(embedded @ self._projection + self._shift, self._gains, self._shifts)
        shares = np.split(projected, len(_WINDOWS), axis=1)
        parts = [self._convolve(x, width, before) for x, (width, before) in zip(shares, _WINDOWS, strict=True)]
        features = self._even(np.hstack([embedded, *parts]), at["ln_g"], at["ln_b"])
        count = np.float32(len(ids))
        summed = (features.sum(axis=0) @ at["cnn_W"] + count * at["cnn_b"]) / np.sqrt(count)
        hidden = _positive(summed @ at["p1"] + _positive(summed @ at["d0"]) @ at["d1"])
        made = np.tanh(hidden @ at["p3"] + _positive(hidden @ at["d2"]) @ at["d3"])
        unit: Vector = (made / np.linalg.norm(made)).astype(np.float32)
        return unit

    def _convolve(self, x: Vector, width: int, before: int) -> Vector:
        """Two convolutions over each piece and its neighbours, each added to what it was made of."""
        at = self._at
        for layer in (1, 2):
            padded = np.pad(x, ((before, width - 1 - before), (0, 0)))
            windows = np.hstack([padded[start : start + len(x)] for start in range(width)])
            x = x + _positive(windows @ at[f"w{layer}_{width}"] + at[f"b{layer}_{width}"])
        return x

    def _even(self, x: Vector, gain: Vector, shift: Vector) -> Vector:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + self._eps)
        evened: Vector = centred / spread * gain + shift
        return evened


def _use_one_thread() -> None:
    """Tells the library that multiplies for numpy to use one thread, in the whole process. The matrices of one text are
    so small that two only wait for each other: on a busy machine 219 ms a sentence instead of 3. Other libraries than
    OpenBLAS are left as they are; that costs time and nothing else."""
    numpy = Path(np.__file__).parent
    for library in (*numpy.parent.glob("numpy.libs/*openblas*"), *numpy.glob(".dylibs/*openblas*")):
        loaded = ctypes.CDLL(str(library))  # the one that numpy has loaded
        for name in _SET_THREADS:
            if hasattr(loaded, name):
                getattr(loaded, name)(1)


def _positive(x: Vector) -> Vector:
    found: Vector = np.maximum(x, 0)
    return found
