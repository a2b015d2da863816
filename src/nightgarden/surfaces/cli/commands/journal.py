"""Commands on the journal: history, undo."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nightgarden.domain.doubt import Doubt, describe
from nightgarden.domain.graph import EdgeKind
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.record import from_record
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.commands.reading import positive
from nightgarden.surfaces.cli.ids import add_id, short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, when
from nightgarden.surfaces.cli.shapes import entry_shape
from nightgarden.surfaces.cli.values import in_words, label, quoted, why, with_texts

_UNDONE_SHOWN = 10


def add_history(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", nargs="?", help="of a memory; without it, everything")
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
    texts = await _texts(garden, entries)
    for entry in entries:
        _print_entry(entry, texts)
    if arguments.id is not None:
        await _print_successions(garden, arguments.id)
    return 0


async def _texts(garden: Garden, entries: Sequence[JournalEntry]) -> dict[str, str]:
    """What the memories say that the entries speak of."""
    ids: dict[str, None] = {}
    for entry in entries:
        after = entry.after or {}
        named = (entry.subject_id, after.get("superseded_by"), after.get("source"), after.get("target"))
        ids |= dict.fromkeys(id for id in named if id)
    return {memory.id: memory.content for memory in await garden.store.memories(list(ids))}


def _print_entry(entry: JournalEntry, texts: Mapping[str, str]) -> None:
    cycle = f"  cycle {entry.cycle}" if entry.cycle else ""
    print(f"{paint(short(entry.id), 'cyan')}  {when(entry.at)}  {entry.actor}  {with_texts(why(entry), texts)}{cycle}")
    named = texts.get(entry.subject_id)
    subject = f"{short(entry.subject_id)} {quoted(named)}" if named else ""
    if entry.subject_kind == "memory" and entry.before is not None and subject:
        print(paint(f"    {subject}", "dim"))
    for line in _changes(entry, texts):
        print(f"    {line}")


def _changes(entry: JournalEntry, texts: Mapping[str, str]) -> Iterator[str]:
    before, after = entry.before or {}, entry.after or {}
    if entry.after is None:
        yield "removed" if entry.before is not None else "erased"
    elif entry.subject_kind == "edge" and entry.before is None:
        source, target = (_named(after[end], texts) for end in ("source", "target"))
        yield f"linked: {source} {label(after['kind'])} {target}"
    elif entry.before is None:
        yield f"created: {after.get('content') or after.get('name') or entry.subject_kind}"
    else:
        for name in after:
            if name == "superseded_by" and after[name]:
                yield f"replaced by {_named(after[name], texts)}"
            elif name == "doubts":
                yield f"flagged: {_doubts(before.get(name))} → {_doubts(after[name])}"
            elif name not in ("updated_at", "reinforcements", "superseded_by"):
                yield f"{label(name)}: {in_words(before.get(name))} → {in_words(after[name])}"


def _doubts(records: Sequence[Mapping[str, Any]] | None) -> str:
    return describe(from_record(Doubt, record) for record in records or ()) or in_words(None)


def _named(id: str, texts: Mapping[str, str]) -> str:
    return f"{quoted(texts[id])} ({short(id)})" if id in texts else in_words(with_texts(id, texts))


async def _print_successions(garden: Garden, memory_id: str) -> None:
    """What a memory replaced, and what replaced it."""
    edges = await garden.store.edges([memory_id], kinds=[EdgeKind.SUPERSEDES])
    texts = {
        m.id: m.content for m in await garden.store.memories([e.source for e in edges] + [e.target for e in edges])
    }
    for edge in edges:
        replaced = edge.source == memory_id
        other = edge.target if replaced else edge.source
        print(f"{'replaces' if replaced else 'replaced by'} {_named(other, texts)}")


def add_undo(parser: argparse.ArgumentParser) -> None:
    add_id(
        parser,
        "what",
        "entry",
        nargs="?",
        metavar="ENTRY|CYCLE",
        help="id of a journal entry, with which goes all that was done at once, or of a cycle; without it, the last "
        "thing that was done",
    )
    add_common(parser)
    parser.set_defaults(call=on_garden(_undo))


async def _undo(garden: Garden, arguments: argparse.Namespace) -> int:
    entries = await garden.undo(arguments.what)
    undone = entries[0].undoes if entries else arguments.what
    if arguments.json:
        print_json({"undone": undone, "entries": [entry_shape(entry) for entry in entries]})
        return 0
    print(f"{paint('undone', 'green')}: {count(len(entries), 'change')} taken back")
    texts = await _texts(garden, entries)
    for entry in entries[:_UNDONE_SHOWN]:
        for line in _changes(entry, texts):
            print(paint(f"    {line}", "dim"))
    return 0
