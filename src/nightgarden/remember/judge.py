"""What becomes of a new statement, given the known ones nearest to it. Pure: the search for neighbours is elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nightgarden.domain.classify import Classifier
from nightgarden.domain.memory import USER_SAID, Memory
from nightgarden.domain.text import dedupe_key
from nightgarden.domain.verdict import Rule
from nightgarden.remember.compare import Relation
from nightgarden.remember.compare.relation import EXACT
from nightgarden.remember.compare.siblings import is_of_a_sibling
from nightgarden.remember.pair_reading import Neighbour, relate
from nightgarden.remember.relations import BESIDE, LEARNED_CHANGE, may_fall

# Who may overrule whom: a statement replaces another only when its origin weighs at least as much, with a little room
# for what two machines or two sessions each observed.
_ROOM = 0.1


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


def judge(  # noqa: C901 - a table of cases
    new: Memory, neighbours: Sequence[Neighbour], *, classifier: Classifier | None = None, news: float | None = None
) -> Judgement:
    """The same to the letter wins over everything, the same in other words only where nothing is replaced. Without a
    classifier exact signs stand alone. `news`: see `pair_reading.relate`."""
    same: Reinforce | None = None
    sure: list[tuple[Memory, Rule]] = []
    guessed: list[tuple[float, Memory]] = []
    unsure: list[tuple[Memory, Rule]] = []
    beside: list[tuple[Memory, Rule]] = []
    around = [neighbour.memory.content for neighbour in neighbours]
    for reading in relate(new, neighbours, classifier=classifier, news=news):
        known, evidence, comparison = reading.known, reading.evidence, reading.comparison
        match comparison.relation:
            case Relation.SAME if _says_better(new, known):
                sure.append((known, comparison.rule))
            case Relation.SAME if comparison.rule is EXACT and known.scope == new.scope:
                return Reinforce(memory=known, rule=comparison.rule)  # what it may replace stood beside it before
            case Relation.SAME:
                same = same or Reinforce(memory=known, rule=comparison.rule)
            case Relation.CONTRADICTS_SURE:
                certain = may_overrule(new, known) and may_fall(known, comparison, evidence)
                certain = certain and not is_of_a_sibling(known.content, new.content, around)
                likely = evidence.likelihood
                if certain and comparison.rule is LEARNED_CHANGE and likely is not None:
                    guessed.append((likely.changes, known))
                else:
                    (sure if certain else unsure).append((known, comparison.rule))
            case Relation.CONTRADICTS_MAYBE:
                unsure.append((known, comparison.rule))
            case Relation.ADDS if comparison.rule in BESIDE:
                beside.append((known, comparison.rule))
            case Relation.ADDS | Relation.UNRELATED:
                pass
    if guessed:  # one statement seldom ends two others: of what it does not name, only the likeliest is replaced
        sure.append((max(guessed, key=lambda each: (each[0], each[1].id))[1], LEARNED_CHANGE))
    if sure:
        return Supersede(memories=tuple(m for m, _ in sure), rule=sure[0][1])
    if same:
        return same
    if unsure:
        return Flag(memories=tuple(m for m, _ in unsure), rule=unsure[0][1])
    return Save(beside=tuple(m for m, _ in beside), rule=beside[0][1] if beside else None)


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
