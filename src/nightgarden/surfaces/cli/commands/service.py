"""The command service: install and uninstall the daemon as a service of the user's session."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

from nightgarden.errors import Unreachable
from nightgarden.machine import programs
from nightgarden.machine.home import data_folder
from nightgarden.surfaces.cli.parser import add_actions
from nightgarden.surfaces.cli.screen import paint, print_json
from nightgarden.surfaces.service.unit import Platform, Unit, choose_platform, make_unit


def add_service(parser: argparse.ArgumentParser) -> None:
    actions = (
        ("install", "start the daemon at each login, and after a crash", partial(_add, _install)),
        ("uninstall", "take that back", partial(_add, _uninstall)),
    )
    add_actions(parser, actions)


def _add(call: Callable[[argparse.Namespace], int], parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--dry-run", action="store_true", help="show the file and the commands; change nothing")
    parser.add_argument("--platform", choices=["systemd", "launchd", "windows"], help="default: this machine's")
    parser.add_argument("--json", action="store_true", help="print JSON in the documented shape")
    parser.set_defaults(call=call)


def tell_of_outdated_service(*, repair: bool) -> None:
    """For `nightgarden doctor`: a service that starts the daemon as an earlier version did, on standard error."""
    unit = _unit(choose_platform(sys.platform))
    try:
        there = unit.path.read_text(unit.encoding)
    except (OSError, UnicodeError):
        return
    if not unit.is_outdated(there):
        return
    words = "starts the daemon as an earlier version did; run `nightgarden service install`"
    if repair:
        try:
            _write_and_run(unit)
            words = "was written anew"
        except (Unreachable, OSError) as error:
            words = f"could not be brought up to date: {error}"
    print(f"nightgarden: {unit.path} {words}", file=sys.stderr)


def _unit(platform: Platform) -> Unit:
    user = Path.home()
    return make_unit(
        platform,
        user_home=user,
        config=Path(os.environ.get("XDG_CONFIG_HOME") or user / ".config"),
        home=Path(data_folder(os.environ)).absolute(),
        words=programs.own_words("serve"),
        path=os.environ.get("PATH", os.defpath),
    )


def _chosen_unit(arguments: argparse.Namespace) -> Unit:
    return _unit(arguments.platform or choose_platform(sys.platform))


def _write_and_run(unit: Unit) -> None:
    unit.path.parent.mkdir(parents=True, exist_ok=True)
    unit.path.write_text(unit.text, unit.encoding)
    _run_all(unit.install)


def _install(arguments: argparse.Namespace) -> int:
    unit = _chosen_unit(arguments)
    unchanged = unit.path.exists() and unit.path.read_text(unit.encoding) == unit.text
    if not arguments.dry_run:
        _write_and_run(unit)
    return _print(arguments, unit, unit.install, "unchanged" if unchanged else "written", unit.text)


def _uninstall(arguments: argparse.Namespace) -> int:
    unit = _chosen_unit(arguments)
    there = unit.path.exists()
    if there and not arguments.dry_run:
        _run_all(unit.uninstall)
        unit.path.unlink()
    return _print(arguments, unit, unit.uninstall if there else (), "removed" if there else "not there", "")


def _run_all(commands: tuple[tuple[str, ...], ...]) -> None:
    for command in commands:
        if shutil.which(command[0]) is None:
            raise Unreachable(f"{command[0]} is not on this machine; the file is written, start the service yourself")
        done = programs.run(command, cwd=os.sep)
        if done.returncode != 0:
            said = (done.stderr.strip() or done.stdout.strip()).decode("utf-8", "replace")
            raise Unreachable(f"`{' '.join(command)}` failed: {said}")


def _print(
    arguments: argparse.Namespace, unit: Unit, commands: tuple[tuple[str, ...], ...], done: str, text: str
) -> int:
    if arguments.json:
        shape = {"path": str(unit.path), "done": None if arguments.dry_run else done, "text": text}
        print_json({**shape, "commands": [list(command) for command in commands]})
        return 0
    would = "would be " if arguments.dry_run and done in ("written", "removed") else ""
    print(f"{paint(str(unit.path), 'cyan')}: {would}{done}")
    if arguments.dry_run and text:
        print(text)
    for command in commands:
        print(f"{'would run' if arguments.dry_run else 'ran'}: {' '.join(command)}")
    return 0
