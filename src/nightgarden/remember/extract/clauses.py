"""Which clauses of a sentence belong to what it has to say. Pure, given what the classifier says of its words.

"No hurry with merging, launches are on Thursdays": half of it is worth keeping, and a memory that has the other half as
well reads badly and is hard to compare with later ones. How likely a clause belongs to the statement is a logistic sum
over what its words score, what its neighbours score and whether it can stand without them; fitted by
`python -m train.clauses` on messages of validating writers: docs/why/classifier.md.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nightgarden.domain.classify import WordScores
from nightgarden.domain.odds import log_odds, share_of
from nightgarden.remember.extract.references import goes_on_with_a_noun, hangs_on_the_last

Span = tuple[int, int]
BELONGS_MIN = 0.5
SHORT_WORDS_MAX = 3  # of a clause that seldom says something by itself
_LEAST = 1e-3  # of a score, so that its log-odds stay finite
_NOBODY = -3.0  # log-odds of a clause that is not there
_LENGTH_WORDS, _LENGTH_MAX = 4.0, 3.0
_MARK = re.compile(
    r"(?!, (?:19|20)\d\d\b)[,;:](?=\s|$)\s*|[，；、]\s*|\s[-–—]{1,2}\s|\s\(|\)\s?|\s(?=(?:and|but|so|because|und|aber"
    r"|weil|et|mais|y|pero|porque|e|ma|maar|en|mas)\s)",
    re.I,
)
_JOINED = re.compile(r"(?:and|but|so|because|und|aber|weil|et|mais|y|pero|porque|e|ma|maar|en|mas)\s", re.I)
_DASH = re.compile(r"[;–—]|\s-")
# A constant; then in the order of `features`.
WEIGHTS = (
    *(2.012, 1.327, -1.15, 0.148, 0.273, -0.023, -0.102, -0.189, -0.075, -0.626),
    *(-0.857, -0.158, 0.295, -0.073, 0.272, -0.162, -0.199, 0.833, -0.832, 1.633),
)


def clause_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Where the clauses of a part of a text stand."""
    left = start
    for match in _MARK.finditer(text, start, end):
        if text[left : match.start()].strip():
            yield left, match.start()
            left = match.end()
    yield left, end


def belonging(text: str, words: Sequence[WordScores], clauses: Sequence[Span]) -> list[float]:
    """How likely each clause of a sentence belongs to what it has to say."""
    return [
        share_of(WEIGHTS[0] + sum(weight * value for weight, value in zip(WEIGHTS[1:], values, strict=True)))
        for values in features(text, words, clauses)
    ]


def features(text: str, words: Sequence[WordScores], clauses: Sequence[Span]) -> list[list[float]]:
    """What the sum is over, for each clause, in the order of the weights but for the constant."""
    inside = [[word.keep for word in words if word.start < end and word.end > start] for start, end in clauses]
    means = [_odds(sum(scores) / len(scores)) if scores else _odds(0.0) for scores in inside]
    said = [text[start:end].strip() for start, end in clauses]
    hangs = [hangs_on_the_last(each) for each in said]
    joined = [goes_on_with_a_noun(each) for each in said]
    best = max(means)

    def at(place: int) -> float:
        return means[place] if 0 <= place < len(means) else _NOBODY

    def row(number: int) -> list[float]:
        scores = inside[number] or [0.0]
        mark = text[clauses[number - 1][1] : clauses[number][0]] if number else ""
        last = number + 1 == len(clauses)
        count = len(said[number].split())
        return [
            means[number],
            best,
            _odds(scores[0]),
            _odds(scores[-1]),
            *(at(number + step) for step in (-2, -1, 1, 2)),
            float(number == 0),
            float(last),
            float(hangs[number]),
            float(joined[number]),
            float(not last and (hangs[number + 1] or joined[number + 1])),
            min(count / _LENGTH_WORDS, _LENGTH_MAX),
            float(count <= SHORT_WORDS_MAX),
            float(_JOINED.match(said[number]) is not None),
            float(":" in mark),
            float(_DASH.search(mark) is not None),
            float("(" in mark),
        ]

    return [row(number) for number in range(len(clauses))]


def _odds(share: float) -> float:
    return log_odds(share, least=_LEAST)
