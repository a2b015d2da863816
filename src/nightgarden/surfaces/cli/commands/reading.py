"""Commands that look things up: recall, list, show."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from nightgarden.domain.memory import Category, Memory
from nightgarden.domain.record import to_record
from nightgarden.errors import BadInput, NotFound
from nightgarden.garden import Garden
from nightgarden.recall.result import Recalled
from nightgarden.surfaces.cli.commands.writing import moment
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common, values
from nightgarden.surfaces.cli.screen import count, cut, paint, print_json, print_table, when, width
from nightgarden.surfaces.cli.shapes import memory_shape, recalled_shape, session_shape
from nightgarden.surfaces.operations.speaker import said_by


def positive(text: str) -> int:
    """An argument that is a whole number from 1 up."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


def add_recall(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("query", nargs="*", help="what to look for; read from standard input when left out or -")
    parser.add_argument("--limit", "-n", type=positive, help="how many results")
    parser.add_argument("--kind", choices=["memory", "passage"], help="only memories, or only passages")
    parser.add_argument("--scope", "-s", help="one scope only, or `all`; default: global and this project")
    parser.add_argument("--as-of", type=moment, metavar="DATE", help="answer from what was believed then")
    parser.add_argument(
        "--rerank",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="read the best again: better, slower",
    )
    parser.add_argument("--explain", action="store_true", help="show arms, ranks, paths and what was cut")
    add_common(parser)
    parser.set_defaults(call=on_garden(_recall, reads=True))


async def _recall(garden: Garden, arguments: argparse.Namespace) -> int:
    query = " ".join(arguments.query)
    if query in ("", "-"):
        if sys.stdin.isatty():
            raise BadInput("nothing to look for: write the question after the command, or pipe it in")
        query = sys.stdin.buffer.read().decode("utf-8", "replace")
    found = await garden.recall(
        query,
        limit=arguments.limit,
        kinds=(arguments.kind,) if arguments.kind else ("memory", "passage"),
        scope=arguments.scope,
        as_of=arguments.as_of,
        rerank=arguments.rerank,
    )
    if arguments.json:
        print_json(recalled_shape(found, explain=arguments.explain))
    else:
        _print_recalled(found, explain=arguments.explain)
    return 0


def _print_recalled(found: Recalled, *, explain: bool) -> None:
    if not found.results:
        print("nothing found")
    for place, result in enumerate(found.results, start=1):
        what = result.category or "passage"
        head = f"{place:2}. {paint(result.id, 'cyan')}  {paint(str(what), 'bold')}  {when(result.created_at)}"
        print(f"{head}  {paint(f'{result.score:.3f}', 'dim')}")
        print(f"    {cut(result.content, max(40, width() - 4))}")
        print(paint(f"    {'; '.join(result.reasons)}", "dim"))
        if explain and result.explanation is not None:
            for key, value in to_record(result.explanation).items():
                if value not in (None, [], {}, ""):
                    print(paint(f"      {key}: {value}", "dim"))
    if explain:
        for each in found.cut:
            print(paint(f"cut: {to_record(each)}", "dim"))
    print(paint(f"{count(len(found.results), 'result')} in {found.took_ms:.0f} ms", "dim"))


def add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scope", "-s", help="one scope only, or `all`; default: global and this project")
    parser.add_argument("--category", "-c", choices=values(Category))
    parser.add_argument("--tag", "-t", help="only with this tag")
    parser.add_argument("--archived", action="store_true", help="archived ones instead of live ones")
    parser.add_argument("--limit", "-n", type=positive, default=50)
    parser.add_argument("--after", metavar="ID", help="the page after this id")
    add_common(parser)
    parser.set_defaults(call=on_garden(_list, reads=True))


async def _list(garden: Garden, arguments: argparse.Namespace) -> int:
    memories = await garden.list(
        scope=arguments.scope,
        category=arguments.category,
        tag=arguments.tag,
        archived=arguments.archived,
        limit=arguments.limit,
        after=arguments.after,
    )
    if arguments.json:
        print_json({"memories": [memory_shape(memory) for memory in memories]})
        return 0
    rows = [(m.id, m.category.value, m.scope.kind.value, when(m.created_at), m.content) for m in memories]
    print_table(("id", "category", "scope", "created", "content"), rows)
    print(paint(count(len(memories), "memory"), "dim"))
    return 0


def add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", help="of a memory, passage or session")
    add_common(parser)
    parser.set_defaults(call=on_garden(_show, reads=True))


async def _show(garden: Garden, arguments: argparse.Namespace) -> int:
    if found := await garden.store.memories([arguments.id]):
        return _print_fields(memory_shape(found[0]), arguments, memory=found[0])
    if passages := await garden.store.passages([arguments.id]):
        return _print_fields(to_record(passages[0]), arguments)
    if session := await garden.store.session(arguments.id):
        return _print_fields(session_shape(session, messages=True), arguments)
    raise NotFound(f"there is no memory, passage or session {arguments.id!r}; `nightgarden list` shows what there is")


def _print_fields(record: dict[str, Any], arguments: argparse.Namespace, memory: Memory | None = None) -> int:
    if arguments.json:
        print_json(record)
        return 0
    if memory is not None:
        print(paint(memory.content, "bold"))
        print(f"{paint('said by', 'dim'):<24} {said_by(memory)}")
    for name, value in record.items():
        if value in (None, "", [], {}) or (memory is not None and name == "content"):
            continue
        if name == "messages":
            for message in value:
                print(f"  {paint(message['role'], 'cyan')} {message['at']}: {message['text']}")
        else:
            print(f"{paint(name.replace('_', ' '), 'dim'):<24} {value}")
    return 0
