"""The command that settles contradictions: flagged."""

from __future__ import annotations

import argparse
import sys

from nightgarden.domain.requests.reading import FlaggedRequest
from nightgarden.domain.requests.writing import DECISIONS, SettleFlag
from nightgarden.errors import BadInput
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.numbered import keep, take_numbers
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_text, short, when

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from nightgarden.surfaces.cli.asking import Answer


def add_flagged(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="?", metavar="ID", help="decide about this memory instead of listing all")
    decision = parser.add_mutually_exclusive_group()
    decision.add_argument("--keep", action="store_true", help="it is right: what it contradicts is replaced by it")
    decision.add_argument("--drop", action="store_true", help="it is wrong: archive it")
    decision.add_argument("--both", action="store_true", help="both are right: unflag it")
    take_numbers(parser, "id", "memory")
    add_fields(parser, FlaggedRequest)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_flagged))


def _flagged(ask: Asker, arguments: argparse.Namespace) -> int:
    choice = next((name for name in DECISIONS if getattr(arguments, name)), None)
    if arguments.id is not None:
        return _decide(ask, arguments, choice)
    if choice is not None:
        raise BadInput(f"--{choice} needs the id of a flagged memory")
    answer = ask(FlaggedRequest, given_by(FlaggedRequest, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    asking = interactive = sys.stdout.isatty() and sys.stdin.isatty()
    numbered = keep(arguments, [("memory", pair["memory"]["id"]) for pair in answer["flagged"]])
    for place, pair in enumerate(answer["flagged"], start=1):
        _print_pair(f"{place:2}. " if numbered else "", pair["memory"], pair["against"])
        asking = asking and _ask_user(ask, pair["memory"], pair["against"])
    print(paint(f"{count(len(answer['flagged']), 'memory')} to decide on", "dim"))
    if answer["flagged"] and not interactive:
        print(paint("decide with: nightgarden flagged ID --keep (it is right), --drop (it is wrong) or --both", "dim"))
    return 0


def _decide(ask: Asker, arguments: argparse.Namespace, choice: str | None) -> int:
    if choice is None:
        raise BadInput("say what to do with it: --keep, --drop or --both")
    memory = ask(SettleFlag, {"id": arguments.id, "decision": choice})
    if arguments.json:
        print_json({"decision": choice, "memory": memory})
    else:
        print(f"{paint(choice, 'green')}: {memory['content']}")
    return 0


def _print_pair(number: str, memory: Answer, against: list[Answer]) -> None:
    print(f"{number}{paint(short(memory['id']), 'cyan')}  {when(memory['created_at'])}  {memory['content']}")
    if not against:
        print_text(memory["flagged"], "yellow", indent=4)
    for other in against:
        print(paint("    may contradict:", "yellow"))
        print(f"    {paint(short(other['id']), 'cyan')}  {when(other['created_at'])}  {other['content']}")


def _ask_user(ask: Asker, memory: Answer, against: list[Answer]) -> bool:
    """Whether to go on asking."""
    both = "[b]oth are right" if against else "[b] it is right after all"
    print(f"    [k]eep it, [d]rop it, {both}, [s]kip, [q]uit? ", end="", flush=True)
    answer = sys.stdin.readline().strip().lower()[:1]
    if choice := {"k": "keep", "d": "drop", "b": "both"}.get(answer):
        ask(SettleFlag, {"id": memory["id"], "decision": choice})
        print(f"    {paint(choice, 'green')}")
    return answer != "q"
