"""The command on core memory: the small document that an agent is told at each start."""

from __future__ import annotations

import argparse

from nightgarden.domain.core_memory import TITLES, CoreVersion, core_lines
from nightgarden.domain.record import to_record
from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, when

_LISTS = ("conventions", "preferences", "notes")


def add_core(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Told at the start of each session and after each compaction; every version is kept."
    actions = (
        ("show", "show the core memory of an agent in this project", _add_show),
        ("edit", "change parts of it", _add_edit),
        ("history", "list its versions, newest first", _add_history),
    )
    add_actions(parser, actions)


def _add_agent(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", metavar="NAME", help="whose; default: the agent of the settings, else the main one")
    add_common(parser)


def _add_show(parser: argparse.ArgumentParser) -> None:
    _add_agent(parser)
    parser.set_defaults(call=on_garden(_show, reads=True))


async def _show(garden: Garden, arguments: argparse.Namespace) -> int:
    core = garden.learn.core(arguments.agent)
    version = await core.show()
    if arguments.json:
        print_json({"agent": core.agent, **to_record(version)})
    else:
        _print(core.agent, version)
    return 0


def _print(agent: str, version: CoreVersion) -> None:
    if version.at is None:
        print(f'{agent}: nothing yet; begin with: nightgarden core edit --summary "what this project is"')
        return
    for line in core_lines(version.core):
        print(line)
    print(paint(f"{agent}: version {version.version}, changed {when(version.at)} by {version.by}", "dim"))


def _add_edit(parser: argparse.ArgumentParser) -> None:
    for name, title in TITLES:
        many = name in _LISTS
        metavar = name[:-1].upper() if many else "TEXT"
        doc = f"{title.lower()}: one item; repeat it, all of them together" if many else f"{title.lower()}"
        parser.add_argument(f"--{name}", action="append" if many else "store", metavar=metavar, help=doc)
    parts = [name for name, _ in TITLES]
    words = f"empty one of {', '.join(parts)}; repeatable"
    parser.add_argument("--clear", action="append", default=[], choices=parts, metavar="PART", help=words)
    parser.add_argument("--revert", type=int, metavar="VERSION", help="make an earlier version the current one")
    parser.add_argument("--reason", default="", help="why; kept in its history")
    _add_agent(parser)
    parser.set_defaults(call=on_garden(_edit))


async def _edit(garden: Garden, arguments: argparse.Namespace) -> int:
    core = garden.learn.core(arguments.agent)
    given = {name: getattr(arguments, name) for name, _ in TITLES if getattr(arguments, name) is not None}
    given |= {name: [] if name in _LISTS else "" for name in arguments.clear}
    if arguments.revert is not None:
        if given:
            raise BadInput("--revert takes a whole version; change parts of it afterwards")
        version = await core.revert(arguments.revert)
    else:
        version = await core.edit(**given, reason=arguments.reason)
    if arguments.json:
        print_json({"agent": core.agent, **to_record(version)})
    else:
        _print(core.agent, version)
    return 0


def _add_history(parser: argparse.ArgumentParser) -> None:
    _add_agent(parser)
    parser.set_defaults(call=on_garden(_history, reads=True))


async def _history(garden: Garden, arguments: argparse.Namespace) -> int:
    versions = await garden.learn.core(arguments.agent).history()
    if arguments.json:
        print_json({"versions": [to_record(version) for version in versions]})
        return 0
    rows = [(str(v.version), when(v.at) if v.at else "-", v.by, v.reason or v.core.focus) for v in versions]
    print_table(("version", "when", "by", "reason"), rows)
    print(paint(count(len(versions), "version"), "dim"))
    return 0
