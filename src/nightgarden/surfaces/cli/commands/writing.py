"""Commands that change memories: remember, edit, forget, restore, purge, feedback."""

from __future__ import annotations

import argparse
import sys

from nightgarden.domain.requests.reading import Show
from nightgarden.domain.requests.writing import Feedback, Forget, Purge, Remember, Restore, Update
from nightgarden.errors import BadInput, NotAllowed, NotFound
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import ask as confirm
from nightgarden.surfaces.cli.screen import count, paint, print_json, short
from nightgarden.surfaces.cli.verdicts import describe

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from nightgarden.domain.requests.declare import OperationRequest
    from nightgarden.surfaces.cli.asking import Answer


def add_remember(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Remember)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_remember))


def _remember(ask: Asker, arguments: argparse.Namespace) -> int:
    verdict = ask(Remember, given_by(Remember, arguments))
    if arguments.json:
        print_json(verdict)
    else:
        print(describe(verdict))
    return 1 if verdict["verdict"] == "refused" else 0


def add_edit(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Update)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_edit))


def _edit(ask: Asker, arguments: argparse.Namespace) -> int:
    return _print_memory(ask(Update, given_by(Update, arguments)), arguments, "changed")


def _print_memory(memory: Answer, arguments: argparse.Namespace, done: str) -> int:
    if arguments.json:
        print_json(memory)
    else:
        print(f"{paint(done, 'green')} {short(memory['id'])}: {memory['content']}")
    return 0


def add_forget(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Forget, many="id")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_forget))


def _forget(ask: Asker, arguments: argparse.Namespace) -> int:
    return _print_memories(_ask_each(ask, Forget, arguments), arguments, "archived")


def add_restore(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Restore, many="id")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_restore))


def _restore(ask: Asker, arguments: argparse.Namespace) -> int:
    return _print_memories(_ask_each(ask, Restore, arguments), arguments, "restored")


def _ask_each(ask: Asker, request: type[OperationRequest], arguments: argparse.Namespace) -> list[Answer]:
    given = given_by(request, arguments)
    return [ask(request, given | {"id": each}) for each in given["id"]]


def _print_memories(memories: list[Answer], arguments: argparse.Namespace, done: str) -> int:
    if arguments.json:
        print_json({"memories": memories})
    else:
        for memory in memories:
            print(f"{paint(done, 'green')} {short(memory['id'])}: {memory['content']}")
    return 0


def add_purge(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Purge)
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_purge))


def _purge(ask: Asker, arguments: argparse.Namespace) -> int:
    if not arguments.yes:
        _confirm_purge(ask, arguments.id)
    answer = ask(Purge, {"id": arguments.id})
    if arguments.json:
        print_json(answer)
    else:
        for each in answer["purged"]:
            print(f"{paint('purged', 'red')} {short(each)}")
    if missing := answer["missing"]:
        raise NotFound(f"not found, and so not purged: {', '.join(missing)}")
    return 0


def _confirm_purge(ask: Asker, ids: list[str]) -> None:
    """Shows what would be erased and asks. Raises BadInput when nobody can be asked, NotAllowed on a no."""
    if not sys.stdin.isatty():
        raise BadInput("nothing was purged: confirm with --yes")
    for each in ids:
        try:
            record = ask(Show, {"id": each})["record"]
        except NotFound:
            record = {"id": each}
        text = record.get("content") or record.get("text") or record.get("title") or ""
        print(f"  {paint(short(record['id']), 'cyan')}  {text}", file=sys.stderr)
    if not confirm(f"Erase {count(len(ids), 'item')} for good, from backups too? This cannot be undone.", yes=False):
        raise NotAllowed("nothing was purged")


def add_feedback(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, Feedback, leave_out=("helpful",))
    helpful = parser.add_mutually_exclusive_group(required=True)
    helpful.add_argument("--helpful", dest="helpful", action="store_true", help="it helped: surer and stronger")
    helpful.add_argument("--not-helpful", dest="helpful", action="store_false", help="it did not: less sure")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_feedback))


def _feedback(ask: Asker, arguments: argparse.Namespace) -> int:
    memory = ask(Feedback, {"id": arguments.id, "helpful": arguments.helpful})
    return _print_memory(memory, arguments, f"noted (confidence {memory['confidence']:.2f})")
