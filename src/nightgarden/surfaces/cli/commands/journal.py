"""Commands on the journal: history, undo."""

from __future__ import annotations

import argparse
import sys

from nightgarden.domain.requests.reading import HistoryRequest
from nightgarden.domain.requests.writing import Undo
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.numbered import keep
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_text, short, when
from nightgarden.surfaces.cli.values import in_words, label, quoted, why, with_texts

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from nightgarden.surfaces.cli.asking import Answer

    Texts = dict[str, str]

_UNDONE_SHOWN = 10


def add_history(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, HistoryRequest)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_history))


def _history(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(HistoryRequest, given_by(HistoryRequest, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    texts = answer["texts"]
    numbered = keep(arguments, [("entry", entry["id"]) for entry in answer["entries"]])
    for place, entry in enumerate(answer["entries"], start=1):
        print_entry(entry, texts, f"{place:3}. " if numbered else "")
    for edge in answer["successions"]:
        replaces = edge["source"].endswith(arguments.id) or edge["source"].startswith(arguments.id)
        other = edge["target"] if replaces else edge["source"]
        print(f"{'replaces' if replaces else 'replaced by'} {_named(other, texts)}")
    return 0


def print_entry(entry: Answer, texts: Texts, number: str = "") -> None:
    """One entry: who did what, when and why, and what that changed."""
    cycle = f"  cycle {entry['cycle']}" if entry["cycle"] else ""
    reason = with_texts(why(entry), texts)
    print(f"{number}{paint(short(entry['id']), 'cyan')}  {when(entry['at'])}  {entry['actor']}  {reason}{cycle}")
    if entry["subject_kind"] == "memory" and entry["before"] is not None and (text := texts.get(entry["subject_id"])):
        print(paint(f"    {short(entry['subject_id'])} {quoted(text)}", "dim"))
    for line in changes_of(entry, texts):
        print_text(line, indent=4)
    sys.stdout.flush()  # those who watch see each entry when it is written


def changes_of(entry: Answer, texts: Texts) -> Iterator[str]:
    """What an entry changed, field by field."""
    before, after = entry["before"] or {}, entry["after"] or {}
    if entry["after"] is None:
        yield f"{_unmade(entry)}: {_subject(entry, before, texts)}" if before else "erased"
    elif entry["before"] is None:
        yield f"{'linked' if entry['subject_kind'] == 'edge' else 'created'}: {_subject(entry, after, texts)}"
    else:
        for name in after:
            if name == "superseded_by" and after[name]:
                yield f"replaced by {_named(after[name], texts)}"
            elif name == "doubts":
                yield with_texts(f"flagged: {_doubts(before.get(name))} → {_doubts(after[name])}", texts)
            elif isinstance(after[name], dict) or isinstance(before.get(name), dict):
                yield f"{label(name)}: changed"
            elif name not in ("updated_at", "reinforcements", "superseded_by"):
                yield f"{label(name)}: {in_words(before.get(name), name)} → {in_words(after[name], name)}"


def _unmade(entry: Answer) -> str:
    return "unlinked" if entry["subject_kind"] == "edge" else "removed"


def _subject(entry: Answer, record: Answer, texts: Texts) -> str:
    """What an entry is about: a memory's text, a tag's name, or both ends of a link."""
    if entry["subject_kind"] == "edge":
        source, target = (_named(record[end], texts) for end in ("source", "target"))
        return f"{source} {label(record['kind'])} {target}"
    named = record.get("content") or record.get("name") or ""
    kind = entry["subject_kind"]
    return str(named if kind == "memory" and named else f"{label(kind)} {named}".strip())


def _doubts(records: Sequence[Answer] | None) -> str:
    # 20 ms of dataclasses, for the few entries that speak of doubts
    from nightgarden.domain.doubt import Doubt, describe
    from nightgarden.domain.record import from_record

    return describe(from_record(Doubt, record) for record in records or ()) or in_words(None)


def _named(id: str, texts: Texts) -> str:
    return f"{quoted(texts[id])} ({short(id)})" if id in texts else in_words(with_texts(id, texts))


def _taken_back(entry: Answer, texts: Texts) -> Iterator[str]:
    """What an undo changed, by the text of what it changed."""
    before, after = entry["before"], entry["after"]
    if entry["subject_kind"] != "memory" or not before or not after:
        yield from changes_of(entry, texts)
        return
    named = _named(entry["subject_id"], texts)
    if before.get("status") == "archived" != after.get("status", "archived"):
        yield f"brought back: {named}"
    else:
        yield f"as before: {named}: {'; '.join(changes_of(entry, texts))}"


def add_undo(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Undo)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_undo))


def _undo(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(Undo, given_by(Undo, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    print(f"{paint('undone', 'green')}: {count(len(answer['entries']), 'change')} taken back")
    for entry in answer["entries"][:_UNDONE_SHOWN]:
        for line in _taken_back(entry, answer["texts"]):
            print(paint(f"    {line}", "dim"))
    if (more := len(answer["entries"]) - _UNDONE_SHOWN) > 0:
        print(paint(f"    and {count(more, 'more change')}", "dim"))
    return 0
