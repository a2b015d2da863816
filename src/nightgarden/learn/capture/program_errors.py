"""Errors of programs: the line that names one, when two are the same, and what helped. Pure.

Two errors are the same when their lines are, numbers, paths, quotes and addresses left aside, or when they share most
words. It does not know what an error means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from nightgarden.domain.session import Message, Session
from nightgarden.domain.text import squash
from nightgarden.learn.actions import Action, actions_of, relative
from nightgarden.learn.as_memories import safe_text

LINE_CHARS_MAX = 240
LINE_CHARS_MIN = 16  # shorter ones ("Error", "failed") say nothing
LINES_READ = 400  # of an output, from its end
ORIGINS_MIN = 3  # sessions that met it, from which it recurs
SAME = 0.6  # share of words; taken over from an earlier system of this kind
STEPS_TOLD = 4
_ERROR = re.compile(
    r"(?:\b(?:error|fatal|panic|exception)\b ?[:\[(]|\w(?:Error|Exception)\b|^FAILED |^E   |\bcannot |\bcould not "
    r"|\bno such file|\bnot found\b|\bpermission denied|\bundefined reference|\bunresolved )",
    re.IGNORECASE,
)
_TALLY = re.compile(r"^=+|\b\d+ (?:failed|passed|errors?)\b|^Traceback|^exit (?:code|status)", re.IGNORECASE)
_VARYING = re.compile(
    r"0x[0-9a-f]+|[0-9a-f]{7,64}\b|\d[\d.:,_-]*|'[^']{0,120}'|\"[^\"]{0,120}\"|`[^`]{0,120}`|(?<![\w.~-])[\w.~-]*/\S*"
)
_WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A command that failed in a session."""

    session_id: str
    message_id: str
    at: datetime
    command: str
    line: str
    helped: tuple[str, ...] = ()  # what was done until it worked; empty: it did not, or nothing was done

    @property
    def signature(self) -> str:
        return signature(self.line)


def error_line(output: str) -> str:
    """The line that names the error, the last one of several; empty when there is none that says something."""
    lines = [squash(line) for line in output[-40_000:].splitlines()[-LINES_READ:]]
    named = [line for line in lines if _ERROR.search(line) and not _TALLY.search(line) and len(line) >= LINE_CHARS_MIN]
    return safe_text(named[-1].removeprefix("E ").strip())[:LINE_CHARS_MAX] if named else ""


def signature(line: str) -> str:
    """What stays of an error line when all that varies is left out."""
    return " ".join(_WORD.findall(_VARYING.sub(" ", line).lower()))


def failures_in(session: Session) -> list[Failure]:
    """Every failed command that printed an error, with what helped in the same session."""
    found = []
    for place, message in enumerate(session.messages):
        if message.role != "tool" or not message.failed:
            continue
        line = error_line(message.text)
        actions = [action for action in actions_of(message) if action.failed]
        if not line or not actions or not signature(line):
            continue
        helped = _helped(actions[-1].name, session.messages[place + 1 :], session.directory)
        found.append(
            Failure(
                session_id=session.id,
                message_id=message.id,
                at=message.at,
                command=safe_text(actions[-1].detail or actions[-1].name),
                line=line,
                helped=tuple(safe_text(step) for step in helped),
            )
        )
    return found


def _helped(name: str, later: Sequence[Message], directory: str) -> list[str]:
    """What was done after it until the same kind of command worked."""
    done: list[str] = []
    for message in later:
        if message.role == "tool":
            for action in actions_of(message):
                if action.name == name and not action.failed:
                    return list(dict.fromkeys(done))[-STEPS_TOLD:]
                if not action.failed and action.name != name:
                    done.append(_told_step(action, directory))
    return []


def _told_step(action: Action, directory: str) -> str:
    if action.file:
        return f"a change of `{relative(action.file, directory)}`"
    return f"`{action.detail or action.name}`"


def told(failure: Failure) -> str:
    """A failure that was mended, as a statement."""
    return f"`{failure.command}` failed with: {_ended(failure.line)} What helped: {', '.join(failure.helped)}."


def _ended(line: str) -> str:
    return line if line.endswith((".", "!", "?")) else f"{line}."


def recurring(failures: Iterable[Failure]) -> list[list[Failure]]:
    """Groups of alike errors that at least so many sessions met, each oldest first. The order of what is given does
    not matter."""
    by_signature: dict[str, list[Failure]] = {}
    for failure in failures:
        by_signature.setdefault(failure.signature, []).append(failure)
    groups = []
    for names in joined(sorted(by_signature)):
        members = [failure for name in names for failure in by_signature[name]]
        if len({failure.session_id for failure in members}) >= ORIGINS_MIN:
            groups.append(sorted(members, key=lambda failure: (failure.at, failure.session_id, failure.message_id)))
    return groups


def joined(signatures: Sequence[str]) -> list[list[str]]:
    """Signatures that share most words, directly or through others."""
    words = {name: frozenset(name.split()) for name in signatures}
    group: dict[str, str] = {name: name for name in signatures}

    def first(name: str) -> str:
        while group[name] != name:
            name = group[name]
        return name

    for place, one in enumerate(signatures):
        for other in signatures[place + 1 :]:
            if len(words[one] & words[other]) >= SAME * len(words[one] | words[other]):
                low, high = sorted((first(one), first(other)))
                group[high] = low
    found: dict[str, list[str]] = {}
    for name in signatures:
        found.setdefault(first(name), []).append(name)
    return list(found.values())


def told_recurring(members: Sequence[Failure]) -> str:
    """A recurring error as a statement: where it comes up, and what helped last."""
    commands = " and ".join(f"`{command}`" for command in sorted({failure.command for failure in members})[:2])
    text = f"{commands} keeps failing with: {_ended(members[0].line)}"
    helped = next((failure.helped for failure in reversed(members) if failure.helped), ())
    return f"{text} What helped last: {', '.join(helped)}." if helped else text


def errors_of_log(text: str) -> Mapping[str, str]:
    """Every different error of a log by its signature, as it was first printed."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if _ERROR.search(line[:2000]) and (named := error_line(line[:2000])) and (name := signature(named)):
            found.setdefault(name, named)
    return found
