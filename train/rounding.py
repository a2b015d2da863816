"""Training against the rounding that shipping brings: matrices are used as the four-bit file will have them, and
learn on as if they were not. Rounding afterwards cost .03 of the area under the curve on pairs."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn.utils import parametrize

from train.encoder import Classifier
from train.export import BLOCK


class Rounded(nn.Module):
    """A weight of a linear layer, rounded in blocks along its inputs; gradients pass as if it were not."""

    def forward(self, weight: Tensor) -> Tensor:
        outputs, inputs = weight.shape
        shaped = weight.detach().view(outputs, inputs // BLOCK, BLOCK)
        low = shaped.amin(-1, keepdim=True).clamp(max=0)
        high = shaped.amax(-1, keepdim=True).clamp(min=0)
        scale = ((high - low) / 15.0).clamp(min=1e-8)
        zero = torch.round(-low / scale).clamp(0, 15)
        rounded = ((torch.round(shaped / scale) + zero).clamp(0, 15) - zero) * scale
        return weight + (rounded.view(outputs, inputs) - weight).detach()


def round_weights(model: Classifier) -> None:
    """From now on the matrices that ship in four bits are used rounded."""
    for layer in model.encoder.layers:
        for name in ("query", "key", "value", "out", "wide", "narrow"):
            parametrize.register_parametrization(getattr(layer, name), "weight", Rounded())
    parametrize.register_parametrization(model.pool, "weight", Rounded())


def keep_rounded(model: Classifier) -> None:
    """Makes the rounded weights the weights."""
    for module in list(model.modules()):
        if parametrize.is_parametrized(module, "weight"):
            parametrize.remove_parametrizations(module, "weight", leave_parametrized=True)
