"""A group of episodes as a procedure: what its members have in common, in the order they did it. Pure.

Also how sure a procedure is after it was followed, and when that promotes or archives it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nightgarden.domain.memory import Ending, Memory, Procedure, ProcedureUse, Status
from nightgarden.domain.text import query_terms, terms
from nightgarden.learn.common import telling

SOURCES_MIN = 3  # distinct sessions
CORE_SHARE = 0.5  # an action is part of it when at least so many members did it
ACTIONS_MIN = 3  # fewer are a habit, not a procedure; taste
TELLING_MIN = 2  # of them, such that not every piece of work has them
WARNINGS_MAX = 5
WORDS_SHARE = 0.5  # a word of the tasks names it when so many have it
USES_MAX = 100
SAME_STEPS = 0.6  # share of the larger one's actions that makes two procedures the same
# A new procedure is a little more likely right than not; a failure takes more than a success gives. Taste.
START, GAIN, LOSS, CONFIDENCE_MAX, CONFIDENCE_MIN = 0.55, 0.15, 0.7, 0.99, 0.01
PROMOTED_AT, PROMOTED_SUCCESSES = 0.8, 3
ARCHIVED_BELOW, ARCHIVED_USES = 0.3, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """A procedure with the episodes it was made of."""

    procedure: Procedure
    sources: tuple[str, ...]  # ids of episodes, oldest first


def learn(members: Sequence[Memory]) -> Learned | None:
    """What these episodes have in common, or None when that is no procedure."""
    members = sorted(members, key=lambda memory: (memory.created_at, memory.id))
    if len({memory.session_id for memory in members}) < SOURCES_MIN:
        return None
    core = _core(members)
    if len(core) < ACTIONS_MIN or sum(map(telling, core)) < TELLING_MIN:
        return None
    programs = sorted({action.split(" ")[0] for action in core if not action.startswith(("edit ", "tool "))})
    procedure = Procedure(
        name=_name(core),
        trigger=_trigger(members, core),
        steps=tuple(_step(action, members) for action in core),
        prerequisites=(f"{', '.join(programs)} can be run here",) if programs else (),
        warnings=_warnings(members, core),
        tools=tuple(programs),
        actions=core,
    )
    return Learned(procedure=procedure, sources=tuple(memory.id for memory in members))


def _actions(memory: Memory) -> dict[str, str]:
    assert memory.episode is not None
    return {step.action: step.detail for step in memory.episode.steps}


def _core(members: Sequence[Memory]) -> tuple[str, ...]:
    """The actions that most have, in the mean order in which they came."""
    places: dict[str, list[float]] = {}
    for memory in members:
        names = list(_actions(memory))
        for at, name in enumerate(names):
            places.setdefault(name, []).append(at / len(names))
    common = {name: found for name, found in places.items() if len(found) >= CORE_SHARE * len(members)}
    return tuple(sorted(common, key=lambda name: (round(sum(common[name]) / len(common[name]), 6), name)))


def _step(action: str, members: Sequence[Memory]) -> str:
    """A command as most wrote it, up to where they differ; a kind of file."""
    details = [detail for memory in members if (detail := _actions(memory).get(action))]
    if action.startswith("edit "):
        return f"Edit {action.removeprefix('edit ')}"
    if action.startswith("tool "):
        return f"Use {action.removeprefix('tool ')}"
    return f"Run `{_shared(details) or action}`"


def _shared(details: Sequence[str]) -> str:
    """The words that at least half of the commands begin with; what follows differs from time to time."""
    split = [detail.split() for detail in details]
    kept: list[str] = []
    while split:
        following = Counter(words[len(kept)] if len(words) > len(kept) else "" for words in split)
        best = min(following.items(), key=lambda item: (-item[1], item[0]))[0]
        if not best or 2 * following[best] < len(details) + 1:
            break
        split = [words for words in split if len(words) > len(kept) and words[len(kept)] == best]
        kept.append(best)
    more = any(len(words) > len(kept) for words in split) if kept else False
    return " ".join(kept) + (" …" if more else "")


def _name(core: Sequence[str]) -> str:
    """By what is done: the most telling actions, in order."""
    said = [action.removeprefix("edit ") for action in core if telling(action)]
    return ", ".join(said[:3])


def _trigger(members: Sequence[Memory], core: Sequence[str]) -> str:
    """Words that most tasks share, so that a task in these words brings it up; else the first telling command."""
    tasks = [memory.episode.task for memory in members if memory.episode]
    said = Counter(word for task in tasks for word in set(query_terms(task)))
    shared = {word for word, number in said.items() if number >= WORDS_SHARE * len(tasks) and len(word) > 2}
    whole = [task for task in tasks if shared <= set(query_terms(task))]
    if len(shared) >= 2 and whole:
        return " ".join(word for word in dict.fromkeys(terms(whole[0])) if word in shared)
    commands = [action for action in core if not action.startswith("edit ")]
    return next(filter(telling, commands), core[0])


def _warnings(members: Sequence[Memory], core: Sequence[str]) -> tuple[str, ...]:
    """Errors that these steps ran into, and what worked instead."""
    found: list[str] = []
    for memory in members:
        assert memory.episode is not None
        found += [line for line in memory.episode.gotchas if line.split(":")[0] in core]
        found += [line for line in memory.episode.patterns if line.startswith("`")]
    return tuple(dict.fromkeys(found))[:WARNINGS_MAX]


def same_steps(one: Sequence[str], other: Sequence[str]) -> float:
    """How far two procedures do the same: the share of the larger one's actions that both have."""
    left, right = set(one), set(other)
    return len(left & right) / max(len(left), len(right)) if left and right else 0.0


def next_confidence(confidence: float, outcome: Ending) -> float:
    """After one more use. What ended halfway says neither."""
    match outcome:
        case Ending.SUCCESS:
            return min(CONFIDENCE_MAX, confidence + GAIN * (1 - confidence))
        case Ending.FAILURE:
            return max(CONFIDENCE_MIN, confidence * LOSS)
        case Ending.PARTIAL:
            return confidence


def followed(uses: Iterable[ProcedureUse], *, start: float = START) -> tuple[ProcedureUse, ...]:
    """The uses in order of time, each with the confidence after it: whatever order they became known in."""
    confidence, found = start, []
    for use in sorted(uses, key=lambda use: (use.at, use.episode_id or "", use.reason, use.outcome)):
        confidence = round(next_confidence(confidence, use.outcome), 6)
        found.append(replace(use, confidence=confidence))
    return tuple(found)[-USES_MAX:]


def uses_of(later: Iterable[Memory]) -> list[ProcedureUse]:
    """What sessions tell that followed it after it was known."""
    return [
        ProcedureUse(
            at=memory.created_at,
            outcome=memory.episode.outcome,
            confidence=0.0,
            reason="a session",
            episode_id=memory.id,
        )
        for memory in later
        if memory.episode is not None
    ]


def standing(memory: Memory, uses: Sequence[ProcedureUse], *, start: float = START) -> tuple[Status, float]:
    """Where a procedure stands after its uses: promoted when it held, archived when it failed again and again. One that
    somebody archived or promoted by hand stays so unless it failed."""
    confidence = uses[-1].confidence if uses else start
    successes = sum(use.outcome is Ending.SUCCESS for use in uses)
    if len(uses) >= ARCHIVED_USES and confidence < ARCHIVED_BELOW:
        return Status.ARCHIVED, confidence
    if memory.status is Status.CANDIDATE and successes >= PROMOTED_SUCCESSES and confidence >= PROMOTED_AT:
        return Status.PROMOTED, confidence
    return memory.status, confidence
