"""What the networks that ship have learned, read back out of their files, so that training can go on from there. The
deep one's thin matrices come back as they were stored, in eight bits, the small one's in four."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from train.adapters import SCALE, Adapted
from train.encoder import Classifier
from train.published import LINEARS, NORMS


def load_shipped(model: Classifier, path: Path) -> None:
    """Puts the learned numbers of a file that `train.export_deep` wrote into an adapted model."""
    graph = onnx.load(path, load_external_data=False).graph
    stored = {t.name: numpy_helper.to_array(t) for t in graph.initializer if not t.external_data}

    def put(parameter: Tensor, value: np.ndarray) -> None:
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(value.astype(np.float32, order="C")))

    def learned(name: str) -> np.ndarray:
        matrix: np.ndarray = stored[f"{name}.8"].astype(np.float32) * stored[f"{name}.scale"].astype(np.float32)
        return matrix

    encoder = model.encoder
    put(encoder.shapes[: len(stored["shapes.table"])], stored["shapes.table"])  # a question may have come since
    for number, layer in enumerate(encoder.layers):
        for field in LINEARS:
            linear = getattr(layer, field)
            if isinstance(linear, Adapted):
                put(linear.bias, stored[f"{number}.{field}.bias"])
                put(linear.down, learned(f"{number}.{field}.down").T)
                put(linear.up, learned(f"{number}.{field}.up").T / SCALE)
        if number >= encoder.frozen:
            for field in NORMS:
                put(getattr(layer, field).weight, stored[f"{number}.{field}.weight"])
                put(getattr(layer, field).bias, stored[f"{number}.{field}.bias"])
    put(model.pool.weight, learned("pool").T)
    put(model.pool.bias, stored["pool.bias"])
    if model.occasion is not None and "occasion.bias" in stored:
        put(model.occasion.towards.weight, learned("occasion").T)
        put(model.occasion.towards.bias, stored["occasion.bias"])
        put(model.occasion.nothing.weight, stored["nothing.weight"].T)
        put(model.occasion.nothing.bias, stored["nothing.bias"])
        put(model.occasion.scale, stored["occasion.length"])
    for kind, heads in (("whole", model.whole), ("token", model.token)):
        start = 0
        for head in heads.values():
            assert isinstance(head, nn.Linear)
            end = start + head.out_features
            put(head.weight, stored[f"{kind}.weight"].T[start:end])
            put(head.bias, stored[f"{kind}.bias"][start:end])
            start = end


def load_shipped_small(model: Classifier, path: Path) -> None:
    """Puts the numbers of a file that `train.export` wrote into a model."""
    graph = onnx.load(path).graph
    stored = {tensor.name: tensor for tensor in graph.initializer}
    state = {name: torch.from_numpy(numpy_helper.to_array(tensor).astype(np.float32)) for name, tensor in stored.items()
             if name.startswith(("encoder.", "whole.", "token.", "pool."))}  # fmt: skip
    for node in graph.node:
        if node.op_type != "MatMul" or "_" not in node.input[1]:
            continue
        owner = node.name.strip("/").removesuffix("MatMul").strip("/").replace("/", ".") or "pool"
        source = node.input[1].removesuffix("_f").removesuffix("_32")
        if f"{source}_4" in stored:
            matrix = _from_four_bits(stored[f"{source}_4"], stored[f"{source}_scale"], stored[f"{source}_zero"])
        elif source in stored:
            matrix = numpy_helper.to_array(stored[source])
        else:
            continue  # a product of two things that are computed
        name = f"token.{owner}" if f"token.{owner}.bias" in state else owner
        state[f"{name}.weight"] = torch.from_numpy(np.ascontiguousarray(matrix.T.astype(np.float32)))
    shapes = model.encoder.shapes.detach().clone()
    shapes[: len(state["encoder.shapes"])] = state["encoder.shapes"]  # a question may have come since
    missing, unknown = model.load_state_dict(state | {"encoder.shapes": shapes}, strict=False)
    if unknown or any(not name.startswith("extra.") for name in missing):
        raise ValueError(f"{path} is not what train.export writes: {missing} {unknown}")


def _from_four_bits(numbers: onnx.TensorProto, scales: onnx.TensorProto, zeros: onnx.TensorProto) -> np.ndarray:
    whole, scale, zero = (numpy_helper.to_array(each).astype(np.float32) for each in (numbers, scales, zeros))
    size = whole.shape[0] // scale.shape[0]
    shaped = whole.reshape(scale.shape[0], size, whole.shape[1])
    matrix: np.ndarray = ((shaped - zero[:, None]) * scale[:, None]).reshape(whole.shape)
    return matrix
