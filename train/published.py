"""A published BERT in the int8 form of onnxruntime's quantiser: its numbers, and where in the file each tensor lies.

The deep network ships without the published matrices: its graph names their places in the file that `nightgarden
models fetch` brings, so they are there once and known by their hash."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from train.encoder import Classifier

LINEARS = {
    "query": "attention.self.query",
    "key": "attention.self.key",
    "value": "attention.self.value",
    "out": "attention.output.dense",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
}
NORMS = {"norm_attention": "attention.output.LayerNorm", "norm_out": "output.LayerNorm"}
TABLES = ("word_embeddings", "position_embeddings", "token_type_embeddings")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One tensor of the file: what it is and where its bytes are."""

    name: str
    dims: tuple[int, ...]
    data_type: int
    offset: int
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantised:
    """A matrix of whole numbers with its scales and zero points."""

    values: Place
    scale: Place
    zero: Place


class Published:
    """The file, read once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._bytes = path.read_bytes()
        graph = onnx.load_from_string(self._bytes).graph
        self._tensors = {tensor.name: tensor for tensor in graph.initializer}
        self._prefix = "bert." if any(name.startswith("bert.") for name in self._tensors) else ""
        self._matrices: dict[str, str] = {}  # of a layer's linear, or of a table: the name of its whole numbers
        for node in graph.node:
            name = node.name.strip("/").removeprefix("bert/").replace("/", ".")
            if node.op_type == "MatMulInteger" and node.input[1] in self._tensors:
                self._matrices[name.removesuffix(".MatMul_quant")] = node.input[1]
            elif node.op_type == "Gather" and node.input[0].endswith("_quantized"):
                self._matrices[name.removesuffix("_quant").removesuffix(".Gather")] = node.input[0]

    def plain(self, name: str) -> np.ndarray:
        """A tensor that is stored as it is: a bias, a norm."""
        return numpy_helper.to_array(self._tensors[self._prefix + name])

    def dequantised(self, name: str) -> np.ndarray:
        values, scale, zero = (numpy_helper.to_array(self._tensors[each]) for each in self._names(name))
        result: np.ndarray = (values.astype(np.float32) - zero.astype(np.float32)) * scale.astype(np.float32)
        return result

    def places(self, name: str) -> Quantised:
        values, scale, zero = (self._place(each) for each in self._names(name))
        return Quantised(values=values, scale=scale, zero=zero)

    def _names(self, name: str) -> tuple[str, str, str]:
        values = self._matrices[name]
        stem = values.removesuffix("_quantized")
        return values, f"{stem}_scale", f"{stem}_zero_point"

    def _place(self, name: str) -> Place:
        tensor = self._tensors[name]
        raw = tensor.raw_data or numpy_helper.to_array(tensor).tobytes()
        offset = self._bytes.find(raw)
        if offset < 0:
            raise ValueError(f"{name} is not stored as raw bytes")
        return Place(name=name, dims=tuple(tensor.dims), data_type=tensor.data_type, offset=offset, length=len(raw))


def load_published(model: Classifier, file: Published) -> Tensor:
    """Puts the published weights into the encoder and returns the word vectors."""

    def put(parameter: nn.Parameter, value: np.ndarray) -> None:
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(value)))

    words, positions, segments = (file.dequantised(f"embeddings.{name}") for name in TABLES)
    encoder = model.encoder
    put(encoder.positions, positions[: len(encoder.positions)])
    put(encoder.segments, segments)
    put(encoder.norm.weight, file.plain("embeddings.LayerNorm.weight"))
    put(encoder.norm.bias, file.plain("embeddings.LayerNorm.bias"))
    for number, layer in enumerate(encoder.layers):
        for field, name in LINEARS.items():
            put(getattr(layer, field).weight, file.dequantised(f"encoder.layer.{number}.{name}").T)
            put(getattr(layer, field).bias, file.plain(f"encoder.layer.{number}.{name}.bias"))
        for field, name in NORMS.items():
            put(getattr(layer, field).weight, file.plain(f"encoder.layer.{number}.{name}.weight"))
            put(getattr(layer, field).bias, file.plain(f"encoder.layer.{number}.{name}.bias"))
    return torch.from_numpy(words)
