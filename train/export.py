"""Writes the trained network as it ships: layers in four bits as ONNX, word vectors in four bits beside it.

The matrices are dequantised by the runtime itself, so any onnxruntime from 1.20 on reads the file. Rare word pieces are
read as the one most like them."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor

from nightgarden.models.classifier_files import NETWORK
from train.encoder import HIDDEN, Classifier

BLOCK = 32
HALVED_BYTES_MIN = 1024
WORD_LEVELS = 7.0  # a number of a word vector is -7 … 7 times the row's scale


def quantise_words(words: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """Each row as whole numbers from -7 to 7, and the scale of the row that loses least."""
    table = words.numpy()
    best_error = np.full(len(table), np.inf)
    best = np.zeros_like(table, dtype=np.int8)
    scales = np.zeros(len(table), dtype=np.float16)
    peak = np.abs(table).max(1)
    for share in np.linspace(0.35, 1.0, 14):
        scale = (peak * share / WORD_LEVELS + 1e-12).astype(np.float16)
        numbers = np.clip(np.round(table / scale.astype(np.float32)[:, None]), -WORD_LEVELS, WORD_LEVELS)
        error = ((numbers * scale.astype(np.float32)[:, None] - table) ** 2).sum(1)
        better = error < best_error
        best[better], scales[better], best_error[better] = numbers[better], scale[better], error[better]
    return best, scales


def as_shipped(words: Tensor) -> Tensor:
    """The word vectors as the runtime will see them; training uses these, so that nothing is lost afterwards."""
    numbers, scales = quantise_words(words)
    return torch.from_numpy(numbers.astype(np.float32) * scales.astype(np.float32)[:, None])


def write_words(words: Tensor, used: set[int], left_out: set[int], path: Path) -> None:
    """The vectors of the used pieces; each of those left out gets that of the used one most like it."""
    numbers, scales = quantise_words(words)
    kept = np.array(sorted(used))
    rows = np.full(len(numbers), -1, dtype=np.int16)
    rows[kept] = np.arange(len(kept))
    others = np.array(sorted(left_out))
    directions = words.numpy() / np.linalg.norm(words.numpy(), axis=1, keepdims=True)
    rows[others] = (directions[others] @ directions[kept].T).argmax(1)
    shifted = (numbers[kept] + 8).astype(np.uint8)
    packed = shifted[:, 0::2] | (shifted[:, 1::2] << 4)
    np.savez_compressed(path, packed=packed, scales=scales[kept], rows=rows)


def write_network(model: Classifier, folder: Path) -> None:
    """Both files' first half: the graph with its matrices in four bits."""
    model.eval()
    buffer = io.BytesIO()
    one = torch.zeros(2, 6, dtype=torch.long)
    dynamic = {0: "batch", 1: "length"}
    torch.onnx.export(
        model,
        (torch.zeros(2, 6, HIDDEN), one, one, torch.ones(2, 6, dtype=torch.long)),
        buffer,
        input_names=["words", "segments", "shapes", "mask"],
        output_names=["whole", "token"],
        dynamic_axes=dict.fromkeys(("words", "segments", "shapes", "mask", "token"), dynamic) | {"whole": {0: "batch"}},
        opset_version=18,
        dynamo=False,
        do_constant_folding=True,
    )
    graph = onnx.load_from_string(buffer.getvalue())
    _quantise(graph)
    halve(graph)
    onnx.save(graph, folder / NETWORK)


def _quantise(model: onnx.ModelProto) -> None:
    """Matrices of MatMul nodes become four-bit blocks along their input side with a DequantizeLinear before them."""
    graph = model.graph
    tensors = {t.name: t for t in graph.initializer}
    nodes, gone = [], set()
    for node in list(graph.node):
        if node.op_type == "MatMul" and node.input[1] in tensors and tensors[node.input[1]].dims[0] % BLOCK == 0:
            name = node.input[1]
            matrix = numpy_helper.to_array(tensors[name]).astype(np.float32)
            if matrix.ndim == 2 and matrix.shape[1] >= HIDDEN:
                numbers, scales, zeros = blocks(matrix)
                graph.initializer.extend([
                    _four_bits(f"{name}_4", numbers),
                    numpy_helper.from_array(scales, f"{name}_scale"),
                    _four_bits(f"{name}_zero", zeros),
                ])  # fmt: skip
                nodes.append(helper.make_node("DequantizeLinear", [f"{name}_4", f"{name}_scale", f"{name}_zero"],
                                              [f"{name}_f"], axis=0, block_size=BLOCK))  # fmt: skip
                node.input[1] = f"{name}_f"
                gone.add(name)
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    left = [t for t in graph.initializer if t.name not in gone]
    del graph.initializer[:]
    graph.initializer.extend(left)
    del model.opset_import[:]
    model.opset_import.extend([helper.make_opsetid("", 21)])
    model.ir_version = 10


def halve(model: onnx.ModelProto) -> None:
    """What is left in 32 bits (scales of the blocks, biases, positions) is stored in 16; the runtime reads it once."""
    graph = model.graph
    casts = []
    for tensor in graph.initializer:
        if tensor.data_type == TensorProto.FLOAT and len(tensor.raw_data) >= HALVED_BYTES_MIN:
            tensor.CopyFrom(numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), tensor.name))
            casts.append(helper.make_node("Cast", [tensor.name], [f"{tensor.name}_32"], to=TensorProto.FLOAT))
    halved = {cast.input[0]: cast.output[0] for cast in casts}
    nodes = list(graph.node)
    for node in nodes:
        node.input[:] = [halved.get(name, name) for name in node.input]
    del graph.node[:]
    graph.node.extend([*casts, *nodes])


def _four_bits(name: str, numbers: np.ndarray) -> onnx.TensorProto:
    flat = numbers.flatten()
    packed = flat[0::2] | (flat[1::2] << 4)
    return helper.make_tensor(name, TensorProto.UINT4, numbers.shape, packed.tobytes(), raw=True)


def blocks(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Whole numbers 0 … 15, scale and zero point of each block of 32 inputs."""
    shaped = matrix.reshape(matrix.shape[0] // BLOCK, BLOCK, matrix.shape[1])
    low, high = np.minimum(shaped.min(1), 0), np.maximum(shaped.max(1), 0)
    scales = np.maximum((high - low) / 15.0, 1e-8).astype(np.float32)
    zeros = np.clip(np.round(-low / scales), 0, 15)
    numbers = np.clip(np.round(shaped / scales[:, None]) + zeros[:, None], 0, 15).reshape(matrix.shape)
    return numbers.astype(np.uint8), scales, zeros.astype(np.uint8)
