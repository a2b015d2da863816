"""The network: BERT's encoder started from MiniLM's published weights, word shapes added, and one head per question."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn
from torch.nn import functional as F

from nightgarden.models.classifier import LIMITS, heads
from nightgarden.models.encoding import SHAPES

HIDDEN, HEADS, INNER = 384, 12, 1536
LAYERS = 6
FROZEN = 2  # lower layers that keep their published weights
DEEP_LAYERS, DEEP_FROZEN = 12, 4  # of the deep network, which stands on bge-small's weights
POSITIONS = max(limit for _, limit in LIMITS.values())


class Layer(nn.Module):
    """One block of BERT: attention, then the wide layer, each with its residual and norm. No dropout inside: on a CPU
    it costs as much time as the arithmetic."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(HIDDEN, HIDDEN) for _ in range(3))
        self.out = nn.Linear(HIDDEN, HIDDEN)
        self.norm_attention = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.wide = nn.Linear(HIDDEN, INNER)
        self.narrow = nn.Linear(INNER, HIDDEN)
        self.norm_out = nn.LayerNorm(HIDDEN, eps=1e-12)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        batch, length, _ = x.shape

        def split(linear: nn.Linear) -> Tensor:
            return linear(x).view(batch, length, HEADS, HIDDEN // HEADS).transpose(1, 2)

        # Written out: on a CPU and for texts this short the fused form takes four times as long to learn from.
        scores = split(self.query) @ split(self.key).transpose(2, 3) * (HIDDEN // HEADS) ** -0.5
        mixed = torch.softmax(scores + mask, dim=-1).to(scores.dtype) @ split(self.value)
        mixed = mixed.transpose(1, 2).reshape(batch, length, HIDDEN)
        x = self.norm_attention(x + self.out(mixed))
        return self.norm_out(x + self.narrow(F.gelu(self.wide(x))))


class Encoder(nn.Module):
    """Token states from word vectors. The lower layers stay as published, so that training computes them once per text;
    the shapes of the words come in above them, because below nothing would learn what they mean."""

    def __init__(self, *, layers: int = LAYERS, frozen: int = FROZEN) -> None:
        super().__init__()
        self.frozen = frozen
        self.positions = nn.Parameter(torch.zeros(POSITIONS, HIDDEN))
        self.segments = nn.Parameter(torch.zeros(2, HIDDEN))
        self.shapes = nn.Parameter(torch.zeros(SHAPES, HIDDEN))
        self.norm = nn.LayerNorm(HIDDEN, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))

    def forward(self, words: Tensor, segments: Tensor, shapes: Tensor, mask: Tensor) -> Tensor:
        return self.above(self.below(words, segments, mask), shapes, mask)

    @property
    def trained(self) -> list[Layer]:
        """The layers that learn."""
        return list(self.layers[self.frozen :])

    def below(self, words: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        """What the frozen part makes of the words."""
        x = self.norm(words + self.positions[: words.shape[1]] + F.embedding(segments, self.segments))
        for layer in self.layers[: self.frozen]:
            x = layer(x, _additive(mask))
        return x

    def above(self, x: Tensor, shapes: Tensor, mask: Tensor) -> Tensor:
        """What the trained part makes of that."""
        x = x + F.embedding(shapes, self.shapes)
        for layer in self.trained:
            x = layer(x, _additive(mask))
        return x


def _additive(mask: Tensor) -> Tensor:
    return (1.0 - mask.float())[:, None, None, :] * -1e4


class Occasion(nn.Module):
    """Of a turn read alone: the vector whose products with memories' vectors (those of the model that it stands on) say
    how much each matters, and how much it takes for any to matter more than none."""

    def __init__(self) -> None:
        super().__init__()
        self.towards = nn.Linear(HIDDEN, HIDDEN)
        self.scale = nn.Parameter(torch.tensor(20.0))
        self.nothing = nn.Linear(HIDDEN, 1)
        with torch.no_grad():
            self.towards.weight.copy_(torch.eye(HIDDEN))
            self.towards.bias.zero_()
            self.nothing.weight.zero_()
            self.nothing.bias.fill_(0.75)

    def forward(self, first: Tensor) -> tuple[Tensor, Tensor]:
        vector = F.normalize(self.towards(first), dim=-1)
        return self.scale * vector, self.scale * self.nothing(vector)[:, 0]


class Classifier(nn.Module):
    """The encoder with all heads: some read the first token (the whole input), some every token."""

    def __init__(
        self,
        *,
        layers: int = LAYERS,
        frozen: int = FROZEN,
        dropout: float = 0.1,
        extra: dict[str, int] | None = None,
        occasion: bool = False,
    ) -> None:
        super().__init__()
        self.encoder = Encoder(layers=layers, frozen=frozen)
        self.whole = nn.ModuleDict({name: nn.Linear(HIDDEN, size) for name, size in heads("whole").items()})
        self.token = nn.ModuleDict({name: nn.Linear(HIDDEN, size) for name, size in heads("token").items()})
        self.extra = nn.ModuleDict({name: nn.Linear(HIDDEN, size) for name, size in (extra or {}).items()})
        self.pool = nn.Linear(HIDDEN, HIDDEN)
        self.occasion = Occasion() if occasion else None
        self.dropout = nn.Dropout(dropout)

    def pooled(self, states: Tensor) -> Tensor:
        # A product and a sum, not a linear layer: so it is written as a matrix product, and stored in four bits.
        return self.dropout(torch.tanh(states[:, 0] @ self.pool.weight.T + self.pool.bias))

    def forward(self, words: Tensor, segments: Tensor, shapes: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """All logits of the whole input side by side, and all logits of each token side by side."""
        return self.answer(self.encoder(words, segments, shapes, mask))

    def answer(self, states: Tensor) -> tuple[Tensor, Tensor]:
        first = self.pooled(states)
        whole = torch.cat([head(first) for head in self.whole.values()], dim=-1)
        token = torch.cat([head(self.dropout(states)) for head in self.token.values()], dim=-1)
        return whole, token


def load_base(model: Classifier, path: Path) -> Tensor:
    """Puts the published weights (an int8 ONNX file) into the encoder and returns the word vectors."""
    graph = onnx.load(path).graph
    tensors = {t.name: numpy_helper.to_array(t) for t in graph.initializer}

    def dequantised(name: str) -> np.ndarray:
        if name in tensors:
            return tensors[name].astype(np.float32)
        return tensors[f"{name}_q"].astype(np.float32) * tensors[f"{name}_scale"].astype(np.float32)

    def put(parameter: nn.Parameter, value: np.ndarray) -> None:
        with torch.no_grad():
            parameter.copy_(torch.from_numpy(np.ascontiguousarray(value)))

    weights = [
        n.input[1]
        for n in graph.node
        if n.op_type == "MatMul" and (n.input[1] in tensors or f"{n.input[1]}_q" in tensors)
    ]
    encoder = model.encoder
    put(encoder.positions, dequantised("inner.embeddings.position_embeddings.weight")[:POSITIONS])
    put(encoder.segments, dequantised("inner.embeddings.token_type_embeddings.weight"))
    put(encoder.norm.weight, dequantised("inner.embeddings.LayerNorm.weight"))
    put(encoder.norm.bias, dequantised("inner.embeddings.LayerNorm.bias"))
    for number, layer in enumerate(encoder.layers):
        linears = (layer.query, layer.key, layer.value, layer.out, layer.wide, layer.narrow)
        names = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
                 "intermediate.dense", "output.dense")  # fmt: skip
        for position, (linear, name) in enumerate(zip(linears, names, strict=True)):
            put(linear.weight, dequantised(weights[6 * number + position]).T)
            put(linear.bias, dequantised(f"inner.encoder.layer.{number}.{name}.bias"))
        for norm, name in ((layer.norm_attention, "attention.output"), (layer.norm_out, "output")):
            put(norm.weight, dequantised(f"inner.encoder.layer.{number}.{name}.LayerNorm.weight"))
            put(norm.bias, dequantised(f"inner.encoder.layer.{number}.{name}.LayerNorm.bias"))
    return torch.from_numpy(dequantised("inner.embeddings.word_embeddings.weight"))
