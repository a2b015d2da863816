"""A group of episodes as a procedure: what its members have in common, in the order they did it. Pure.

Also how sure a procedure is after it was followed, and when that promotes or archives it.
"""

from __future__ import annotations

import itertools
import posixpath
import re
import shlex
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from nightgarden.domain.memory import Ending, Memory, Procedure, ProcedureUse, Status
from nightgarden.domain.text import query_terms, squash, terms
from nightgarden.learn.actions import commands_of, quote_word
from nightgarden.learn.capture.program_errors import error_line
from nightgarden.learn.common import REVIEWED, options_of, telling

SOURCES_MIN = 3  # distinct sessions
CORE_SHARE = 0.5  # an action is part of it when at least so many members did it
ACTIONS_MIN = 3  # fewer are a habit, not a procedure; taste
TELLING_MIN = 1  # of them, such that not every piece of work has it
WARNINGS_MAX = 5
ASKED_MAX = 3
ASKED_CHARS_MAX = 120
WORDS_SHARE = 0.5  # a word of the tasks names it when so many have it
USES_MAX = 100
SAME_STEPS = 0.6  # share of the larger one's actions that makes two procedures the same
PURPOSE_WORDS_MAX = 3
_MESSAGE_OPTION = re.compile(r"-[a-z]*m\Z|--message\Z")
# A new procedure is a little more likely right than not; a failure takes more than a success gives. Taste.
START, GAIN, LOSS, CONFIDENCE_MAX, CONFIDENCE_MIN = 0.55, 0.15, 0.7, 0.99, 0.01
START_REVIEWED = 0.65  # a second person looked at what was done; taste
REVIEW_TRIGGER = "review comments"
PROMOTED_AT, PROMOTED_SUCCESSES = 0.8, 3
ARCHIVED_BELOW, ARCHIVED_USES = 0.3, 5


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedProcedure:
    """A procedure with the episodes it was made of."""

    procedure: Procedure
    sources: tuple[str, ...]  # ids of episodes, oldest first


def learn(members: Sequence[Memory]) -> LearnedProcedure | None:
    """What these episodes have in common, or None when that is no procedure."""
    members = sorted(members, key=lambda memory: (memory.created_at, memory.id))
    if len({memory.session_id for memory in members}) < SOURCES_MIN:
        return None
    core = _core(members)
    if len(core) < ACTIONS_MIN or sum(map(telling, core)) < TELLING_MIN:
        return None
    programs = sorted({action.split(" ")[0] for action in core if not action.startswith(("edit ", "tool "))})
    reviewed = REVIEWED in core
    procedure = Procedure(
        name=_name(members, core),
        trigger=REVIEW_TRIGGER if reviewed else _trigger(members, core),
        steps=tuple(_step(action, members) for action in core),
        prerequisites=(f"{', '.join(programs)} can be run here",) if programs else (),
        warnings=_warnings(members, core),
        tools=tuple(programs),
        asked_as=tuple(dict.fromkeys(_asked(m.episode.task) for m in members if m.episode))[:ASKED_MAX],
        reviewed=reviewed,
        actions=tuple(dict.fromkeys(_plain(action) for action in core)),
    )
    return LearnedProcedure(procedure=procedure, sources=tuple(memory.id for memory in members))


def done_in(memory: Memory) -> dict[str, str]:
    """What was done in an episode, and with what. A command with a telling option is there with and without it."""
    assert memory.episode is not None
    found: dict[str, str] = {}
    for step in memory.episode.steps:
        found |= dict.fromkeys((step.action, *options_of(step.action, step.detail)), step.detail)
    return found


def _plain(action: str) -> str:
    """Without an option."""
    return action.partition(" -")[0]


def _core(members: Sequence[Memory]) -> tuple[str, ...]:
    """The actions that most have, in the mean order in which they came."""
    places: dict[str, list[float]] = {}
    for memory in members:
        names = list(done_in(memory))
        for at, name in enumerate(names):
            places.setdefault(name, []).append(at / len(names))
    common = {name: found for name, found in places.items() if len(found) >= CORE_SHARE * len(members)}
    named = {_plain(name) for name in common if name != _plain(name)}  # told with the option, not twice
    kept = {name: found for name, found in common.items() if name not in named}
    return tuple(sorted(kept, key=lambda name: (round(sum(kept[name]) / len(kept[name]), 6), name)))


def _step(action: str, members: Sequence[Memory]) -> str:
    """A command as most wrote it, up to where they differ; a file, or files of a kind."""
    details = [detail for memory in members if (detail := done_in(memory).get(action))]
    if action.startswith("edit "):
        return f"Edit `{_file(details) or action.removeprefix('edit ')}`"
    if action.startswith("tool "):
        return f"Use {action.removeprefix('tool ')}"
    shared, option = _shared(details) or action, action.removeprefix(_plain(action)).strip()
    if option and option not in shared:
        shared = f"{shared.removesuffix(' …')} … {option} …"
    return f"Run `{shared}`"


def _shared(details: Sequence[str]) -> str:
    """The words that at least half of the commands begin with; what follows differs from time to time."""
    split = [_words(detail) for detail in details]
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


def _words(command: str) -> list[str]:
    """As a shell reads them, so that a quoted text is never cut in the middle."""
    try:
        return [word if word == "&&" else quote_word(word) for word in shlex.split(command)]
    except ValueError:
        return command.split()


def _file(paths: Sequence[str]) -> str:
    """The file that most changed, else the folder and ending that all share."""
    if not paths:
        return ""
    path, number = min(Counter(paths).items(), key=lambda item: (-item[1], item[0]))
    if 2 * number > len(paths):
        return path
    kinds = {(posixpath.dirname(each), posixpath.splitext(each)[1]) for each in paths}
    folder, ending = next(iter(kinds))
    return f"{folder}/*{ending}" if len(kinds) == 1 and folder and ending else ""


def _asked(task: str) -> str:
    line = squash(task).replace('"', "'")
    return line if len(line) <= ASKED_CHARS_MAX else line[:ASKED_CHARS_MAX].rsplit(" ", 1)[0] + " …"


def _name(members: Sequence[Memory], core: Sequence[str]) -> str:
    """What their commits say alike ("Release"), and the most telling actions, commands before files."""
    said = [action.removeprefix("edit ") for action in core if telling(action)]
    commands = [action for action in core if telling(action) and not action.startswith("edit ")]
    purpose = "Answer a review" if REVIEWED in core else _purpose(members)
    if not purpose:
        return ", ".join(said[:3])
    return f"{purpose}: {', '.join((commands or said)[:2])}"


def _purpose(members: Sequence[Memory]) -> str:
    """The words that all their commit messages begin with; empty when there are none, or too few messages."""
    subjects = [subject for memory in members if (subject := _commit_subject(done_in(memory).get("git commit", "")))]
    if len(subjects) < SOURCES_MIN or 2 * len(subjects) < len(members):
        return ""
    shared = []
    for words in zip(*(subject.split()[:PURPOSE_WORDS_MAX] for subject in subjects), strict=False):
        if len({word.lower() for word in words}) > 1 or not words[0].strip(":").isalpha():
            break
        shared.append(words[0].strip(":"))
    text = " ".join(shared)
    return text[:1].upper() + text[1:] if set(terms(text)) & set(query_terms(text)) else ""


def _commit_subject(command: str) -> str:
    """The first line of what follows `-m`, without the kind or place before a colon."""
    try:
        words = shlex.split(command)
    except ValueError:  # cut off in the middle
        return ""
    given = (then for word, then in itertools.pairwise(words) if _MESSAGE_OPTION.match(word))
    subject = next(given, "").partition("\n")[0].strip()
    head, colon, rest = subject.partition(": ")
    return rest.strip() if colon and " " not in head else subject  # without "fix(api): "


def _trigger(members: Sequence[Memory], core: Sequence[str]) -> str:
    """Words that most tasks share, so that a task in these words brings it up; else the first telling command."""
    tasks = [memory.episode.task for memory in members if memory.episode]
    said = Counter(word for task in tasks for word in set(query_terms(task)))
    shared = {word for word, number in said.items() if number >= WORDS_SHARE * len(tasks) and len(word) > 3}
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
        found += [line for line in memory.episode.gotchas if _is_warning(line, core)]
        found += [line for line in memory.episode.patterns if line.startswith("`")]
    return tuple(dict.fromkeys(found))[:WARNINGS_MAX]


def _is_warning(gotcha: str, core: Sequence[str]) -> bool:
    """Whether one of these steps met it: "pytest: ImportError…", or "`uv run pytest` failed with…"."""
    if gotcha.startswith("`"):
        return any(name in core for name, _ in commands_of(gotcha.split("`")[1]))
    action, _, line = gotcha.partition(":")
    return action in core and bool(error_line(line))


def same_steps(one: Sequence[str], other: Sequence[str]) -> float:
    """How far two procedures do the same: the share of the larger one's actions that both have."""
    left, right = set(one), set(other)
    return len(left & right) / max(len(left), len(right)) if left and right else 0.0


def start_of(procedure: Procedure) -> float:
    """How sure a learned procedure is before it was followed."""
    return max(procedure.start, START_REVIEWED if procedure.reviewed else START)


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
