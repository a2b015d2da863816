"""What each session was given: surfaced."""

from __future__ import annotations

import argparse

from nightgarden.domain.record import to_record
from nightgarden.garden import Garden
from nightgarden.sessions.surfaced import SurfacedIn, surfaced
from nightgarden.surfaces.cli.commands.reading import positive
from nightgarden.surfaces.cli.ids import short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_text, when


def add_surfaced(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Sessions of the last seven days, the latest first: what was put before the agent (* where its answer plainly "
        "used it), and what was learned from the session. `nightgarden feedback ID --not-helpful` and `nightgarden "
        "forget ID` act on what you see."
    )
    parser.add_argument("session", nargs="?", help="only this session; the first or last characters of its id will do")
    parser.add_argument("--limit", "-n", type=positive, default=10, help="how many sessions; default 10")
    add_common(parser)
    parser.set_defaults(call=on_garden(_surfaced, reads=True))


async def _surfaced(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await surfaced(garden.turns.live, garden.store, session_id=arguments.session, limit=arguments.limit)
    if arguments.json:
        print_json({"sessions": [to_record(each) for each in found]})
        return 0
    for each in found:
        _print_session(each)
    print(paint(count(len(found), "session"), "dim"))
    return 0


def _print_session(session: SurfacedIn) -> None:
    where = " ".join(part for part in (session.client, session.directory) if part)
    print(f"{paint(short(session.session_id), 'cyan')}  {when(session.seen_at)}  {where}".rstrip())
    for given in session.given:
        mark = "*" if given.used else " "
        print_text(f"  {mark} {short(given.id)} {given.content or '(erased since)'}")
    for learned in session.learned:
        undo = f"forget {short(learned.id)}" if learned.live else f"restore {short(learned.id)}"
        print_text(f"  + learned: {learned.content} ({'undo' if learned.live else 'archived'}: nightgarden {undo})")
