"""Writes the deep network as it ships: a graph with what was learned in eight bits, and for the published matrices only
where their bytes lie in the file that `nightgarden models fetch` brings.

Products with published matrices are those of the file itself: whole numbers, with each token of the input rounded to
eight bits as it comes. The graph reads one input at a time and knows no padding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from nightgarden.models.classifier_networks import OCCASION
from train.adapters import SCALE, Adapted
from train.encoder import HEADS, HIDDEN, Classifier, Layer, Occasion
from train.published import LINEARS, TABLES, Place, Published, Quantised

OPSET, IR_VERSION = 20, 9
OUTPUTS = ("whole", "token")
LEAST_SCALE = 1e-6  # above the smallest number of 16 bits
MIDDLE = 128  # of the 256 numbers that an input is rounded to


class _Graph:
    """Nodes and tensors as they are added."""

    def __init__(self, published: Published) -> None:
        self._published = published
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: dict[str, onnx.TensorProto] = {}
        self._count = 0

    def add(self, operation: str, *inputs: str, outputs: int = 1, **attributes: Any) -> tuple[str, ...]:
        names = tuple(f"v{self._count + number}" for number in range(outputs))
        self._count += outputs
        self.nodes.append(helper.make_node(operation, list(inputs), list(names), **attributes))
        return names

    def one(self, operation: str, *inputs: str, **attributes: Any) -> str:
        return self.add(operation, *inputs, **attributes)[0]

    def constant(self, name: str, value: np.ndarray) -> str:
        tensor = numpy_helper.from_array(value, name)
        if self.tensors.setdefault(name, tensor) != tensor:
            raise ValueError(f"two tensors are called {name}")
        return name

    def halved(self, name: str, value: np.ndarray) -> str:
        """Numbers in 16 bits."""
        return self.one("Cast", self.constant(name, value.astype(np.float16)), to=TensorProto.FLOAT)

    def learned(self, name: str, matrix: np.ndarray) -> str:
        """A matrix in eight bits with a scale for each column, as the numbers it stands for."""
        scale = np.maximum(np.abs(matrix).max(0) / 127.0, LEAST_SCALE).astype(np.float16)
        whole = np.clip(np.round(matrix / scale.astype(np.float32)), -127, 127).astype(np.int8)
        cast = self.one("Cast", self.constant(f"{name}.8", whole), to=TensorProto.FLOAT)
        return self.one("Mul", cast, self.halved(f"{name}.scale", scale))

    def places(self, name: str) -> Quantised:
        return self._published.places(name)

    def published(self, place: Place) -> str:
        tensor = TensorProto(name=place.name, data_type=place.data_type, dims=place.dims)
        tensor.data_location = TensorProto.EXTERNAL
        where = {"location": self._published.path.name, "offset": place.offset, "length": place.length}
        for key, value in where.items():
            tensor.external_data.add(key=key, value=str(value))
        self.tensors[place.name] = tensor
        return place.name

    def look_up(self, table: str, rows: str) -> str:
        places = self.places(f"embeddings.{table}")
        found = self.one("Gather", self.published(places.values), rows)
        return self.one("DequantizeLinear", found, self.published(places.scale), self.published(places.zero))

    def rounded(self, x: str) -> tuple[str, str]:
        """Whole numbers from 0 to 255 around the middle, and the scale of each token. One scale for all tokens, as is
        usual, is set by the few with very large numbers, and what the others say is lost in it."""
        peak = self.one("ReduceMax", self.one("Abs", x), self.constant("last", np.array([-1])), keepdims=1)
        reach = self.constant("reach", np.array(MIDDLE - 1, dtype=np.float32))
        scale = self.one("Div", self.one("Max", peak, self.constant("least", np.array(1e-9, dtype=np.float32))), reach)
        middle = self.constant("middle.float", np.array(MIDDLE, dtype=np.float32))
        whole = self.one("Add", self.one("Round", self.one("Div", x, scale)), middle)
        return self.one("Cast", whole, to=TensorProto.UINT8), scale

    def norm(self, x: str, name: str, weight: np.ndarray, bias: np.ndarray) -> str:
        parts = (self.halved(f"{name}.weight", weight), self.halved(f"{name}.bias", bias))
        return self.one("LayerNormalization", x, *parts, epsilon=1e-12)


def write_deep(model: Classifier, published: Published, path: Path) -> Path:
    """The file, ready to be shipped."""
    graph = _Graph(published)
    length = graph.one("Gather", graph.one("Shape", "ids"), graph.constant("one", np.array(1)))
    zero, step = graph.constant("zero", np.array(0)), graph.constant("step", np.array(1))
    places = graph.one("Range", zero, length, step)
    words, positions, segments = (
        graph.look_up(table, rows) for table, rows in zip(TABLES, ("ids", places, "segments"), strict=True)
    )
    encoder = model.encoder
    x = graph.one("Add", graph.one("Add", words, segments), positions)
    x = graph.norm(x, "norm", _array(encoder.norm.weight), _array(encoder.norm.bias))
    for number, layer in enumerate(encoder.layers):
        if number == encoder.frozen:
            x = graph.one("Add", x, graph.one("Gather", graph.halved("shapes.table", _array(encoder.shapes)), "shapes"))
        assert isinstance(layer, Layer)
        x = _layer(graph, x, layer, number)
    first = graph.one("Gather", x, zero, axis=1)
    if model.occasion is not None:
        _occasion(graph, first, model.occasion)
    pooled = graph.one("MatMul", first, graph.learned("pool", _array(model.pool.weight).T))
    pooled = graph.one("Tanh", graph.one("Add", pooled, graph.halved("pool.bias", _array(model.pool.bias))))
    for output, state, heads in (("whole", pooled, model.whole), ("token", x, model.token)):
        weight = np.concatenate([_array(head.weight) for head in heads.values()]).T
        bias = np.concatenate([_array(head.bias) for head in heads.values()])
        product = graph.one("MatMul", state, graph.halved(f"{output}.weight", weight))
        graph.nodes.append(helper.make_node("Add", [product, graph.constant(f"{output}.bias", bias)], [output]))
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"]) for name in ("ids", "segments", "shapes")
    ]
    named = OUTPUTS if model.occasion is None else (*OUTPUTS, OCCASION)
    outputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in named]
    made = helper.make_graph(graph.nodes, "deep", inputs, outputs, list(graph.tensors.values()))
    written = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    path.write_bytes(written.SerializeToString(deterministic=True))
    return path


def _occasion(graph: _Graph, first: str, occasion: Occasion) -> None:
    """The vector and, as its last number, what it takes to matter more than nothing."""
    vector = graph.one("MatMul", first, graph.learned("occasion", _array(occasion.towards.weight).T))
    vector = graph.one("Add", vector, graph.halved("occasion.bias", _array(occasion.towards.bias)))
    vector = graph.one("LpNormalization", vector, axis=-1, p=2)
    nothing = graph.one("MatMul", vector, graph.halved("nothing.weight", _array(occasion.nothing.weight).T))
    nothing = graph.one("Add", nothing, graph.constant("nothing.bias", _array(occasion.nothing.bias)))
    both = graph.one("Concat", vector, nothing, axis=-1)
    scale = graph.constant("occasion.length", _array(occasion.scale))
    graph.nodes.append(helper.make_node("Mul", [both, scale], [OCCASION]))


def _layer(graph: _Graph, x: str, layer: Layer, number: int) -> str:
    rounded = graph.rounded(x)
    query, key, value = (_linear(graph, x, rounded, layer, number, field) for field in ("query", "key", "value"))
    shape = graph.constant("heads", np.array([0, 0, HEADS, HIDDEN // HEADS]))
    query, value = (
        graph.one("Transpose", graph.one("Reshape", each, shape), perm=[0, 2, 1, 3]) for each in (query, value)
    )
    key = graph.one("Transpose", graph.one("Reshape", key, shape), perm=[0, 2, 3, 1])
    scores = graph.one("MatMul", query, key)
    root = graph.constant("root", np.array((HIDDEN // HEADS) ** -0.5, dtype=np.float32))
    mixed = graph.one("MatMul", graph.one("Softmax", graph.one("Mul", scores, root), axis=-1), value)
    mixed = graph.one("Transpose", mixed, perm=[0, 2, 1, 3])
    mixed = graph.one("Reshape", mixed, graph.constant("joined", np.array([0, 0, HIDDEN])))
    mixed = _linear(graph, mixed, None, layer, number, "out")
    norm = layer.norm_attention
    x = graph.norm(graph.one("Add", x, mixed), f"{number}.norm_attention", _array(norm.weight), _array(norm.bias))
    wide = graph.one("Gelu", _linear(graph, x, None, layer, number, "wide"))
    narrow = _linear(graph, wide, None, layer, number, "narrow")
    norm = layer.norm_out
    return graph.norm(graph.one("Add", x, narrow), f"{number}.norm_out", _array(norm.weight), _array(norm.bias))


def _linear(graph: _Graph, x: str, rounded: tuple[str, str] | None, layer: Layer, number: int, field: str) -> str:
    """The published product, the bias and, where there is one, what was learned beside it."""
    linear = getattr(layer, field)
    places = graph.places(f"encoder.layer.{number}.{LINEARS[field]}")
    whole, scale = rounded or graph.rounded(x)
    weight, weight_zero = graph.published(places.values), graph.published(places.zero)
    zero = graph.constant("middle", np.array(MIDDLE, dtype=np.uint8))
    product = graph.one("Cast", graph.one("MatMulInteger", whole, weight, zero, weight_zero), to=TensorProto.FLOAT)
    # One scale after the other: onnxruntime takes their product for a single one, and computes something else.
    product = graph.one("Mul", graph.one("Mul", product, scale), graph.published(places.scale))
    result = graph.one("Add", product, graph.halved(f"{number}.{field}.bias", _array(linear.bias)))
    if isinstance(linear, Adapted):
        thin = graph.one("MatMul", x, graph.learned(f"{number}.{field}.down", _array(linear.down).T))
        added = graph.one("MatMul", thin, graph.learned(f"{number}.{field}.up", SCALE * _array(linear.up).T))
        result = graph.one("Add", result, added)
    return result


def _array(tensor: object) -> np.ndarray:
    return tensor.detach().numpy().astype(np.float32)  # type: ignore[attr-defined]
