"""An action in words for the user: what was read of it, and why it is a question. Pure; nothing here is an agent's."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from nightgarden.safety.command_reading import UNKNOWN, Command, CommandReading, Edit
from nightgarden.safety.decide import Decision
from nightgarden.safety.requests import Review

CHARS_MAX = 400
LINES_MAX = 400


def describe(tool: str, arguments: Mapping[str, Any], reading: CommandReading) -> str:
    """One line: the commands, or the files, or the tool with its arguments."""
    commands = [_words(command) for command in reading.commands]
    if commands:
        return _cut(f"run {'; '.join(commands)}")
    if reading.edits:
        return _cut(f"write {', '.join(dict.fromkeys(edit.path for edit in reading.edits))}")
    if reading.sends:
        return _cut(f"fetch from {', '.join(map(_plain, reading.sends))}")
    if reading.reads:
        return _cut(f"read {', '.join(map(_plain, reading.reads))}")
    return _cut(f"{tool} {json.dumps(dict(arguments), default=str, ensure_ascii=False) if arguments else ''}".strip())


def facts_of(reading: CommandReading, decision: Decision) -> tuple[str, ...]:
    """What it would do, one fact a line, and the rules that make it a question."""
    return tuple(dict.fromkeys((*_facts(reading), *(_because(each) for each in decision.because))))


def review_of(reading: CommandReading, decision: Decision) -> Review:
    """The review of a call that its agent said nothing about: made of the reading alone."""
    return Review(
        why="; ".join(_because(each) for each in decision.because),
        files=tuple(dict.fromkeys(map(_plain, reading.all_writes))),
        commands=tuple(_words(command) for command in reading.commands),
        risks=tuple(dict.fromkeys(each.rule.sentence for each in decision.because)),
        diff="\n".join(_diff(edit) for edit in reading.edits),
    )


def _facts(reading: CommandReading) -> Iterator[str]:
    for command in reading.commands:
        yield f"runs: {_words(command)}" + (f" (started by {', '.join(command.via)})" if command.via else "")
        for name in ("writes", "deletes", "executes", "sends"):
            for value in getattr(command, name):
                yield f"{name}: {_plain(value)}"
        for effect in sorted(command.effects):
            yield effect.value
        for reason in command.unknown:
            yield f"not known: {reason}"
    for edit in reading.edits:
        yield f"{'deletes' if edit.deletes else 'writes'}: {edit.path}"
    for host in reading.sends:
        yield f"sends: {_plain(host)}"
    for reason in reading.unknown:
        yield f"not known: {reason}"


def _because(each: Any) -> str:
    return f"asks because {each.rule.sentence}" + (f": {_plain(each.what)}" if each.what else "")


def _diff(edit: Edit) -> str:
    removed = [f"-{line}" for line in edit.removed.splitlines()[:LINES_MAX]]
    added = [f"+{line}" for line in edit.added.splitlines()[:LINES_MAX]]
    return "\n".join([f"--- {edit.path}", *removed, *added])


def _words(command: Command) -> str:
    return _cut(_plain(" ".join(command.words)))


def _plain(text: str) -> str:
    return text.replace(UNKNOWN, "…")


def _cut(text: str) -> str:
    return text if len(text) <= CHARS_MAX else text[: CHARS_MAX - 1] + "…"
