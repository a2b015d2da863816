"""A session as a structured record of what happened in it, worked out from its messages alone. Pure.

The outcome is read off what the user said last, the checks that ran last and what was committed. Does not judge whether
the work was good; a session in which hardly anything was done gives none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from nightgarden.domain.memory import Ending, Episode, EpisodeStep
from nightgarden.domain.session import Message, Session, SessionStatus, Signal
from nightgarden.domain.text import squash
from nightgarden.learn.actions import Action, actions_of, relative
from nightgarden.learn.capture.program_errors import error_line
from nightgarden.learn.undone import failing, left_undone

ACTIONS_MIN = 2  # fewer were a question, not work; taste
STEPS_MAX = 40
TASK_CHARS_MAX = 200
LINE_CHARS_MAX = 400
LIST_MAX = 8
FILES_MAX = 20
_LAST_WORDS = 2  # messages of the user at the end that may say how it went
_COMMIT = re.compile(r"^\[[^\]\n]{1,100} ([0-9a-f]{7,40})\]", re.MULTILINE)
_CHECKS = re.compile(r"\b(?:test|tests|pytest|jest|vitest|check|lint|build|tsc|mypy|ruff|rspec|tox|nox|verify)\b")
_GOOD = re.compile(
    r"\b(?:thanks?|thank you|perfect|great|works|worked|nice|lgtm|awesome|excellent|ship it|well done|good job|danke"
    r"|super|passt|perfekt|läuft|merci|parfait|génial|gracias|perfecto|genial)\b",
    re.IGNORECASE,
)
_BAD = re.compile(
    r"\b(?:still (?:broken|fails|failing|wrong|not)|does(?:n't| not) work|did(?:n't| not) work|not working|broke|wrong"
    r"|revert (?:it|that|this)|undo (?:it|that)|give up|never mind|useless|geht nicht|funktioniert nicht|kaputt"
    r"|ne marche pas|no funciona)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProcedure:
    """What the garden remembers from the same session."""

    decisions: tuple[str, ...] = ()
    gotchas: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()


def episode_of(session: Session, known: KnownProcedure | None = None) -> Episode | None:
    """The episode, or None when hardly anything was done."""
    known = known or KnownProcedure()
    # A silent call that a later reading found stands at the end of the session; its moment says where it belongs.
    messages = sorted(session.messages, key=lambda message: message.at)
    done = [(message, action) for message in messages if message.role == "tool" for action in actions_of(message)]
    task = _task(messages)
    if len({action.name for _, action in done}) < ACTIONS_MIN or not task:
        return None
    actions = [action for _, action in done]
    steps, undone = _steps(actions, session.directory), left_undone(messages)
    files = (relative(action.file, session.directory) for action in actions if action.file and not action.failed)
    return Episode(
        task=task,
        approach=_approach(steps),
        outcome=_outcome(messages, done, session, undone),
        tools=tuple(name for name, _ in Counter(m.tool_name for m in messages if m.tool_name).most_common(LIST_MAX)),
        patterns=_few((*_mended(done), *known.patterns)),
        gotchas=_few((*known.gotchas, *_errors(done, told=known.gotchas))),
        decisions=_few(known.decisions),
        duration_seconds=int((messages[-1].at - messages[0].at).total_seconds()),
        files=tuple(dict.fromkeys(files))[:FILES_MAX],
        commits=_commits(messages),
        steps=steps,
        undone=undone,
    )


def _task(messages: Sequence[Message]) -> str:
    """What the user asked for first, in their own words; of a sub-agent, what it was told."""
    for message in messages:
        if message.role == "user" and not message.pasted and len(message.text.split()) > 1:
            return _short(message.text, TASK_CHARS_MAX)
    return ""


def _steps(actions: Sequence[Action], directory: str) -> tuple[EpisodeStep, ...]:
    """Each kind of action once, where it was first done; it failed if it never went well. The last command that went
    well tells best how it is done."""
    kept: dict[str, EpisodeStep] = {}
    for action in actions:
        before = kept.get(action.name)
        if before is None or before.failed or not action.failed:
            detail = relative(action.file, directory) if action.file else action.detail
            kept[action.name] = EpisodeStep(action=action.name, detail=detail, failed=action.failed)
    return tuple(kept.values())[:STEPS_MAX]


def _approach(steps: Sequence[EpisodeStep]) -> str:
    shown = [step.action for step in steps[:LIST_MAX]]
    more = f" and {len(steps) - len(shown)} more" if len(steps) > len(shown) else ""
    return ", ".join(shown) + more


def _outcome(
    messages: Sequence[Message], done: Sequence[tuple[Message, Action]], session: Session, undone: Sequence[str]
) -> Ending:
    spoken = [m for m in messages if m.role == "user" and not m.pasted][1:][-_LAST_WORDS:]  # the first is the task
    for message in reversed(spoken):
        if _BAD.search(message.text):
            return Ending.FAILURE
        if _GOOD.search(message.text):
            return Ending.SUCCESS
    checks = [action for _, action in done if _CHECKS.search(action.name)]
    committed = [n for n, (_, a) in enumerate(done) if a.name == "git commit" and not a.failed]
    broken = [n for n, (_, action) in enumerate(done) if action.failed]
    stopped = bool(undone) or session.status is SessionStatus.CRASHED or messages[-1].signal is Signal.INTERRUPTED
    if committed and (not broken or committed[-1] > broken[-1]):
        return Ending.PARTIAL if stopped else Ending.SUCCESS
    if checks and checks[-1].failed:
        # Somebody means to go on with it: it is not done, and has not failed.
        return Ending.FAILURE if set(undone) <= set(failing(messages)) else Ending.PARTIAL
    if stopped or (broken and broken[-1] == len(done) - 1):
        return Ending.PARTIAL
    return Ending.SUCCESS if checks or not broken else Ending.PARTIAL


def _errors(done: Sequence[tuple[Message, Action]], *, told: Sequence[str]) -> list[str]:
    """The errors met, each once, with what ran into them; without those that the garden tells more about."""
    found: dict[str, str] = {}
    for message, action in done:
        if action.failed and (line := _error_line(message.text)) and not any(line in each for each in told):
            found.setdefault(action.name, f"{action.name}: {line}")
    return list(found.values())


_FRAME = re.compile(r"(?:Error: )?Exit code \d+\Z|Traceback|\s*File \"|[=\-_ ]*\Z")


def _error_line(text: str) -> str:
    """The line that names the error, else the last one, which mostly tells how many there were."""
    lines = [line.strip() for line in text.splitlines() if line.strip() and not _FRAME.match(line)]
    return error_line(text) or _short(lines[-1] if lines else "", LINE_CHARS_MAX)


def _mended(done: Sequence[tuple[Message, Action]]) -> list[str]:
    """What failed first and went well in another form: how it is done. A file changed in between was what helped."""
    found = []
    failed: dict[str, str] = {}
    for _, action in done:
        if action.file:
            failed.clear()
        if action.file or not action.detail:
            continue
        if action.failed:
            failed[action.name] = action.detail
        elif (before := failed.pop(action.name, None)) is not None and before != action.detail:
            found.append(_short(f"`{before}` failed; `{action.detail}` worked", LINE_CHARS_MAX))
    return found


def _commits(messages: Sequence[Message]) -> tuple[str, ...]:
    found = (commit for m in messages if m.role == "tool" and not m.failed for commit in _COMMIT.findall(m.text))
    return tuple(dict.fromkeys(found))[:FILES_MAX]


def _few(texts: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_short(text, LINE_CHARS_MAX) for text in texts if text.strip()))[:LIST_MAX]


def _short(text: str, chars_max: int) -> str:
    line = squash(text)
    return line if len(line) <= chars_max else line[: chars_max - 1].rsplit(" ", 1)[0].rstrip() + "…"
