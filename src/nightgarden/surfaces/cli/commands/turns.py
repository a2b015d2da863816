"""Commands about what agents are shown: turn, briefing, gaps."""

from __future__ import annotations

import argparse
import sys

from nightgarden.domain.requests.turns import BriefingRequest, CloseGap, Gaps, Turn
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.numbered import print_numbered, take_numbers
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, cut, paint, print_json, print_text, short, when
from nightgarden.surfaces.cli.values import NAME_CHARS

OFF = "memory is switched off here; `nightgarden on` switches it on"
LOOKING_MS = 10_000  # a person who looks can wait
PREVIEWED = "preview"  # of a session that is none


def add_turn(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Prints what would be added to the agent's context, or why nothing would be. That leaves no trace and has no "
        "deadline. With --session-id it is a turn of that session, as an agent would take it: what was shown counts "
        "as shown and does not come again for a while, and nothing is shown after the deadline (here 10 seconds "
        "unless --deadline-ms is given)."
    )
    add_fields(parser, Turn, leave_out=("session_id", "explain", "preview"))
    parser.add_argument("--session-id", "--session", metavar="ID", help="take it as a turn of this session")
    parser.add_argument(
        "--explain", action="store_true", help="leave no trace; show also what was found and passed over, and why"
    )
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_turn))


def _turn(ask: Asker, arguments: argparse.Namespace) -> int:
    preview = arguments.explain or arguments.session_id is None
    given = {"deadline_ms": LOOKING_MS} | given_by(Turn, arguments, leave_out=("explain",))
    given |= {"session_id": arguments.session_id or PREVIEWED, "explain": not preview, "preview": preview}
    answer = ask(Turn, given)
    if arguments.json:
        print_json(answer)
    elif answer["text"] is not None:
        print(answer["text"])
    else:
        print(f"nothing to show: {answer['why']}", file=sys.stderr)
    if arguments.explain and not arguments.json:
        for each in answer["passed_over"]:
            print_text(f"passed over {short(each['id'])} “{cut(each['content'], NAME_CHARS)}”: {each['why']}", "dim")
    return 0


def add_briefing(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Sections are cut to lite 3, standard 8 or deep 20 memories each; what did not fit is mentioned."
    add_fields(parser, BriefingRequest)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_briefing))


def _briefing(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(BriefingRequest, given_by(BriefingRequest, arguments))
    if arguments.json:
        print_json(answer)
    elif answer["text"]:
        print(answer["text"])
    elif sys.stdout.isatty() or answer["off_here"]:
        print(f"nothing to tell{': ' + OFF if answer['off_here'] else ''}", file=sys.stderr)
    return 0


def add_gaps(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A gap is a prompt that asked for something nightgarden had no memory of. A memory that answers it closes it."
    )
    parser.add_argument("--close", metavar="ID", help="close this one by hand")
    take_numbers(parser, "close", "gap")
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
    head, ids = ("id", "asked", "last", "state", "question"), [gap["id"] for gap in answer["gaps"]]
    print_numbered(arguments, head, rows, ids, "gap")
    print(paint(count(len(rows), "gap"), "dim"))
    return 0
