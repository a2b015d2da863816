"""Which memories help with what the user just said, by the classifier. Pure, given it.

A memory that merely shares words with a turn costs attention. The classifier reads turn and memory together. The deep
network does that well enough to decide together with the occasion; the small one only takes out what does not help,
for alone it was no better than similarity on writers it had not seen (docs/why/injection.md). What a pattern fired is
always shown, first.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nightgarden.domain.classify import Classifier, TurnReading
from nightgarden.domain.odds import log_odds, log_sum_exp, share_of
from nightgarden.domain.ports import Vector
from nightgarden.recall.query import focus
from nightgarden.recall.result import Result

HELPS_MIN = 0.2  # of the small network; chosen on writers it was not trained on: docs/why/classifier.md
# Memories that the deep network reads at a turn, the likeliest by occasion: 8 ms each; six found no more.
READ_MAX = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceShares:
    """Log-odds that a memory helps: a constant, and the shares of what the occasion, the turn read alone and the turn
    read together with the memory say. Fitted by `python -m train.helpful` on the validating writers, the constant then
    moved so that one threshold serves all: docs/why/injection.md."""

    constant: float
    occasion: float
    turn: float
    reading: float


BY_READING = EvidenceShares(constant=0.0, occasion=0.636, turn=0.0, reading=0.498)
BY_TURN = EvidenceShares(constant=0.69, occasion=0.523, turn=0.538, reading=0.339)


def helpful(text: str, results: Sequence[Result], classifier: Classifier) -> list[Result]:
    """The results that are left, in their order."""
    others = [result for result in results if "trigger" not in result.explanation.boosts]
    scores = classifier.helps(focus(text)[0], [result.content for result in others]) if others else []
    unhelpful = {result.id for result, score in zip(others, scores, strict=True) if score < HELPS_MIN}
    return [result for result in results if result.id not in unhelpful]


def shares_of_turn(reading: TurnReading, vectors: Mapping[str, Vector]) -> dict[str, float]:
    """How likely each memory is the one that matters, by the turn alone: its part of what all of them and none take."""
    matches = {id: float(vector @ reading.vector) for id, vector in vectors.items()}
    total = log_sum_exp([reading.nothing, *matches.values()])
    return {id: math.exp(match - total) for id, match in matches.items()}


def read_with_turn(
    text: str,
    results: Sequence[Result],
    likely: Mapping[str, float],
    classifier: Classifier,
    *,
    by_turn: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """How likely each result helps, once the deep network has read the likeliest of them; the rest are not shown.
    `likely` is what the occasion says of each, `by_turn` what `shares_of_turn` does."""
    shares = BY_READING if by_turn is None else BY_TURN
    before = {
        each.id: shares.constant
        + shares.occasion * _log_odds(likely[each.id])
        + shares.turn * _log_odds((by_turn or {}).get(each.id, 0.0))
        for each in results
    }
    read = sorted(results, key=lambda each: (-before[each.id], each.id))[:READ_MAX]
    scores = classifier.helps(focus(text)[0], [each.content for each in read])
    found = dict.fromkeys((each.id for each in results), 0.0)
    for each, score in zip(read, scores, strict=True):
        found[each.id] = share_of(before[each.id] + shares.reading * _log_odds(score))
    return found


def _log_odds(share: float) -> float:
    return log_odds(share, least=1e-6)
