"""The command that shows changes as they happen: watch."""

from __future__ import annotations

import argparse
import json

from nightgarden.domain.journal import JournalEntry
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.commands.journal import print_entry
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.short_ids import add_id
from nightgarden.surfaces.operations.answers import entry_shape
from nightgarden.surfaces.operations.on_memories import named_in, texts_of


def add_watch(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Shows what any process changes, until you interrupt it. With --json, one journal entry per line; go on later "
        "with --after and the id of the last one you saw. Each change comes at least once: those of the last seconds "
        "before it may come again."
    )
    add_id(parser, "--after", "entry", metavar="ENTRY", help="begin behind this journal entry instead of now")
    parser.add_argument("--all", "-a", action="store_true", help="begin with the first change there ever was")
    parser.add_argument("--limit", "-n", type=int, metavar="LIMIT", help="end after so many changes")
    add_common(parser)
    parser.set_defaults(call=on_garden(_watch, reads=True))


async def _watch(garden: Garden, arguments: argparse.Namespace) -> int:
    number = 0
    async for entry in garden.changes(after="" if arguments.all else arguments.after):
        await _print(garden, entry, as_json=arguments.json)
        number += 1
        if arguments.limit is not None and number >= arguments.limit:
            break
    return 0


async def _print(garden: Garden, entry: JournalEntry, *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(entry_shape(entry), ensure_ascii=False), flush=True)
    else:
        print_entry(entry_shape(entry), await texts_of(garden, named_in([entry])))
