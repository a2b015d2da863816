"""One model file opened with onnxruntime and its tokenizer, on first use. Knows no pooling and no scores."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from nightgarden.domain.ports import Vector
from nightgarden.errors import ModelUnavailable
from nightgarden.models.model_files import ModelFile
from nightgarden.models.wordpiece import WordPiece, bert_uncased

if TYPE_CHECKING:
    import onnxruntime as ort

THREADS = 2  # 2.9 ms a query instead of 5.1 on two free cores; on a busy machine one is as good


class LazySession:
    """A model that costs nothing until it is run. Safe to share between threads."""

    def __init__(self, file: ModelFile, *, threads: int) -> None:
        self._file = file
        self._threads = threads
        self._lock = threading.Lock()
        self._session: ort.InferenceSession | None = None

    @property
    def loaded(self) -> bool:
        return self._session is not None

    @property
    def tokenizer(self) -> WordPiece:
        return bert_uncased()  # every model of the catalog reads the same vocabulary

    def run(self, ids: Sequence[int], segments: Sequence[int] | None = None) -> Vector:
        """The model's first output for one text, or for one pair when segments are given."""
        tokens = np.asarray([ids], dtype=np.int64)
        kinds = np.zeros_like(tokens) if segments is None else np.asarray([segments], dtype=np.int64)
        inputs = {"input_ids": tokens, "attention_mask": np.ones_like(tokens), "token_type_ids": kinds}
        outputs: list[Any] = self.load().run(None, inputs)
        result: Vector = outputs[0][0]
        return result

    def load(self) -> ort.InferenceSession:
        """The open session. Raises ModelUnavailable when onnxruntime cannot read the file."""
        with self._lock:
            if self._session is None:
                name = f"{self._file.model.name} at {self._file.path}"
                self._session = open_session(self._file.path, name, threads=self._threads)
            return self._session


def open_session(path: Path, name: str, *, threads: int, weights_folder: Path | None = None) -> ort.InferenceSession:
    """A network opened for running; `weights_folder` has the file that weights outside of it lie in. Raises
    ModelUnavailable, calling it by that name."""
    # From some version on onnxruntime reports its use to its maker: it makes a device id and a database in the home
    # folder at import, and sends. No byte leaves the machine unless the user set that up, so it is told not to first.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime as ort  # here because it takes 30 ms, which commands that never embed save
    except ImportError as error:
        raise ModelUnavailable(f"onnxruntime cannot be imported ({error}); reinstall nightgarden.") from error
    ort.disable_telemetry_events()
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    # The arena keeps its largest block for good: 1.7 GB in batches of 32. For single texts it makes no difference.
    options.enable_cpu_mem_arena = False
    options.log_severity_level = 3
    # Waiting threads would burn a core that the user's own work needs: 29 ms of CPU a text instead of 14.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    network: str | bytes = str(path)
    try:
        if weights_folder is not None:
            options.add_session_config_entry(
                "session.model_external_initializers_file_folder_path", str(weights_folder)
            )
            network = path.read_bytes()  # of a network read from a file they would be looked for beside it
        return ort.InferenceSession(network, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime raises RuntimeError or one of its own, by cause
        raise ModelUnavailable(f"{name} cannot be loaded: {error}. Run `nightgarden models fetch` again.") from error
