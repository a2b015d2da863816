"""How many results are worth showing: those that fit a question that was asked, many, few or none when nobody asked.
Pure.

Relative to the best, because strengths of different queries compare badly; and with a floor, because the best of
nothing is nothing. What a pattern fired always passes. It does not know what the reader has seen already.
"""

from __future__ import annotations

from collections.abc import Sequence

# Log-odds that a result needs to fit a question. In a small garden answers had 2.4 and more, the best of what did not
# answer 1.3 and less.
FITTING_EVIDENCE = 2.0
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
