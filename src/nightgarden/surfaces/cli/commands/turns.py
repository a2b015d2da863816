"""Commands about what agents are shown: turn, briefing, gaps."""

from __future__ import annotations

import argparse
import os
import sys

from nightgarden.domain.requests.turns import Briefing, CloseGap, Gaps, Turn
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, short, when

OFF = "memory is switched off here; `nightgarden on` switches it on"
LOOKING_MS = 10_000  # a person who looks can wait


def add_turn(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Prints what would be added to the agent's context, or why nothing would be. Each call counts as a session of "
        "its own unless --session-id is given: within one session, a memory is not shown again for a while. Agents "
        "wait no longer than turn.deadline_ms; here you wait up to 10 seconds unless --deadline-ms is given."
    )
    add_fields(parser, Turn, leave_out=("session_id", "explain"))
    parser.add_argument("--session-id", "--session", metavar="ID", help="the session; a new one when left out")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_turn))


def _turn(ask: Asker, arguments: argparse.Namespace) -> int:
    session = arguments.session_id or f"cli-{os.urandom(8).hex()}"
    given = {"deadline_ms": LOOKING_MS} | given_by(Turn, arguments) | {"session_id": session, "explain": True}
    answer = ask(Turn, given)
    if arguments.json:
        print_json(answer)
    elif answer["text"] is not None:
        print(answer["text"])
    else:
        print(f"nothing to show: {answer['why']}", file=sys.stderr)
    return 0


def add_briefing(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Sections are cut to lite 3, standard 8 or deep 20 memories each; what did not fit is said."
    add_fields(parser, Briefing)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_briefing))


def _briefing(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(Briefing, given_by(Briefing, arguments))
    if arguments.json:
        print_json(answer)
    elif answer["text"]:
        print(answer["text"])
    elif sys.stdout.isatty() or answer["off_here"]:
        print(f"nothing to tell{': ' + OFF if answer['off_here'] else ''}", file=sys.stderr)
    return 0


def add_gaps(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A gap is a turn that asked for something nobody had remembered. A memory that answers it closes it."
    )
    parser.add_argument("--close", metavar="ID", help="close this one by hand")
    add_fields(parser, Gaps)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_gaps))


def _gaps(ask: Asker, arguments: argparse.Namespace) -> int:
    if arguments.close is not None:
        answer = ask(CloseGap, {"id": arguments.close})
        if arguments.json:
            print_json(answer)
        else:
            print(f"{paint('closed', 'green')}: {answer['closed']['snippet']}")
        return 0
    answer = ask(Gaps, given_by(Gaps, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        (
            short(gap["id"]),
            f"{gap['seen_count']}×",
            when(gap["last_seen_at"]),
            "closed" if gap["closed_at"] else "open",
            gap["snippet"],
        )
        for gap in answer["gaps"]
    ]
    print_table(("id", "asked", "last", "state", "question"), rows)
    print(paint(count(len(rows), "gap"), "dim"))
    return 0
