"""Two processes that train one network: each takes its share of every batch, and they average what it taught them.
On two cores that is twice as fast as one process with two threads, because most products here are small."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import torch
import torch.distributed as distributed
from torch import nn

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Workers:
    """How many there are, and which this one is."""

    rank: int = 0
    count: int = 1

    def share(self, batch: Sequence[T]) -> Sequence[T]:
        """This worker's part of a batch; one of everything where there is too little to share."""
        return batch[self.rank :: self.count] or batch[:1]

    def average(self, parameters: Sequence[nn.Parameter]) -> None:
        """Makes the gradients of all workers the same."""
        if self.count == 1:
            return
        for parameter in parameters:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
        flat = torch.cat([parameter.grad.flatten() for parameter in parameters if parameter.grad is not None])
        distributed.all_reduce(flat)
        flat /= self.count
        start = 0
        for parameter in parameters:
            assert parameter.grad is not None
            parameter.grad.copy_(flat[start : start + parameter.numel()].view_as(parameter))
            start += parameter.numel()


def join(rank: int, count: int, port: int = 29_511) -> Workers:
    """Meets the others on this machine."""
    distributed.init_process_group("gloo", init_method=f"tcp://127.0.0.1:{port}", rank=rank, world_size=count)
    return Workers(rank=rank, count=count)
