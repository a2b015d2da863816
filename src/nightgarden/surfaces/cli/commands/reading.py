"""Commands that look things up: recall, list, show."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from datetime import date, datetime, timedelta
from typing import Any

from nightgarden.domain.memory import Category, Memory, ScopeKind
from nightgarden.domain.record import to_record
from nightgarden.errors import BadInput, NotFound
from nightgarden.garden import Garden
from nightgarden.recall.result import Cause, Explanation, Recalled, Result
from nightgarden.surfaces.cli.commands.writing import moment
from nightgarden.surfaces.cli.ids import add_id, short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common, values
from nightgarden.surfaces.cli.screen import count, day, paint, print_json, print_table, print_text, when
from nightgarden.surfaces.cli.shapes import memory_shape, recalled_shape, session_shape
from nightgarden.surfaces.cli.values import doubt_about, ids_in, in_words, is_empty, label, with_texts
from nightgarden.surfaces.fitting import FITTING_EVIDENCE, NEAREST_SHOWN
from nightgarden.surfaces.operations.speaker import said_by


def positive(text: str) -> int:
    """An argument that is a whole number from 1 up."""
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 up")
    return int(text)


def share(text: str) -> float:
    """An argument from 0 to 1."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 0 to 1")
    return number


def add_similar(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", help="of a memory")
    parser.add_argument("--limit", "-n", type=positive, help="how many results")
    parser.add_argument("--scope", "-s", help="one scope only, or `all`; default: global and this project")
    add_common(parser)
    parser.set_defaults(call=on_garden(_similar, reads=True), all=True, explain=False)


async def _similar(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await garden.similar(arguments.id, limit=arguments.limit, scope=arguments.scope)
    if arguments.json:
        print_json(recalled_shape(found))
    else:
        await _print_recalled(garden, found, arguments)
    return 0


def past_moment(text: str) -> datetime:
    """An argument that is a moment in the past; a day means its end, in the caller's time zone."""
    today = datetime.now().astimezone().replace(hour=23, minute=59, second=59, microsecond=999_999)
    if text in ("today", "yesterday"):
        return today - timedelta(days=text == "yesterday")
    try:
        day_meant = date.fromisoformat(text)
    except ValueError:
        return moment(text)
    return today.replace(year=day_meant.year, month=day_meant.month, day=day_meant.day)


def add_recall(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "query",
        nargs="*",
        help="what to look for; - reads it from standard input; left out: what is being done here now",
    )
    parser.add_argument("--limit", "-n", type=positive, help="how many results")
    parser.add_argument("--kind", choices=["memory", "passage"], help="only memories, or only passages")
    parser.add_argument("--scope", "-s", help="one scope only, or `all`; default: global and this project")
    parser.add_argument("--as-of", type=past_moment, metavar="DATE", help="answer from what was believed then")
    parser.add_argument(
        "--rerank",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="rerank the best results with a cross-encoder: slower, often better",
    )
    parser.add_argument("--deep", action="store_true", default=None, help="look at fading memories too")
    parser.add_argument(
        "--recency", type=share, metavar="0-1", help="how much it counts that something is new (default: the settings')"
    )
    parser.add_argument("--all", "-a", action="store_true", help="print weak results too")
    parser.add_argument("--explain", action="store_true", help="show how each result was ranked, and what was left out")
    add_common(parser)
    parser.set_defaults(call=on_garden(_recall, reads=True))


async def _recall(garden: Garden, arguments: argparse.Namespace) -> int:
    query = " ".join(arguments.query)
    if query == "-":
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
        deep=arguments.deep,
        recency=arguments.recency,
    )
    if arguments.json:
        print_json(recalled_shape(found, explain=arguments.explain))
    else:
        if not query.strip():
            print(paint(f"for what is being done here: {found.query or 'nothing is known of that'}", "dim"))
        await _print_recalled(garden, found, arguments)
    return 0


async def _print_recalled(garden: Garden, found: Recalled, arguments: argparse.Namespace) -> None:
    fitting = [result for result in found.results if result.explanation.evidence >= FITTING_EVIDENCE]
    everything = arguments.all or arguments.limit is not None
    shown = found.results if everything else fitting or found.results[:NEAREST_SHOWN]
    if not found.results:
        print("nothing found")
    elif not fitting:
        print(paint("nothing fits well; the nearest:", "yellow"))
    named = [id for result in shown for reason in result.reasons for id in ids_in(reason)]
    memories = {m.id: m for m in await garden.store.memories([*(result.id for result in shown), *named])}
    for place, result in enumerate(shown, start=1):
        _print_result(place, result, memories, explain=arguments.explain)
    if arguments.explain:
        for each in found.cut:
            print(paint(f"left out {short(each.id)}: {each.why}", "dim"))
    for missing in found.missing:
        if arguments.explain or missing.cause is Cause.FAILED:
            print(paint(missing.sentence, "yellow"))
    left = len(found.results) - len(shown)
    more = f"; {count(left, 'weaker result')} not shown, see --all" if left else ""
    print(paint(f"{count(len(shown), 'result')} in {found.took_ms:.0f} ms{more}", "dim"))


def _print_result(place: int, result: Result, memories: Mapping[str, Memory], *, explain: bool) -> None:
    what = str(result.category or "passage")
    head = f"{place:2}. {paint(short(result.id), 'cyan')}  {paint(what, 'bold')}  {when(result.created_at)}"
    print(f"{head}  {paint(f'{result.score:.2f}', 'dim')}")
    print_text(result.content, indent=4)
    if (memory := memories.get(result.id)) and (doubt := doubt_about(memory)):
        print_text(f"doubtful: {doubt}", "yellow", indent=4)
    texts = {id: each.content for id, each in memories.items()}
    print_text("; ".join(with_texts(reason, texts) for reason in result.reasons), "dim", indent=4)
    if explain:
        for line in _explained(result.explanation):
            print_text(line, "dim", indent=6)


def _explained(explanation: Explanation) -> Iterator[str]:
    for name, arm in explanation.arms.items():
        place = f"place {arm.rank}" if arm.rank else "looked up"
        yield f"by {name}: {place}, score {arm.score:.3g}, evidence {arm.evidence:+.2f}"
    for name, boost in explanation.boosts.items():
        yield f"{label(name)}: evidence {boost:+.2f}"
    for step in explanation.path:
        yield f"link: {step.source} {label(step.kind)} {step.target}, {step.carried:.2f} carried over"
    if explanation.reranked_from is not None:
        yield f"reranked from place {explanation.reranked_from}"
    yield f"evidence in all: {explanation.evidence:.2f}"


def add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scope", "-s", help="one scope only, or `all`; default: global and this project")
    parser.add_argument("--category", "-c", choices=values(Category))
    parser.add_argument("--tag", "-t", help="only with this tag")
    parser.add_argument("--archived", action="store_true", help="archived ones instead of live ones")
    parser.add_argument("--limit", "-n", type=positive, default=50)
    add_id(parser, "--after", "memory", metavar="ID", help="the page after this id")
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
    with_scope = any(memory.scope.kind is not ScopeKind.PROJECT for memory in memories)
    head = ("id", "category", *(["scope"] if with_scope else []), "created", "content")
    rows = [
        (
            short(m.id),
            m.category.value,
            *([m.scope.kind.value] if with_scope else []),
            day(m.created_at),
            f"(doubtful) {m.content}" if doubt_about(m) else m.content,
        )
        for m in memories
    ]
    print_table(head, rows)
    print(paint(count(len(memories), "memory"), "dim"))
    return 0


def add_show(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", "passage", "session", help="of a memory, passage or session")
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
    rows = [] if memory is None else [("said by", said_by(memory))]
    if memory is not None:
        print_text(memory.content, "bold")
    for name, value in record.items():
        words = "" if is_empty(value) else in_words(value)
        if words and name != "messages" and (memory is None or name != "content"):
            rows.append((label(name), words))
    print_table(("", ""), rows, whole=True)
    for message in record.get("messages", ()):
        print(f"{paint(message['role'], 'bold')} {paint(in_words(message['at']), 'dim')}")
        print_text(message["text"], indent=2)
    return 0
