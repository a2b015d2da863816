"""The commands on what a project's people read: notebook and digest."""

from __future__ import annotations

import argparse

from nightgarden.domain.record import to_record
from nightgarden.garden import Garden
from nightgarden.learn.digest_values import digest_lines
from nightgarden.learn.notebook_link import LINKED
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import ask, paint, print_json


def add_notebook(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "A line that you edit or add becomes your own statement; deleted lines are archived."
    actions = (
        ("sync", "take in what was edited, and write the pages", _add_sync),
        ("status", "show whether the pages are up to date", _add_status),
        ("link", f"name the notebook in {' or '.join(LINKED)}, so that agents load it", _add_link),
        ("unlink", "take that out again", _add_unlink),
    )
    add_actions(parser, actions)


def _add_sync(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_sync))


async def _sync(garden: Garden, arguments: argparse.Namespace) -> int:
    report = await garden.learn.notebook.sync()
    if arguments.json:
        print_json(to_record(report))
        return int(bool(report.refused))
    print(f"{report.folder}: {', '.join(report.written) or 'nothing to write'}")
    for word, items in (("taken in", report.imported), ("archived", report.archived), ("kept beside", report.kept)):
        if items:
            print(f"  {word}: {len(items)}")
    for reason in report.refused:
        print(paint(f"  not taken in: {reason}", "red"))
    if report.cycle:
        print(paint(f"  take it back with `nightgarden undo {report.cycle}`", "dim"))
    return int(bool(report.refused))


def _add_status(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_status, reads=True))


async def _status(garden: Garden, arguments: argparse.Namespace) -> int:
    status = await garden.learn.notebook.status()
    linked = garden.learn.notebook.linked()
    if arguments.json:
        print_json(to_record(status) | {"linked": list(linked)})
        return 0
    state = "not written yet" if not status.on else "out of date" if status.outdated else "up to date"
    print(f"{status.folder}: {state}")
    if status.edited:
        print(f"  edited by hand: {', '.join(status.edited)}; `nightgarden notebook sync` takes that in")
    if linked:
        print(f"  linked from: {', '.join(linked)}")
    return 0


def _add_link(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", nargs="?", choices=LINKED, default=LINKED[0], help=f"default: {LINKED[0]}")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    add_common(parser, json=False)
    parser.set_defaults(call=on_garden(_link))


async def _link(garden: Garden, arguments: argparse.Namespace) -> int:
    change = garden.learn.notebook.link_change(arguments.file)
    if change is None:
        print(f"{arguments.file} names the notebook already")
        return 0
    print(f"{arguments.file} gets these lines at its end:\n\n{change.lines}\n")
    if not ask("Write them?", yes=arguments.yes):
        return 1
    garden.learn.notebook.write_link(change)
    print(f"{paint('linked', 'green')} from {arguments.file}; `nightgarden notebook unlink` takes it out")
    return 0


def _add_unlink(parser: argparse.ArgumentParser) -> None:
    add_common(parser)
    parser.set_defaults(call=on_garden(_unlink))


async def _unlink(garden: Garden, arguments: argparse.Namespace) -> int:
    gone = garden.learn.notebook.unlink()
    if arguments.json:
        print_json({"unlinked": list(gone)})
    else:
        print(f"taken out of {', '.join(gone)}" if gone else "no file names the notebook")
    return 0


def add_digest(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "It is told at the next start of a session, and not kept as a memory."
    parser.add_argument("--told", action="store_true", help="count it as told: the next one begins after it")
    add_common(parser)
    parser.set_defaults(call=on_garden(_digest))


async def _digest(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await garden.learn.digest.look()
    if arguments.told:
        await garden.learn.digest.mark_told()
    if arguments.json:
        print_json({"digest": to_record(found) if found is not None else None})
    elif found is None:
        print("no commits outside of known sessions since the last look")
    else:
        for line in digest_lines(found):
            print(line)
    return 0
