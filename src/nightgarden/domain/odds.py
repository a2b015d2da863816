"""Shares as log-odds, and back: what several sources say of one thing is added up as log-odds. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence

LOG_ODDS_MAX = 60.0  # beyond it a share is one or nothing


def log_odds(share: float, *, least: float) -> float:
    """Of a share that is taken to be at least that far from nothing and from one, so that they stay finite."""
    bounded = min(1.0 - least, max(least, share))
    return math.log(bounded / (1.0 - bounded))


def share_of(odds: float) -> float:
    """The share that log-odds stand for."""
    return 1.0 / (1.0 + math.exp(-max(-LOG_ODDS_MAX, min(LOG_ODDS_MAX, odds))))


def log_sum_exp(values: Sequence[float]) -> float:
    """The logarithm of the sum of their powers, however large they are: the odds that one of several holds."""
    most = max(values)
    return most + math.log(sum(math.exp(value - most) for value in values))
