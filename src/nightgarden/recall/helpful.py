"""Which results help with what the user just said, by the classifier. Pure, given it.

A memory that merely shares words with a turn costs attention; one that applies because of what is being done may share
none. So the classifier reads turn and memory together, and similarity only decides which few it reads. What a pattern
fired is always shown, first.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.domain.classify import Classifier
from nightgarden.recall.query import focus
from nightgarden.recall.result import Result

READ_MAX = 8  # results that are read; somebody waits for the turn
HELPS_MIN = 0.5  # chosen on writers the classifier was not trained on: docs/why/classifier.md
BELOW_BEST_MAX = 0.35  # what helps that much less than the best is about something else


def helpful(text: str, results: Sequence[Result], classifier: Classifier) -> list[Result]:
    """The results that deserve to be shown: those that fired first, then the most helpful first."""
    fired = [result for result in results if "trigger" in result.explanation.boosts]
    others = [result for result in results if "trigger" not in result.explanation.boosts][:READ_MAX]
    scores = classifier.helps(focus(text)[0], [result.content for result in others])
    ranked = sorted(zip(scores, others, strict=True), key=lambda pair: (-pair[0], pair[1].id))
    best = ranked[0][0] if ranked else 0.0
    return [*fired, *(result for score, result in ranked if score >= max(HELPS_MIN, best - BELOW_BEST_MAX))]
