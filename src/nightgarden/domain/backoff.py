"""How long to wait after failures in a row: twice as long each time, within bounds. Pure."""

from __future__ import annotations

from datetime import timedelta

_DOUBLINGS_MAX = 16  # beyond that the maximum holds anyway


def backoff(failures: int, *, shortest: timedelta, longest: timedelta) -> timedelta:
    """The wait after so many failures in a row; the first waits the shortest time."""
    return min(longest, shortest * (1 << min(max(failures, 1) - 1, _DOUBLINGS_MAX)))
