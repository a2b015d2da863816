"""The command `tend`: a plan on request, progress, a summary in words; and why a memory changed."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress

from nightgarden.domain.ids import ids_in
from nightgarden.domain.journal import JournalEntry
from nightgarden.errors import BadInput, NotFound
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import cut, paint, print_json, print_text, when, width
from nightgarden.surfaces.cli.shapes import entry_shape
from nightgarden.surfaces.cli.short_ids import add_id, short
from nightgarden.surfaces.cli.values import in_words, label, why, with_texts
from nightgarden.tend.report import Report
from nightgarden.tend.wish import OPERATIONS


def add_tend(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "what", "memory", nargs="*", metavar="explain ID", help="show why tending changed a memory")
    parser.add_argument("--only", action="append", default=[], metavar="OP", help=f"one of {', '.join(OPERATIONS)}")
    parser.add_argument("--dry-run", action="store_true", help="show the plan and change nothing")
    parser.add_argument("--allow-loss", action="store_true", help="archive even a large part of a scope")
    parser.add_argument("--full", action="store_true", help="look at everything again, not only at what is new")
    add_common(parser)
    parser.set_defaults(call=on_garden(_tend))


async def _tend(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.what:
        return await _explain(garden, arguments)
    only = [name for given in arguments.only for name in given.split(",")]
    report = await garden.tend(
        *only,
        dry_run=arguments.dry_run,
        allow_loss=arguments.allow_loss,
        full=arguments.full,
        progress=_show_progress if sys.stderr.isatty() and not arguments.json else None,
    )
    if arguments.json:
        print_json(report.shape())
    else:
        named = [id for outcome in report.operations.values() for line in outcome.examples for id in ids_in(line)]
        texts: dict[str, str] = {}
        for id in dict.fromkeys(named):
            with suppress(NotFound):  # a tag or a cluster
                texts[id] = (await garden.get(id)).content
        _print_report(report, texts)
    return 0 if report.stopped_at is None else 1


def _show_progress(operation: str, made: int, of: int) -> None:
    line = f"{operation}: {made:,} of {of:,}" if of else f"{operation} …"
    print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)


def _print_report(report: Report, texts: dict[str, str]) -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if report.resumed:
        print(paint("going on with a run that broke off", "yellow"))
    for name, outcome in report.operations.items():
        if outcome.changes or outcome.noted:
            print(f"{paint(f'{name:<12}', 'bold')} {outcome.words()}")
        for example in outcome.examples:
            print_text(with_texts(example, texts), "dim", indent=13)
        if (more := sum(outcome.counts.values()) - len(outcome.examples)) > 0:
            print(paint(f"             and {more:,} more", "dim"))
    colour = "red" if report.stopped_at else "green"
    print(paint(report.sentence(), colour))


async def _explain(garden: Garden, arguments: argparse.Namespace) -> int:
    if len(arguments.what) != 2 or arguments.what[0] != "explain":
        raise BadInput("use `nightgarden tend`, or `nightgarden tend explain ID`")
    memory = await garden.get(arguments.what[1])
    history = await garden.history(memory.id)
    entries = [entry for entry in history if entry.actor == "tend" and not entry.undoes]
    undone = _undone(history)
    if arguments.json:
        print_json({"id": memory.id, "entries": [entry_shape(entry) for entry in entries]})
        return 0
    print(cut(memory.content, width()))
    for entry in entries:
        print(f"  {when(entry.at)}  {why(entry_shape(entry))}  {paint(_fields(entry), 'dim')}")
        undo = undone.get(entry.id) or undone.get(entry.cycle or "")
        how = f"undone by {undo.actor}, {when(undo.at)}" if undo else f"to undo it: nightgarden undo {short(entry.id)}"
        print(paint(f"      {how}", "dim"))
    if not entries:
        print("  tending has not changed it")
    return 0


def _undone(history: Sequence[JournalEntry]) -> dict[str, JournalEntry]:
    """Entries and cycles that were undone, each with its undo; what was undone holds again once that undo is undone."""
    undone = {entry.undoes: entry for entry in history if entry.undoes}
    return {id: undo for id, undo in undone.items() if undo.id not in undone and (undo.cycle or "") not in undone}


def _fields(entry: JournalEntry) -> str:
    before, after = entry.before or {}, entry.after or {}
    shown = ("tier", "status", "confidence", "superseded_by", "strength", "tags")
    return ", ".join(
        f"{label(name)}: {in_words(before.get(name), name)} → {in_words(after[name], name)}"
        for name in shown
        if name in after and name in before
    )
