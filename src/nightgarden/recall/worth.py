"""Which results are worth showing to an agent that did not ask. Pure. Stricter than an explicit recall's gate, because
what is shown unasked and does not help costs attention at every turn. Measured in docs/why/injection.md."""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.recall.gate import count_worth_showing
from nightgarden.recall.result import Result

FLOOR = 0.35
SHARE_OF_BEST = 0.6


def worth_showing(results: Sequence[Result], *, by_meaning: bool) -> list[Result]:
    """The results, best first, that deserve to be shown. `by_meaning`: whether vectors took part."""
    fired = [result for result in results if "trigger" in result.explanation.boosts]
    others = [result for result in results if "trigger" not in result.explanation.boosts]
    count = count_worth_showing([result.score for result in others], floor=FLOOR, share=SHARE_OF_BEST)
    return [*fired, *others[:count]]
