"""How likely a new statement ends one of several known ones, or repeats it, judged among them. Pure.

Two statements alone say less than the company they stand in. What people tell as a change ends the known statement that
is nearest in three cases of four, and seldom two; what is as likely of a neighbour is likely of neither. So besides
what is read off a pair count whether it is the nearest, and by how much, how likely the others are, and how much the
new one sounds like news. Fitted by `python -m train.among` on sessions and notebooks of validating writers; for the
deep network alone, and where there are neighbours enough: docs/why/classifier.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nightgarden.domain.classify import RelationScores
from nightgarden.domain.odds import log_odds, share_of
from nightgarden.remember.likelihood import Likelihood

NEIGHBOURS_MIN = 4
# A constant; then of the pair: how likely, whether nearest, how much it is news, nearness, how much nearer than the
# next, how likely the likeliest other is, how much a special case or an exception, how likely the other relation, and
# unrelated.
CHANGES = (-3.987, 1.157, 0.712, 0.258, 0.127, 0.768, -0.35, 0.074, -0.132, -0.215)
SAME = (-4.103, 1.31, 0.632, -0.062, 0.285, 0.457, -0.11, 0.026, 0.084, -0.158)
_LEAST = 1e-4  # of a share, so that its log-odds stay finite


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownStatement:
    """What is known of one neighbour and the new statement, read as a pair."""

    cosine: float
    likelihood: Likelihood
    scores: RelationScores


@dataclass(frozen=True, slots=True, kw_only=True)
class AmongOthers:
    """How likely the new statement ends this one, or repeats it."""

    changes: float
    same: float


def judge_among(known: Sequence[KnownStatement], news: float) -> list[AmongOthers]:
    """For each neighbour; `news` is how much the new statement sounds like a change."""
    return [
        AmongOthers(
            changes=_share(CHANGES, features(known, number, news, "changes")),
            same=_share(SAME, features(known, number, news, "same")),
        )
        for number in range(len(known))
    ]


def features(known: Sequence[KnownStatement], number: int, news: float, of: str) -> list[float]:
    """What the sum is over, in the order of the weights, but for the constant."""
    one, others = known[number], [each for at, each in enumerate(known) if at != number]
    likely, other = one.likelihood.changes, one.likelihood.same
    if of == "same":
        likely, other = other, likely
    rivals = [each.likelihood.changes if of == "changes" else each.likelihood.same for each in others]
    next_nearest = max(each.cosine for each in others)
    return [
        _log_odds(likely),
        float(one.cosine >= next_nearest),
        _log_odds(news),
        10.0 * one.cosine,
        10.0 * (one.cosine - next_nearest),
        _log_odds(max(rivals)),
        _log_odds(one.scores.narrows + one.scores.excepts),
        _log_odds(other),
        _log_odds(one.scores.unrelated),
    ]


def _share(weights: Sequence[float], values: Sequence[float]) -> float:
    return share_of(weights[0] + sum(weight * value for weight, value in zip(weights[1:], values, strict=True)))


def _log_odds(share: float) -> float:
    return log_odds(share, least=_LEAST)
