"""How the turns of a conversation carry each other. Pure.

Between people, the answer to a question often shares no word with it, but stands next to the turn that does: after the
turn that asked, in a session that is about it. A turn that only asks, or only says thanks, holds no answer itself. With
an agent little of this holds: the user's requests are where the facts stand, and the replies, long and about
everything, repeat them. So the two kinds of talk are judged by weights of their own, and nothing supports a reply. What
the user asked for every time, or said to prefer, belongs to later questions that hardly share a word with it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from nightgarden.domain.searchable import PLAIN_ROLES
from nightgarden.domain.session import Passage
from nightgarden.recall.options import RecallOptions
from nightgarden.recall.standing import StandingRequest, standing

SESSION_WEIGHT = 0.8  # of the mean of the session's best two
SESSION_BEST = 2
LENGTH_FULL = 40  # words; beyond it a turn says no more because it is long
NAME_WEIGHT = 1.0  # the query names who spoke
ROLE_WEIGHT = 1.0  # the query says "I" or "you": as good as a name
INSTRUCTION_MAX = 5.0  # about what lies between the first and the tenth result


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How one kind of talk is judged. Fitted and rounded as in fuse.py; docs/why/fusion.md has each one's worth."""

    neighbour: float = 0.0  # of the better of the turns before and after
    answers: float = 0.0  # of the turn before, when it asks something
    question: float = 0.0  # against a turn that is all question
    length: float = 0.0  # for each factor e of length, up to LENGTH_FULL words
    reply: float = 0.0  # of the support that a turn has by its session, for a reply of the agent
    instruction: float = 0.0  # of a turn's own evidence, for a standing instruction, up to INSTRUCTION_MAX
    preference: float = 0.0  # for what the user said to prefer


BETWEEN_PEOPLE = Weights(neighbour=0.28, answers=0.42, question=1.0, length=1.1)
WITH_AGENT = Weights(neighbour=0.28, answers=0.42, instruction=1.0, preference=0.5)

AGENT = "assistant"  # the role
_SENTENCE = re.compile(r"[^.!?？؟。！\n]+[.!?？؟。！]*")
_SPEAKER = re.compile(r"([^\W\d][\w.'’ -]{0,39}):\s")


@dataclass(frozen=True, slots=True, kw_only=True)
class NeighbourTurn:
    """What of a passage its neighbours need to know."""

    id: str
    session_id: str
    position: int
    said_by: str  # a name, or a role
    asks: float  # share of it that is questions
    words: int
    standing: StandingRequest = StandingRequest.NOTHING  # what it says for the time after it


def read_turn(passage: Passage) -> NeighbourTurn:
    asks, words, stands = _shape(passage.content)
    return NeighbourTurn(
        id=passage.id,
        session_id=passage.session_id,
        position=passage.position,
        said_by=speaker(passage),
        asks=asks,
        words=words,
        standing=stands,
    )


@lru_cache(maxsize=8192)  # a garden's good turns come up again and again; about 2 MB
def _shape(text: str) -> tuple[float, int, StandingRequest]:
    return question_share(text), len(text.split()), standing(text)


def question_share(text: str) -> float:
    """How much of a text is questions, 0 to 1, by characters."""
    if "?" not in text and "？" not in text and "؟" not in text:
        return 0.0
    sentences = [sentence.strip() for sentence in _SENTENCE.findall(text)]
    asked = sum(len(sentence) for sentence in sentences if sentence.endswith(("?", "？", "؟")))
    return asked / max(1, sum(len(sentence) for sentence in sentences))


def speaker(passage: Passage) -> str:
    """Who said it: the role when it is a name, else a name at the start of the text, else the role. An agent's reply
    that starts with "Note:" names nobody."""
    if passage.role.casefold() not in PLAIN_ROLES or passage.role == AGENT:
        return passage.role
    named = _SPEAKER.match(passage.content)
    return named[1] if named else passage.role


def speaker_boost(said_by: str, words: frozenset[str], roles: frozenset[str]) -> float:
    """For an item said by someone the query names, or means by "I" or "you"."""
    name = said_by.casefold()
    if name in PLAIN_ROLES:
        return ROLE_WEIGHT if name in roles else 0.0
    return NAME_WEIGHT if any(part in words for part in name.split()) else 0.0


def conversation_boosts(
    turns: Iterable[NeighbourTurn], base: Mapping[str, float], options: RecallOptions, with_agent: Weights = WITH_AGENT
) -> dict[str, dict[str, float]]:
    """What each turn gains or loses by its place and its shape. Turns that are not among `turns` support nobody."""
    known = list(turns)
    weights = _weights(known, with_agent)
    session_best = _session_best(known, base) if options.sessions else {}
    best_at, asked_at = _best_by_place(known, base)
    boosts: dict[str, dict[str, float]] = {}
    for turn in known:
        gained: dict[str, float] = {}
        by = weights[turn.session_id]
        agent = turn.said_by == AGENT
        if options.neighbours and not agent:  # what stands next to an agent's reply is what it repeats
            before, after = (turn.session_id, turn.position - 1), (turn.session_id, turn.position + 1)
            gained["neighbour"] = by.neighbour * max(best_at.get(before, 0.0), best_at.get(after, 0.0))
            gained["answers"] = by.answers * asked_at.get(before, 0.0)
        if options.sessions and by is BETWEEN_PEOPLE:
            gained["session"] = SESSION_WEIGHT * session_best[turn.session_id]
        elif options.sessions:  # a long one is about many things: each turn is a session of one, as a memory is
            gained["session"] = SESSION_WEIGHT * base.get(turn.id, 0.0) * (by.reply if agent else 1.0)
        if options.shape and not agent:
            gained["standing"] = _standing_boost(turn.standing, base.get(turn.id, 0.0) + sum(gained.values()), by)
        if options.shape:
            gained["question"] = -by.question * turn.asks
            gained["short"] = by.length * _SHORT[min(turn.words, LENGTH_FULL)]
        boosts[turn.id] = gained
    return boosts


def _standing_boost(stands: StandingRequest, evidence: float, by: Weights) -> float:
    match stands:
        case StandingRequest.INSTRUCTION:
            return min(by.instruction * max(0.0, evidence), INSTRUCTION_MAX)
        case StandingRequest.PREFERENCE:
            return by.preference
        case StandingRequest.NOTHING:
            return 0.0


def _weights(turns: Iterable[NeighbourTurn], with_agent: Weights) -> dict[str, Weights]:
    """By session: people talk to each other where somebody has a name and nobody is an agent."""
    speakers: dict[str, set[str]] = {}
    for turn in turns:
        speakers.setdefault(turn.session_id, set()).add(turn.said_by.casefold())
    return {
        session: BETWEEN_PEOPLE if said_by - PLAIN_ROLES and AGENT not in said_by else with_agent
        for session, said_by in speakers.items()
    }


# The logarithm of how much shorter than a full one a turn of so many words is.
_SHORT = tuple(math.log((1 + words) / (1 + LENGTH_FULL)) for words in range(LENGTH_FULL + 1))
_Places = dict[tuple[str, int], float]


def _best_by_place(turns: Iterable[NeighbourTurn], base: Mapping[str, float]) -> tuple[_Places, _Places]:
    """The best evidence at each place of a session (a long message has several pieces there), and of those that ask."""
    best: _Places = {}
    asked: _Places = {}
    for turn in turns:
        place, evidence = (turn.session_id, turn.position), max(0.0, base.get(turn.id, 0.0))
        best[place] = max(best.get(place, 0.0), evidence)
        if turn.asks:
            asked[place] = max(asked.get(place, 0.0), evidence)
    return best, asked


def alone_boosts(evidence: float, options: RecallOptions) -> dict[str, float]:
    """A memory is a session of one: without this, talk about a thing would outrank the belief about it."""
    return {"session": SESSION_WEIGHT * evidence} if options.sessions else {}


def _session_best(turns: Iterable[NeighbourTurn], base: Mapping[str, float]) -> dict[str, float]:
    scores: dict[str, list[float]] = {}
    for turn in turns:
        scores.setdefault(turn.session_id, []).append(base.get(turn.id, 0.0))
    best = {session: sorted(found, reverse=True)[:SESSION_BEST] for session, found in scores.items()}
    return {session: sum(found) / len(found) for session, found in best.items()}
