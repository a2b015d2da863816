"""How many results are worth showing when nobody asked: many, few or none. Pure.

Relative to the best, because strengths of different queries compare badly; and with a floor, because the best of
nothing is nothing. What a pattern fired always passes. It does not know what the reader has seen already.
"""

from __future__ import annotations

from collections.abc import Sequence

# Taste, until they are fitted on labelled turns.
FLOOR = 0.35  # strength
SHARE_OF_BEST = 0.6
SHARE_OF_PREVIOUS = 0.7


def count_worth_showing(strengths: Sequence[float], always: Sequence[bool] = ()) -> int:
    """How many of the results, best first, pass."""
    passed = 0
    for place, strength in enumerate(strengths):
        if place < len(always) and always[place]:
            passed = place + 1
            continue
        previous = strengths[place - 1] if place else strength
        if strength < FLOOR or strength < SHARE_OF_BEST * strengths[0] or strength < SHARE_OF_PREVIOUS * previous:
            break
        passed = place + 1
    return passed
