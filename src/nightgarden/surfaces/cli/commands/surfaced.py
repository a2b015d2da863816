"""What each session was given: surfaced."""

from __future__ import annotations

import argparse

from nightgarden.domain.requests.turns import Surfaced
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_text, short, when

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from nightgarden.surfaces.cli.asking import Answer


def add_surfaced(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Sessions of the last seven days, the latest first: what was put before the agent (* where its answer plainly "
        "used it), and what was learned from the session. `nightgarden feedback ID --not-helpful` and `nightgarden "
        "forget ID` act on what you see."
    )
    add_fields(parser, Surfaced)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_surfaced))


def _surfaced(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(Surfaced, given_by(Surfaced, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    for each in answer["sessions"]:
        _print_session(each)
    print(paint(count(len(answer["sessions"]), "session"), "dim"))
    return 0


def _print_session(session: Answer) -> None:
    where = " ".join(part for part in (session["client"], session["directory"]) if part)
    print(f"{paint(short(session['session_id']), 'cyan')}  {when(session['seen_at'])}  {where}".rstrip())
    for given in session["given"]:
        mark = "*" if given["used"] else " "
        print_text(f"  {mark} {short(given['id'])} {given['content'] or '(erased since)'}")
    for learned in session["learned"]:
        live = learned["live"]
        undo = f"forget {short(learned['id'])}" if live else f"restore {short(learned['id'])}"
        print_text(f"  + learned: {learned['content']} ({'undo' if live else 'archived'}: nightgarden {undo})")
