"""Commands that change memories: remember, edit, forget, restore, purge, feedback."""

from __future__ import annotations

import argparse
import sys
from datetime import datetime

from nightgarden.domain.memory import Category, Importance, Memory, Provenance
from nightgarden.domain.time import read_moment
from nightgarden.domain.verdict import Refused
from nightgarden.errors import BadInput, NotAllowed, NotFound
from nightgarden.garden import Garden
from nightgarden.initiative.people import find_person, purge_person
from nightgarden.surfaces.cli.ids import Kind, add_id, short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common, values
from nightgarden.surfaces.cli.screen import ask, count, paint, print_json
from nightgarden.surfaces.cli.shapes import memory_shape, verdict_shape
from nightgarden.surfaces.cli.verdicts import describe

ERASABLE: tuple[Kind, ...] = ("memory", "passage", "session", "task")


def moment(text: str) -> datetime:
    """An argument that is a date or a moment."""
    try:
        return read_moment(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date; write 2026-11-15 or 2026-11-15T21:41Z") from None


def add_remember(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("text", nargs="*", help="the statement; read from standard input when left out or -")
    parser.add_argument("--category", "-c", choices=values(Category), help="worked out from the text when left out")
    parser.add_argument("--scope", "-s", help="global, project (default), agent:NAME, mission:NAME or session:ID")
    parser.add_argument("--tag", "-t", action="append", default=[], help="a tag; may be given several times")
    parser.add_argument("--importance", choices=values(Importance), default=Importance.MEDIUM)
    parser.add_argument("--pin", action="store_true", help="pin it: always in briefings, never fading")
    parser.add_argument("--strict", action="store_true", help="take only important conventions, patterns, … as such")
    parser.add_argument("--provenance", choices=values(Provenance), default=Provenance.USER_STATED)
    parser.add_argument("--outside", action="store_true", help="the text comes from the web, a tool, a feed or a chat")
    parser.add_argument("--confidence", type=float, help="0 to 1; follows from the provenance when left out")
    parser.add_argument("--because", default="", metavar="REASON", help="why it is believed")
    parser.add_argument("--session", metavar="ID", help="the session it was said in")
    parser.add_argument("--message", metavar="ID", help="the message it was said in")
    parser.add_argument("--context", default="", metavar="TEXT", help="what was being discussed")
    parser.add_argument("--file", action="append", default=[], metavar="PATH", help="a file it is about")
    parser.add_argument("--trigger", action="append", default=[], metavar="PATTERN", help="fires when this is seen")
    parser.add_argument("--seasonal", metavar="WHEN", help="holds only then, such as release-week")
    parser.add_argument("--session-only", action="store_true", help="holds only in this session")
    parser.add_argument("--from", dest="valid_from", type=moment, metavar="DATE", help="true from then on")
    parser.add_argument("--until", dest="valid_until", type=moment, metavar="DATE", help="true until then")
    parser.add_argument("--allow", action="append", default=[], metavar="RULE", help="lift a rule for this one text")
    add_common(parser)
    parser.set_defaults(call=on_garden(_remember))


async def _remember(garden: Garden, arguments: argparse.Namespace) -> int:
    text = " ".join(arguments.text)
    if text in ("", "-"):
        if sys.stdin.isatty():
            raise BadInput("nothing to remember: write the statement after the command, or pipe it in")
        text = sys.stdin.buffer.read().decode("utf-8", "replace")
    verdict = await garden.remember(
        text,
        category=arguments.category,
        scope=arguments.scope,
        tags=arguments.tag,
        importance=arguments.importance,
        pinned=arguments.pin,
        strict=arguments.strict,
        provenance=arguments.provenance,
        outside=arguments.outside,
        confidence=arguments.confidence,
        confidence_reason=arguments.because,
        session_id=arguments.session,
        message_range=(arguments.message, arguments.message) if arguments.message else None,
        context_snippet=arguments.context,
        file_paths=arguments.file,
        trigger_patterns=arguments.trigger,
        seasonal=arguments.seasonal,
        session_only=arguments.session_only,
        valid_from=arguments.valid_from,
        valid_until=arguments.valid_until,
        allow=arguments.allow,
    )
    if arguments.json:
        print_json(verdict_shape(verdict))
    else:
        print(await describe(garden, verdict))
    return 1 if isinstance(verdict, Refused) else 0


def add_edit(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", help="of a memory")
    parser.add_argument("--content", help="the new text")
    parser.add_argument("--category", "-c", choices=values(Category))
    parser.add_argument("--importance", choices=values(Importance))
    parser.add_argument("--pin", action=argparse.BooleanOptionalAction, default=None, help="pin or unpin it")
    parser.add_argument("--confidence", type=float, help="0 to 1")
    parser.add_argument("--until", dest="valid_until", type=moment, metavar="DATE", help="true until then")
    parser.add_argument("--scope", "-s", help="move it to another scope")
    add_common(parser)
    parser.set_defaults(call=on_garden(_edit))


async def _edit(garden: Garden, arguments: argparse.Namespace) -> int:
    wanted = ("content", "category", "importance", "confidence", "valid_until", "scope")
    changes = {name: value for name in wanted if (value := getattr(arguments, name)) is not None}
    if arguments.pin is not None:
        changes["pinned"] = arguments.pin
    if not changes:
        raise BadInput("nothing to change: give at least one of --content, --category, --pin, …")
    return _print_memory(await garden.update(arguments.id, **changes), arguments, "changed")


def _print_memory(memory: Memory, arguments: argparse.Namespace, done: str) -> int:
    if arguments.json:
        print_json(memory_shape(memory))
    else:
        print(f"{paint(done, 'green')} {short(memory.id)}: {memory.content}")
    return 0


def add_forget(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", nargs="+", help="of a memory")
    parser.add_argument("--reason", default="", help="why; kept in the journal")
    add_common(parser)
    parser.set_defaults(call=on_garden(_forget))


async def _forget(garden: Garden, arguments: argparse.Namespace) -> int:
    return _print_memories(
        [await garden.forget(each, reason=arguments.reason) for each in arguments.id], arguments, "archived"
    )


def add_restore(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", nargs="+", help="of a memory")
    add_common(parser)
    parser.set_defaults(call=on_garden(_restore))


async def _restore(garden: Garden, arguments: argparse.Namespace) -> int:
    return _print_memories([await garden.restore(each) for each in arguments.id], arguments, "restored")


def _print_memories(memories: list[Memory], arguments: argparse.Namespace, done: str) -> int:
    if arguments.json:
        print_json({"memories": [memory_shape(memory) for memory in memories]})
    else:
        for memory in memories:
            print(f"{paint(done, 'green')} {short(memory.id)}: {memory.content}")
    return 0


def add_purge(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", *ERASABLE, nargs="*", help="of a memory, passage, session or task")
    parser.add_argument("--person", metavar="NAME", help="everything that somebody said in channels or that names them")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    add_common(parser)
    parser.set_defaults(call=on_garden(_purge))


async def _purge(garden: Garden, arguments: argparse.Namespace) -> int:
    if bool(arguments.id) == (arguments.person is not None):
        raise BadInput("say what to purge: ids, or --person NAME")
    if arguments.person is not None:
        return await _purge_person(garden, arguments)
    if not arguments.yes:
        await _confirm_purge(garden, arguments.id)
    gone = await garden.purge(*arguments.id)
    if arguments.json:
        print_json({"purged": gone})
    else:
        for each in gone:
            print(f"{paint('purged', 'red')} {short(each)}")
    if missing := [each for each in arguments.id if each not in gone]:
        raise NotFound(f"not found, and so not purged: {', '.join(missing)}")
    return 0


async def _purge_person(garden: Garden, arguments: argparse.Namespace) -> int:
    traces = await find_person(garden, arguments.person)
    if not arguments.yes:
        if not sys.stdin.isatty():
            raise BadInput(f"nothing was purged ({traces.sentence}): confirm with --yes")
        print(f"{', '.join(sorted(traces.names))}: {traces.sentence}", file=sys.stderr)
        if not ask("Erase all of it for good, from backups too? This cannot be undone.", yes=False):
            raise NotAllowed("nothing was purged")
    gone = await purge_person(garden, traces)
    if arguments.json:
        print_json({"purged": gone})
    else:
        print(f"{paint('purged', 'red')} {traces.sentence}")
    return 0


async def _confirm_purge(garden: Garden, ids: list[str]) -> None:
    """Shows what would be erased and asks. Raises BadInput when nobody can be asked, NotAllowed on a no."""
    if not sys.stdin.isatty():
        raise BadInput("nothing was purged: confirm with --yes")
    texts = {memory.id: memory.content for memory in await garden.store.memories(ids)}
    for each in ids:
        print(f"  {paint(short(each), 'cyan')}  {texts.get(each, '')}", file=sys.stderr)
    if not ask(f"Erase {count(len(ids), 'item')} for good, from backups too? This cannot be undone.", yes=False):
        raise NotAllowed("nothing was purged")


def add_feedback(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "memory", help="of a memory")
    helpful = parser.add_mutually_exclusive_group(required=True)
    helpful.add_argument("--helpful", dest="helpful", action="store_true", help="it helped: surer and stronger")
    helpful.add_argument("--not-helpful", dest="helpful", action="store_false", help="it did not: less sure")
    add_common(parser)
    parser.set_defaults(call=on_garden(_feedback))


async def _feedback(garden: Garden, arguments: argparse.Namespace) -> int:
    memory = await garden.feedback(arguments.id, helpful=arguments.helpful)
    return _print_memory(memory, arguments, f"noted (confidence {memory.confidence:.2f})")
