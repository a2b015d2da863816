"""What becomes of a new statement, given the known ones nearest to it. Pure: the search for neighbours is elsewhere."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nightgarden.domain.classify import Classifier, RelationScores, VectorScores
from nightgarden.domain.memory import USER_SAID, Memory
from nightgarden.domain.text import dedupe_key
from nightgarden.domain.verdict import Rule
from nightgarden.remember.among import NEIGHBOURS_MIN, KnownStatement, judge_among
from nightgarden.remember.compare import Comparison, Relation, compare
from nightgarden.remember.compare.guards import signs
from nightgarden.remember.compare.procedure_steps import compare_procedures
from nightgarden.remember.compare.relation import APART, EXACT
from nightgarden.remember.compare.siblings import is_of_a_sibling
from nightgarden.remember.compare.statement import read
from nightgarden.remember.relations import (
    BESIDE,
    LEARNED_CHANGE,
    PairEvidence,
    may_fall,
    weigh,
    weigh_among,
)
from nightgarden.remember.told import as_told
from nightgarden.remember.whose import other_holders

# Who may overrule whom: a statement replaces another only when its origin weighs at least as much, with a little room
# for what two machines or two sessions each observed.
_ROOM = 0.1
CLAUSE_COSINE = 0.55  # below that the two are about different things, and clauses need no look
SCORED_MAX = 6  # neighbours the classifier reads; a paraphrase or the outdated value is nearly always among five
SCORED_COSINE_MIN = 0.45  # of bge-small; strangers lie around .5, so this drops only what has nothing to do with it
CLAUSE_WORDS = 4  # fewer words than that are no statement
_CLAUSE = re.compile(r"([^,;]+?)(?:[,;]| because | since | so that | – )\s*\S", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A known memory, and what its vector says (None when there is none): how near it is, and how it relates."""

    memory: Memory
    cosine: float | None = None
    by_vectors: VectorScores | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Save:
    """Nothing known says the same or the opposite. It may be a special case of a known one, or an exception."""

    beside: tuple[Memory, ...] = ()
    rule: Rule | None = None  # how it stands beside the nearest of them


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforce:
    """A known memory says the same."""

    memory: Memory
    rule: Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """The new statement replaces known ones, or, being older than them, is itself replaced."""

    memories: tuple[Memory, ...]
    rule: Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Flag:
    """It may contradict known ones: both stay, and the user is asked."""

    memories: tuple[Memory, ...]
    rule: Rule


Judgement = Save | Reinforce | Supersede | Flag


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """One neighbour beside the new statement."""

    neighbour: Neighbour
    ruled: Comparison
    evidence: PairEvidence
    comparison: Comparison  # to act upon


def judge(  # noqa: C901 - a table of cases
    new: Memory, neighbours: Sequence[Neighbour], *, classifier: Classifier | None = None, news: float | None = None
) -> Judgement:
    """The same to the letter wins over everything, the same in other words only where nothing is replaced. Without a
    classifier the rules stand alone. `news`: how much it sounded like a change when it was said; None if that has to be
    read off the statement."""
    same: Reinforce | None = None
    sure: list[tuple[Memory, Rule]] = []
    guessed: list[tuple[float, Memory]] = []
    unsure: list[tuple[Memory, Rule]] = []
    beside: list[tuple[Memory, Rule]] = []
    around = [neighbour.memory.content for neighbour in neighbours]
    for reading in _among_others(new, _read(new, neighbours, classifier, news), classifier, news):
        known, evidence = reading.neighbour.memory, reading.evidence
        comparison = as_told(reading.comparison, known, new, evidence)
        if comparison.contradicts and _said_together(known, new):
            continue
        match comparison.relation:
            case Relation.SAME if _says_better(new, known):
                sure.append((known, comparison.rule))
            case Relation.SAME if comparison.rule is EXACT and known.scope == new.scope:
                return Reinforce(memory=known, rule=comparison.rule)  # what it may replace stood beside it before
            case Relation.SAME:
                same = same or Reinforce(memory=known, rule=comparison.rule)
            case Relation.CONTRADICTS_SURE:
                certain = comparison.newer_wins and may_overrule(new, known) and may_fall(known, comparison, evidence)
                certain = certain and not is_of_a_sibling(known.content, new.content, around)
                if certain and comparison.rule is LEARNED_CHANGE:
                    guessed.append((evidence.changes(reading.ruled.relation), known))
                else:
                    (sure if certain else unsure).append((known, comparison.rule))
            case Relation.CONTRADICTS_MAYBE:
                unsure.append((known, comparison.rule))
            case Relation.ADDS if comparison.rule in BESIDE:
                beside.append((known, comparison.rule))
            case Relation.ADDS | Relation.UNRELATED:
                pass
    if guessed:  # one statement seldom ends two others: where no rule sees it, only the likeliest is replaced
        sure.append((max(guessed, key=lambda each: (each[0], each[1].id))[1], LEARNED_CHANGE))
    if sure:
        return Supersede(memories=tuple(m for m, _ in sure), rule=sure[0][1])
    if same:
        return same
    if unsure:
        return Flag(memories=tuple(m for m, _ in unsure), rule=unsure[0][1])
    return Save(beside=tuple(m for m, _ in beside), rule=beside[0][1] if beside else None)


def _read(
    new: Memory, neighbours: Sequence[Neighbour], classifier: Classifier | None, news: float | None
) -> list[_Reading]:
    """Each neighbour beside the new statement, by itself."""
    scores = _scores(new, neighbours, classifier)
    found = []
    for neighbour in neighbours:
        known = neighbour.memory
        evidence = PairEvidence(scores=None)
        if known.procedure is not None and new.procedure is not None:
            told = read(new.content.split(new.procedure.steps[0], 1)[0]) if new.procedure.steps else read("")
            ruled = compare_procedures(known.procedure, new.procedure, told_as_change=told.changes)
        elif other_holders(known.content, new.content):  # what customers like says nothing of what the user likes
            ruled = Comparison(relation=Relation.UNRELATED, rule=APART)
        else:
            ruled = relate(known.content, new.content, cosine=neighbour.cosine)
            if (scored := scores.get(known.id)) is not None:
                evidence = PairEvidence(
                    scores=scored,
                    cosine=neighbour.cosine,
                    by_vectors=neighbour.by_vectors,
                    signs=signs(known.content, new.content),
                    news=news or 0.0,
                )
        comparison = weigh(ruled, evidence)
        found.append(_Reading(neighbour=neighbour, ruled=ruled, evidence=evidence, comparison=comparison))
    return found


def _among_others(
    new: Memory, readings: list[_Reading], classifier: Classifier | None, news: float | None
) -> list[_Reading]:
    """The same, once each neighbour is held against the others; as they are where there are too few."""
    pairs: list[tuple[int, KnownStatement]] = []
    for number, reading in enumerate(readings):
        scores, cosine = reading.evidence.scores, reading.evidence.cosine
        likely = reading.evidence.likelihood(reading.ruled.relation)
        if scores is not None and scores.deep and cosine is not None and likely is not None:
            pairs.append((number, KnownStatement(cosine=cosine, likelihood=likely, scores=scores)))
    if len(pairs) < NEIGHBOURS_MIN or classifier is None:
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
            reading.ruled,
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


def relate(known: str, new: str, *, cosine: float | None) -> Comparison:
    """How two statements relate, the main clause of each looked at as well.

    "The port is 9090 now, 8080 clashed with the proxy" replaces "The port is 8080" for what its first clause says; and
    what only repeats the first clause of a known statement says nothing new.
    """
    whole = compare(known, new, cosine=cosine)
    if whole.relation not in (Relation.ADDS, Relation.UNRELATED) or (cosine is not None and cosine < CLAUSE_COSINE):
        return whole
    if lead := main_clause(new):
        part = compare(known, lead, cosine=None)
        if part.relation is Relation.CONTRADICTS_SURE:
            return part
    if lead := main_clause(known):
        part = compare(lead, new, cosine=None)
        if part.relation in (Relation.SAME, Relation.CONTRADICTS_SURE):
            return part
    return whole


def main_clause(text: str) -> str:
    """What stands before the first comma, semicolon or "because"; empty when there is nothing after it."""
    match = _CLAUSE.match(text)
    return match[1] if match and len(match[1].split()) >= CLAUSE_WORDS else ""


def _said_together(known: Memory, new: Memory) -> bool:
    """Whether one message said both: "MapLibre is out again. We go back to Google Maps." None ends the other."""
    return new.message_range is not None and (known.session_id, known.message_range) == (
        new.session_id,
        new.message_range,
    )


def _says_better(new: Memory, known: Memory) -> bool:
    """The user says in own words what is known from outside text alone: those words take its place."""
    said = new.provenance in USER_SAID and not new.tainted
    return said and known.tainted and dedupe_key(new.content) != dedupe_key(known.content)


def may_overrule(new: Memory, known: Memory) -> bool:
    """Whether the new statement's origin weighs enough to replace the known one without asking. The user's own word
    falls to the user's own word alone, never to what an agent, a file or a reader of sessions says."""
    if new.tainted and not known.tainted:
        return False
    if known.pinned or (known.provenance in USER_SAID and not known.tainted):
        return new.provenance in USER_SAID and not new.tainted
    return new.provenance in USER_SAID or new.trust * new.confidence + _ROOM >= known.trust * known.confidence
