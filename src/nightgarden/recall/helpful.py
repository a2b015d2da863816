"""Which memories help with what the user just said, by the classifier. Pure, given it.

A memory that merely shares words with a turn costs attention. The classifier reads turn and memory together. The deep
network does that well enough to decide together with the occasion; the small one only takes out what does not help,
for alone it was no better than similarity on writers it had not seen (docs/why/injection.md). What a pattern fired is
always shown, first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nightgarden.domain.classify import Classifier
from nightgarden.domain.odds import log_odds, share_of
from nightgarden.recall.query import focus
from nightgarden.recall.result import Result

HELPS_MIN = 0.2  # of the small network; chosen on writers it was not trained on: docs/why/classifier.md
# Memories that the deep network reads at a turn, the likeliest by occasion: 8 ms each; six found no more.
READ_MAX = 4
# Log-odds that a memory helps: a constant, and the shares of what the occasion and what the network say. Fitted on the
# validating writers, the constant then lowered by .39, so that one threshold serves with and without the network:
# docs/why/injection.md.
FROM, OF_OCCASION, OF_READING = -0.05, 0.86, 0.465


def helpful(text: str, results: Sequence[Result], classifier: Classifier) -> list[Result]:
    """The results that are left, in their order."""
    others = [result for result in results if "trigger" not in result.explanation.boosts]
    scores = classifier.helps(focus(text)[0], [result.content for result in others]) if others else []
    unhelpful = {result.id for result, score in zip(others, scores, strict=True) if score < HELPS_MIN}
    return [result for result in results if result.id not in unhelpful]


def read_with_turn(
    text: str, results: Sequence[Result], likely: Mapping[str, float], classifier: Classifier
) -> dict[str, float]:
    """How likely each result helps, once the deep network has read the likeliest of them; the rest are not shown."""
    read = sorted(results, key=lambda each: (-likely[each.id], each.id))[:READ_MAX]
    scores = classifier.helps(focus(text)[0], [each.content for each in read])
    found = dict.fromkeys((each.id for each in results), 0.0)
    for each, score in zip(read, scores, strict=True):
        found[each.id] = share_of(FROM + OF_OCCASION * _log_odds(likely[each.id]) + OF_READING * _log_odds(score))
    return found


def _log_odds(share: float) -> float:
    return log_odds(share, least=1e-6)
