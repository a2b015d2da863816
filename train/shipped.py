"""What the deep network that ships has learned, read back out of its file, so that training can go on from there. The
thin matrices come back as they were stored, in eight bits."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn

from train.adapters import SCALE, Adapted
from train.encoder import Classifier
from train.published import LINEARS, NORMS


def load_shipped(model: Classifier, path: Path) -> None:
    """Puts the learned numbers of a file that `train.export_deep` wrote into an adapted model."""
    graph = onnx.load(path, load_external_data=False).graph
    stored = {t.name: numpy_helper.to_array(t) for t in graph.initializer if not t.external_data}

    def put(parameter: nn.Parameter, value: np.ndarray) -> None:
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(value.astype(np.float32))))

    def learned(name: str) -> np.ndarray:
        matrix: np.ndarray = stored[f"{name}.8"].astype(np.float32) * stored[f"{name}.scale"]
        return matrix

    encoder = model.encoder
    put(encoder.shapes, stored["shapes.table"])
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
    for kind, heads in (("whole", model.whole), ("token", model.token)):
        start = 0
        for head in heads.values():
            assert isinstance(head, nn.Linear)
            end = start + head.out_features
            put(head.weight, stored[f"{kind}.weight"].T[start:end])
            put(head.bias, stored[f"{kind}.bias"][start:end])
            start = end
