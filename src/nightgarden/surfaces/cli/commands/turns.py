"""Commands about what agents are shown: turn, briefing, gaps."""

from __future__ import annotations

import argparse
import secrets
import sys

from nightgarden.domain.record import to_record
from nightgarden.errors import BadInput
from nightgarden.garden import Garden
from nightgarden.recall.brief import Mode, Size
from nightgarden.recall.switch import is_off
from nightgarden.surfaces.cli.commands.reading import positive
from nightgarden.surfaces.cli.ids import add_id, short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, when
from nightgarden.surfaces.cli.shapes import briefing_shape, injection_shape

OFF = "memory is switched off here; `nightgarden on` switches it on"
LOOKING_MS = 10_000  # a person who looks can wait
WHY_NOTHING = {
    "class none": "the prompt is small talk or a mere go-ahead, so memory was not searched",
    "known already": "this session has been shown what fits",
    "late": "the search took longer than the deadline",
    "no room": "what fits is longer than the space allowed (turn.token_budget)",
}


def add_turn(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Prints what would be added to the agent's context, or why nothing would be. Each call counts as a session of "
        "its own unless --session is given: within one session, a memory is not shown again for a while. Agents wait "
        "no longer than turn.deadline_ms; here you wait up to 10 seconds unless --deadline is given."
    )
    parser.add_argument("prompt", nargs="*", help="the user's words; read from standard input when left out or -")
    parser.add_argument("--session", metavar="ID", help="the session of the turn; a new one when left out")
    parser.add_argument("--file", "-f", action="append", default=[], metavar="PATH", help="a file at hand; repeatable")
    parser.add_argument("--deadline", type=positive, metavar="MS", help="show nothing after this many milliseconds")
    add_common(parser)
    parser.set_defaults(call=on_garden(_turn, reads=True))


async def _turn(garden: Garden, arguments: argparse.Namespace) -> int:
    prompt = " ".join(arguments.prompt)
    if prompt in ("", "-"):
        if sys.stdin.isatty():
            raise BadInput("nothing was said: write the prompt after the command, or pipe it in")
        prompt = sys.stdin.buffer.read().decode("utf-8", "replace")
    await garden.warm()  # a program that serves turns has its model loaded; the deadline is for the turn itself
    session = arguments.session or f"cli-{secrets.token_hex(8)}"
    before = dict((await garden.stats()).turns)
    shown = await garden.turn(
        prompt, session_id=session, files=arguments.file, deadline_ms=arguments.deadline or LOOKING_MS
    )
    if arguments.json:
        print_json(injection_shape(shown))
    elif shown is not None:
        print(shown.text)
    else:
        print(f"nothing to show: {await _why_nothing(garden, before)}", file=sys.stderr)
    return 0


async def _why_nothing(garden: Garden, before: dict[str, int]) -> str:
    if await is_off(garden.store, (garden.place.scope,)):
        return OFF
    counted = (await garden.stats()).turns
    new = [label for label, number in counted.items() if number > before.get(label, 0)]
    return next((WHY_NOTHING[label] for label in new if label in WHY_NOTHING), "nothing remembered fits this prompt")


def add_briefing(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Sections are cut to lite 3, standard 8 or deep 20 memories each; what did not fit is said."
    parser.add_argument("--mode", "-m", choices=list(Mode), default=Mode.SESSION, help="what the briefing is for")
    parser.add_argument("--size", choices=list(Size), help="of every section; default: as the mode wants it")
    parser.add_argument("--task", default="", help="what is about to be done; what fits it comes first")
    parser.add_argument("--scope", "-s", action="append", default=[], help="a further scope, such as mission:NAME")
    add_common(parser)
    parser.set_defaults(call=on_garden(_briefing, reads=True))


async def _briefing(garden: Garden, arguments: argparse.Namespace) -> int:
    told = await garden.briefing(arguments.mode, task=arguments.task, size=arguments.size, scopes=arguments.scope)
    if arguments.json:
        print_json(briefing_shape(told))
    elif told.text:
        print(told.text)
    elif sys.stdout.isatty() or await is_off(garden.store, (garden.place.scope,)):
        off = await is_off(garden.store, (garden.place.scope,))
        print(f"nothing to tell{': ' + OFF if off else ''}", file=sys.stderr)
    return 0


def add_gaps(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A gap is a turn that asked for something nobody had remembered. A memory that answers it closes it."
    )
    add_id(parser, "--close", "gap", metavar="ID", help="close this one by hand")
    parser.add_argument("--all", action="store_true", help="closed ones too")
    add_common(parser)
    parser.set_defaults(call=on_garden(_gaps))


async def _gaps(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.close is not None:
        closed = await garden.close_gap(arguments.close)
        if arguments.json:
            print_json({"closed": to_record(closed)})
        else:
            print(f"{paint('closed', 'green')}: {closed.snippet}")
        return 0
    found = await garden.gaps(include_closed=arguments.all)
    if arguments.json:
        print_json({"gaps": [to_record(gap) for gap in found]})
        return 0
    rows = [
        (
            short(gap.id),
            f"{gap.seen_count}×",
            when(gap.last_seen_at),
            "closed" if gap.closed_at else "open",
            gap.snippet,
        )
        for gap in found
    ]
    print_table(("id", "asked", "last", "state", "question"), rows)
    print(paint(count(len(found), "gap"), "dim"))
    return 0
