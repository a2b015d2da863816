"""How a newer statement relates to those known before it: the one reading of two statements, by day when it is written
and by night when near ones are gone through. Pure, given the classifier; calls block, so run them in a thread.

What is the same to the letter needs no reading. Else the classifier reads it, and exact signs hold back; without one,
and in letters that no network has learned, exact signs decide alone. What a statement says outright of its relation to
the other comes last. What follows for the garden is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nightgarden.domain.classify import Classifier, RelationScores, VectorScores
from nightgarden.domain.memory import Memory
from nightgarden.remember.among import NEIGHBOURS_MIN, KnownStatement, judge_among
from nightgarden.remember.compare import Comparison, Relation
from nightgarden.remember.compare.by_signs import compare_by_signs, is_exact
from nightgarden.remember.compare.guards import signs
from nightgarden.remember.compare.procedure_steps import compare_procedures
from nightgarden.remember.compare.relation import APART, DETAIL, EXACT
from nightgarden.remember.compare.statement import read
from nightgarden.remember.relations import PairEvidence, weigh, weigh_among
from nightgarden.remember.told import as_told
from nightgarden.remember.whose import other_holders

SCORED_MAX = 6  # neighbours the classifier reads; a paraphrase or the outdated value is nearly always among five
SCORED_COSINE_MIN = 0.45  # of bge-small; strangers lie around .5, so this drops only what has nothing to do with it


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A known memory, and what its vector says (None when there is none): how near it is, and how it relates."""

    memory: Memory
    cosine: float | None = None
    by_vectors: VectorScores | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairReading:
    """One neighbour beside the new statement."""

    known: Memory
    evidence: PairEvidence
    comparison: Comparison  # to act upon


def relate(
    new: Memory, neighbours: Sequence[Neighbour], *, classifier: Classifier | None, news: float | None = None
) -> list[PairReading]:
    """Each neighbour beside the new statement, in their order, and held against the others. `news`: how much it sounded
    like a change when it was said; None if that has to be read off the statement."""
    scores = _scores(new, neighbours, classifier)
    found = [_read(new, neighbour, scores.get(neighbour.memory.id), news) for neighbour in neighbours]
    if classifier is not None:
        found = _among_others(new, found, classifier, news)
    return [_as_told(new, reading) for reading in found]


def _read(new: Memory, neighbour: Neighbour, scores: RelationScores | None, news: float | None) -> PairReading:
    """One neighbour by itself."""
    known = neighbour.memory
    if known.procedure is not None and new.procedure is not None:
        told = read(new.content.split(new.procedure.steps[0], 1)[0]) if new.procedure.steps else read("")
        settled = compare_procedures(known.procedure, new.procedure, told_as_change=told.changes)
    elif other_holders(known.content, new.content):  # what customers like says nothing of what the user likes
        settled = Comparison(relation=Relation.UNRELATED, rule=APART)
    elif is_exact(known.content, new.content):
        settled = Comparison(relation=Relation.SAME, rule=EXACT)
    else:
        evidence = PairEvidence(
            scores=scores,
            cosine=neighbour.cosine,
            by_vectors=neighbour.by_vectors,
            signs=signs(known.content, new.content),
            news=news or 0.0,
        )
        weighed = weigh(evidence)
        if weighed is None:
            weighed = compare_by_signs(known.content, new.content, evidence.signs, cosine=neighbour.cosine)
        return PairReading(known=known, evidence=evidence, comparison=weighed)
    return PairReading(known=known, evidence=PairEvidence(scores=None), comparison=settled)


def _among_others(
    new: Memory, readings: list[PairReading], classifier: Classifier, news: float | None
) -> list[PairReading]:
    """The same, once each neighbour is held against the others; as they are where there are too few."""
    pairs: list[tuple[int, KnownStatement]] = []
    for number, reading in enumerate(readings):
        scores, cosine, likely = reading.evidence.scores, reading.evidence.cosine, reading.evidence.likelihood
        if scores is not None and scores.deep and cosine is not None and likely is not None:
            pairs.append((number, KnownStatement(cosine=cosine, likelihood=likely, scores=scores)))
    if len(pairs) < NEIGHBOURS_MIN:
        return readings
    if news is None:
        words = classifier.read_message(new.content, previous="").words
        news = max((word.change for word in words), default=0.0)
    judged = judge_among([known for _, known in pairs], news)
    ended, repeated = (
        max(range(len(judged)), key=key)
        for key in (lambda at: (judged[at].changes, -at), lambda at: (judged[at].same, -at))
    )
    settled = list(readings)
    for at, (number, _) in enumerate(pairs):
        reading = readings[number]
        comparison = weigh_among(
            reading.evidence,
            reading.comparison,
            judged[at],
            likeliest_to_end=at == ended,
            likeliest_the_same=at == repeated,
        )
        settled[number] = replace(reading, comparison=comparison)
    return settled


def _scores(new: Memory, neighbours: Sequence[Neighbour], classifier: Classifier | None) -> dict[str, RelationScores]:
    """What the classifier says of the nearest ones; those far off in meaning are not worth its time."""
    if classifier is None:
        return {}
    near = [n.memory for n in neighbours if n.cosine is None or n.cosine >= SCORED_COSINE_MIN][:SCORED_MAX]
    scored = classifier.relate_to(new.content, [known.content for known in near]) if near else []
    return {known.id: score for known, score in zip(near, scored, strict=True)}


def _as_told(new: Memory, reading: PairReading) -> PairReading:
    comparison = as_told(reading.comparison, reading.known, new, reading.evidence)
    if comparison.contradicts and _said_together(reading.known, new):
        comparison = Comparison(relation=Relation.ADDS, rule=DETAIL)
    return replace(reading, comparison=comparison)


def _said_together(known: Memory, new: Memory) -> bool:
    """Whether one message said both: "MapLibre is out again. We go back to Google Maps." None ends the other."""
    return new.message_range is not None and (known.session_id, known.message_range) == (
        new.session_id,
        new.message_range,
    )
