"""Commands on the journal: history, undo."""

from __future__ import annotations

import argparse

from nightgarden.domain.journal import JournalEntry
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.commands.reading import positive
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, when
from nightgarden.surfaces.cli.shapes import entry_shape


def add_history(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", help="of a memory; without it, everything")
    parser.add_argument("--cycle", help="only what this cycle changed")
    parser.add_argument("--limit", "-n", type=positive, help="the newest entries only")
    add_common(parser)
    parser.set_defaults(call=on_garden(_history, reads=True))


async def _history(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.id is not None and not await garden.history(arguments.id):
        await garden.get(arguments.id)  # raises with the right sentence
    entries = await garden.history(arguments.id, cycle=arguments.cycle)
    if arguments.limit:
        entries = entries[-arguments.limit :]
    if arguments.json:
        print_json({"entries": [entry_shape(entry) for entry in entries]})
        return 0
    for entry in entries:
        _print_entry(entry)
    return 0


def _print_entry(entry: JournalEntry) -> None:
    cycle = f"  cycle {entry.cycle}" if entry.cycle else ""
    head = f"{paint(entry.id, 'cyan')}  {when(entry.at)}  {entry.actor}  {entry.reason}{cycle}"
    print(f"{head}  {paint(f'{entry.subject_kind} {entry.subject_id}', 'dim')}")
    before, after = entry.before or {}, entry.after or {}
    if entry.before is None and entry.after is not None:
        print(f"    created: {after.get('content') or after.get('name') or after.get('kind') or ''}")
    elif entry.after is None:
        print("    removed" if entry.before is not None else "    erased")
    else:
        for name in after:
            if name not in ("updated_at", "reinforcements"):
                print(f"    {name}: {before.get(name)!r} → {after[name]!r}")


def add_undo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="ENTRY|CYCLE", help="id of a journal entry, or of a cycle")
    add_common(parser)
    parser.set_defaults(call=on_garden(_undo))


async def _undo(garden: Garden, arguments: argparse.Namespace) -> int:
    entries = await garden.undo(arguments.what)
    if arguments.json:
        print_json({"undone": arguments.what, "entries": [entry_shape(entry) for entry in entries]})
    else:
        print(f"{paint('undone', 'green')}: {count(len(entries), 'change')} taken back")
    return 0
