"""Which of the results worth showing really help with what the user just said, by the classifier. Pure, given it.

A memory that merely shares words with a turn costs attention. The classifier reads turn and memory together and takes
out what does not help; it does not bring anything in, for alone it was no better than similarity on writers it had not
seen (docs/bench/judgement-notes.md). What a pattern fired is always shown, first.
"""

from __future__ import annotations

from collections.abc import Sequence

from nightgarden.domain.classify import Classifier
from nightgarden.recall.query import focus
from nightgarden.recall.result import Result

HELPS_MIN = 0.2  # chosen on writers the classifier was not trained on: docs/why/classifier.md


def helpful(text: str, results: Sequence[Result], classifier: Classifier) -> list[Result]:
    """The results that are left, in their order."""
    others = [result for result in results if "trigger" not in result.explanation.boosts]
    scores = classifier.helps(focus(text)[0], [result.content for result in others]) if others else []
    unhelpful = {result.id for result, score in zip(others, scores, strict=True) if score < HELPS_MIN}
    return [result for result in results if result.id not in unhelpful]
