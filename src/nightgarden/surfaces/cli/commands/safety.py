"""The command that shows what a command line would do, and whether it may run: safety check."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import asdict
from typing import Any

from nightgarden.safety.check import Checked, check_command
from nightgarden.safety.command_reading import UNKNOWN, Command
from nightgarden.surfaces.cli.parser import add_actions
from nightgarden.surfaces.cli.screen import paint, print_json

_COLOURS = {"allow": "green", "ask": "yellow", "deny": "red"}
_PARTS = ("reads", "writes", "deletes", "executes", "sends")


def add_safety(parser: argparse.ArgumentParser) -> None:
    add_actions(
        parser, (("check", "show what a command would do, and whether it may run; nothing is run", _add_check),)
    )


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Write the command after --. As one word in quotes it is read as shell; several words are one command. Exits "
        "with 0 for allow, ask and deny alike."
    )
    parser.add_argument("line", nargs="+", metavar="COMMAND", help="the command, after --")
    parser.add_argument("--tainted", action="store_true", help="as if text from outside had led to it")
    parser.add_argument("--directory", "-C", metavar="DIR", help="run as if started in this directory")
    parser.add_argument("--json", action="store_true", help="print JSON in the documented shape")
    parser.set_defaults(call=_check)


def _check(arguments: argparse.Namespace) -> int:
    line = arguments.line[0] if len(arguments.line) == 1 else shlex.join(arguments.line)
    checked = check_command(line, directory=arguments.directory, tainted=arguments.tainted)
    if arguments.json:
        print_json(_shape(checked))
        return 0
    kind = type(checked.decision).__name__.lower()
    for each in checked.decision.because:
        what = f" ({_plain(each.what)})" if each.what else ""
        print(f"{paint(kind, _COLOURS[kind])}  {each.rule.sentence}{what}  [{each.rule.id}]")
    for command in checked.reading.commands:
        print()
        _print_command(command)
    return 0


def _print_command(command: Command) -> None:
    via = f"  (started by {', '.join(command.via)})" if command.via else ""
    print(_plain(" ".join(command.words)) + via)
    for name in _PARTS:
        for value in getattr(command, name):
            print(f"  {name:<9} {_plain(value)}")
    for effect in sorted(command.effects):
        print(f"  {effect}")
    for reason in command.unknown:
        print(f"  unknown: {reason}")


def _shape(checked: Checked) -> dict[str, Any]:
    return {
        "decision": type(checked.decision).__name__.lower(),
        "because": [
            {"rule": each.rule.id, "sentence": each.rule.sentence, "what": _plain(each.what)}
            for each in checked.decision.because
        ],
        "commands": [
            {
                "words": [_plain(word) for word in command.words],
                "via": list(command.via),
                **{name: [_plain(value) for value in getattr(command, name)] for name in _PARTS},
                "effects": sorted(command.effects),
                "git": asdict(command.git) if command.git is not None else None,
                "unknown": list(command.unknown),
            }
            for command in checked.reading.commands
        ],
        "unknown": list(checked.reading.unknown),
    }


def _plain(text: str) -> str:
    return text.replace(UNKNOWN, "<unknown>")
