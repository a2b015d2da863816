"""Commands that change memories: remember, edit, forget, restore, purge, feedback."""

from __future__ import annotations

import argparse
import sys

from nightgarden.domain.requests.people import PersonTraces, PurgePerson
from nightgarden.domain.requests.reading import Get, Show
from nightgarden.domain.requests.writing import (
    Feedback,
    Forget,
    Purge,
    Remember,
    Restore,
    Update,
)
from nightgarden.errors import BadInput, NotAllowed, NotFound
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.numbered import take_numbers
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
    newer = {each: _live_successor(ask, each) for each in given_by(Restore, arguments)["id"]}
    code = _print_memories(_ask_each(ask, Restore, arguments), arguments, "restored")
    for successor in (each for each in newer.values() if each is not None and not arguments.json):
        print(f"  beside {short(successor['id'])}: {successor['content']}")
        if confirm("Is only the restored one true? Then the other is archived.", yes=False):
            ask(Forget, {"id": successor["id"]})
            print(f"{paint('forgotten', 'yellow')} {short(successor['id'])}")
        elif not sys.stdin.isatty():
            print(f"  both count now; if only the restored one is true: nightgarden forget {short(successor['id'])}")
    return code


def _live_successor(ask: Asker, memory_id: str) -> Answer | None:
    """The memory that took its place, as long as that one counts."""
    by = ask(Get, {"id": memory_id}).get("superseded_by")
    found = ask(Get, {"id": by}) if by else None
    return found if found is not None and found["status"] != "archived" and not found["superseded_by"] else None


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
    parser.add_argument("id", nargs="*", metavar="ID", help="id of a memory, passage, session or task")
    take_numbers(parser, "id", *Purge.fields["id"].ids)
    parser.add_argument("--person", metavar="NAME", help="everything that somebody said in channels or that names them")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_purge))


def _purge(ask: Asker, arguments: argparse.Namespace) -> int:
    if bool(arguments.id) == (arguments.person is not None):
        raise BadInput("say what to purge: ids, or --person NAME")
    if arguments.person is not None:
        return _purge_person(ask, arguments)
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


def _purge_person(ask: Asker, arguments: argparse.Namespace) -> int:
    given = {"person": arguments.person}
    if not arguments.yes:
        traces = ask(PersonTraces, given)
        if not sys.stdin.isatty():
            raise BadInput(f"nothing was purged ({traces['sentence']}): confirm with --yes")
        print(f"{', '.join(traces['names'])}: {traces['sentence']}", file=sys.stderr)
        if not confirm("Erase all of it for good, from backups too? This cannot be undone.", yes=False):
            raise NotAllowed("nothing was purged")
    answer = ask(PurgePerson, given)
    if arguments.json:
        print_json({"purged": answer["purged"]})
    else:
        print(f"{paint('purged', 'red')} {answer['sentence']}")
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
