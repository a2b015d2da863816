"""A fence: what is written under it is refused once its epoch is over.

Whoever works under a lease sets the fence; the store looks, in the very transaction that writes, whether the lease is
still of that epoch. So a process that was frozen, cut off or has a wrong clock, and wakes after another took over,
cannot write: no clock is compared. Work that is started from under a fence inherits it, see `contextvars`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from nightgarden.errors import LeaseLost


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """The document that holds the lease, and the epoch it must have: its field `epoch`."""

    kind: str
    key: str
    epoch: int

    def check(self, lease: Mapping[str, Any] | None) -> None:
        """Raises LeaseLost unless the lease is of this epoch."""
        there = lease.get("epoch") if lease is not None else None
        if there != self.epoch:
            raise LeaseLost(
                f"nothing was written: the lease {self.kind}/{self.key} went from epoch {self.epoch} to {there}, "
                "because another process took the work over"
            )


_current: ContextVar[Fence | None] = ContextVar("nightgarden fence", default=None)


def current_fence() -> Fence | None:
    """The fence that this task writes under."""
    return _current.get()


@contextmanager
def fenced(fence: Fence | None) -> Iterator[None]:
    """Everything that is written inside is under this fence."""
    token = _current.set(fence)
    try:
        yield
    finally:
        _current.reset(token)
