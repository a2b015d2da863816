"""The command that captures what was learned outside of conversations: reviews, errors, files."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from nightgarden.domain.record import to_record
from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.learn.capture.capturing import LOG_CHARS_MAX
from nightgarden.learn.capture.taking import CaptureReport
from nightgarden.surfaces.cli.commands.missions import print_report, report_shape
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import print_json, print_table

_STDIN_CHARS_MAX = LOG_CHARS_MAX + 1  # enough to be refused and counted for its length


def add_capture(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "What was captured before is not captured again. Outside text stays a candidate until it is promoted."
    )
    actions = (
        ("pr", "review comments and failed checks of a pull request", _add_pr),
        ("errors", "errors of a log, or those that recur in the sessions of this project", _add_errors),
        ("file", "a file: the JSON of a pull request, a log, or review remarks", _add_file),
        ("status", "show how much was captured and left out", _add_status),
    )
    add_actions(parser, actions)


def _add_pr(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "gh pr view 12 --json number,url,reviews,comments,statusCheckRollup |\n    nightgarden capture pr\n"
        "gh api repos/OWNER/REPO/pulls/12/comments | nightgarden capture pr"
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("file", nargs="?", default="-", help="JSON of gh or of a webhook; - is standard input")
    add_common(parser)
    parser.set_defaults(call=on_garden(_pr))


async def _pr(garden: Garden, arguments: argparse.Namespace) -> int:
    capture = garden.learn.capture
    text = _stdin() if arguments.file == "-" else await capture.read(Path(arguments.file))
    return _tell(await capture.pr(text), arguments)


def _add_errors(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", help="a log; - is standard input; default: the sessions of this project")
    add_common(parser)
    parser.set_defaults(call=on_garden(_errors))


async def _errors(garden: Garden, arguments: argparse.Namespace) -> int:
    capture = garden.learn.capture
    log = None
    if arguments.file is not None:
        log = _stdin() if arguments.file == "-" else await capture.read(Path(arguments.file))
    return _tell(await capture.errors(log), arguments)


def _add_file(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="its path")
    add_common(parser)
    parser.set_defaults(call=on_garden(_file))


async def _file(garden: Garden, arguments: argparse.Namespace) -> int:
    return _tell(await garden.learn.capture.file(Path(arguments.file)), arguments)


def _add_status(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_status, reads=True))


async def _status(garden: Garden, arguments: argparse.Namespace) -> int:
    status = await garden.learn.capture.status()
    if arguments.json:
        print_json(to_record(status))
        return 0
    print_table(("captured from", "number"), [(name, str(number)) for name, number in status.captured.items()])
    print_table(("left out because", "number"), [(name, str(number)) for name, number in status.refused.items()])
    return 0


def _stdin() -> str:
    if sys.stdin.isatty():
        raise BadInput("nothing is piped in; give a file, or pipe the output of gh into this command")
    return sys.stdin.read(_STDIN_CHARS_MAX)


def _tell(report: CaptureReport, arguments: argparse.Namespace) -> int:
    if arguments.json:
        print_json(report_shape(report))
    else:
        print_report(report)
    return 0
