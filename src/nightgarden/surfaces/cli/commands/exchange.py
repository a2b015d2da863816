"""Commands that move memories in and out: export, import."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import TextIO

from nightgarden.facade.files import EXPORT_FORMS
from nightgarden.garden import Garden
from nightgarden.remember.importers import FORMATS
from nightgarden.store import private
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import ProgressLine, count, paint, print_json

_PROBLEMS_SHOWN = 20
_FORMATS = f"default: worked out from the file; one of {', '.join([*EXPORT_FORMS, *FORMATS])}"


def add_export(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=EXPORT_FORMS, default="jsonl")
    parser.add_argument("--output", "-o", type=Path, metavar="FILE", help="instead of standard output")
    add_common(parser, json=False)
    parser.set_defaults(call=on_garden(_export, reads=True))


async def _export(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.output is None:
        await _write(garden, arguments.format, sys.stdout, quiet=True)
        return 0
    part = arguments.output.with_name(arguments.output.name + ".part")
    with io.TextIOWrapper(private.open_new(part), encoding="utf-8", errors="replace", newline="\n") as file:
        written = await _write(garden, arguments.format, file, quiet=False)
    part.replace(arguments.output)
    print(f"{count(written, 'record')} written to {arguments.output}", file=sys.stderr)
    return 0


async def _write(garden: Garden, form: str, stream: TextIO, *, quiet: bool) -> int:
    written = 0
    with ProgressLine("exporting") as progress:
        async for piece in garden.export(form):
            stream.write(piece if form == "markdown" else piece + "\n")
            written += 1
            if not quiet:
                progress.step()
    return written


def add_import(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", type=Path, help="a file, or the folder of a Claude Code memory")
    parser.add_argument("--format", choices=[*EXPORT_FORMS, *FORMATS], metavar="FORMAT", help=_FORMATS)
    parser.add_argument(
        "--trust", action="store_true", help="it is yours: keep who said what, and bring sessions and history too"
    )
    parser.add_argument("--allow", action="append", default=[], metavar="RULE", help="lift a rule for this file")
    add_common(parser)
    parser.set_defaults(call=on_garden(_import))


async def _import(garden: Garden, arguments: argparse.Namespace) -> int:
    done = await garden.import_(arguments.path, form=arguments.format, trust=arguments.trust, allow=arguments.allow)
    if arguments.json:
        print_json(
            {
                "format": done.form,
                "added": done.added,
                "known": done.known,
                "purged": done.purged,
                "refused": done.refused,
                "left_out": done.left_out,
                "problems": done.problems,
            }
        )
    else:
        added = ", ".join(count(number, name) for name, number in done.added.items()) or "nothing new"
        print(f"{paint('imported', 'green')}: {added}; {done.known} known already, {done.purged} purged earlier")
        if not arguments.trust:
            left = ", ".join(f"{number} {name}" for name, number in done.left_out.items())
            said = f"; {left} left out" if left else ""
            print(f"taken as outside text{said}. If the file is your own, import it with --trust.", file=sys.stderr)
        for title, lines in (("refused", done.refused), ("could not be read", done.problems)):
            for line in lines[:_PROBLEMS_SHOWN]:
                print(f"{title}: {line}", file=sys.stderr)
            if len(lines) > _PROBLEMS_SHOWN:
                print(f"{title}: {len(lines) - _PROBLEMS_SHOWN} more", file=sys.stderr)
    return 1 if done.problems else 0
