"""Counts that become shares with an interval. Pure."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass, field


@dataclass(slots=True)
class Share:
    """So many of so many."""

    hits: int = 0
    of: int = 0

    def add(self, hit: bool) -> None:
        self.hits += hit
        self.of += 1

    @property
    def value(self) -> float:
        return self.hits / self.of if self.of else 0.0

    def __str__(self) -> str:
        low, high = self.interval()
        return f"{self.value:.3f} ({low:.2f}–{high:.2f}, n={self.of})" if self.of else "–"

    def interval(self) -> tuple[float, float]:
        """Wilson's interval at 95 %."""
        if not self.of:
            return 0.0, 1.0
        z, n, p = 1.96, self.of, self.value
        middle = (p + z * z / (2 * n)) / (1 + z * z / n)
        reach = z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        return max(0.0, middle - reach), min(1.0, middle + reach)


def _by_group() -> dict[str, Share]:
    return defaultdict(Share)


@dataclass(slots=True)
class Table:
    """Shares by name, in all and by group (a language, a domain)."""

    shares: dict[str, dict[str, Share]] = field(default_factory=lambda: defaultdict(_by_group))

    def add(self, name: str, hit: bool, *groups: str) -> None:
        for group in ("all", *groups):
            self.shares[name][group].add(hit)

    def get(self, name: str, group: str = "all") -> Share:
        return self.shares[name][group]
