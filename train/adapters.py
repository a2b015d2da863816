"""Linear layers that learn a little beside their published matrix: a product of two thin matrices is added to it. What
ships is the thin ones, a twentieth of the layer; the matrix stays in the file that it was published in."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from train.encoder import Classifier
from train.published import LINEARS

RANK = 16
SCALE = 2.0  # of what is added; as usual, so that usual rates suit


class Adapted(nn.Module):
    """A linear layer with a fixed matrix, and what it learned."""

    def __init__(self, linear: nn.Linear, *, rank: int = RANK) -> None:
        super().__init__()
        self.weight = nn.Parameter(linear.weight.detach().clone(), requires_grad=False)
        self.bias = linear.bias
        self.down = nn.Parameter(torch.randn(rank, linear.in_features) / linear.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(linear.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        return F.linear(x, self.weight, self.bias) + SCALE * F.linear(F.linear(x, self.down), self.up)


def adapt(model: Classifier) -> None:
    """Makes every linear of the trained layers an adapted one."""
    for layer in model.encoder.trained:
        for field in LINEARS:
            setattr(layer, field, Adapted(getattr(layer, field)))
