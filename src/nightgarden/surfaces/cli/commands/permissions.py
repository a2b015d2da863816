"""The command on what agents of nightgarden ask for: permissions list, show, approve, deny, withdraw, log, rules."""

from __future__ import annotations

import argparse
import getpass
from functools import partial
from typing import Any

from nightgarden.domain.time import write_moment
from nightgarden.errors import BadInput, NightgardenError
from nightgarden.garden import Garden
from nightgarden.safety.action_log import action_shape
from nightgarden.safety.gated import action_log
from nightgarden.safety.permissions import Permissions
from nightgarden.safety.requests import PermissionRequest, request_shape
from nightgarden.safety.telling import request_text
from nightgarden.settings import check_values, load_settings
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json, print_table, when
from nightgarden.surfaces.cli.short_ids import add_id, short
from nightgarden.surfaces.user_settings import write_user_settings

_COLOURS = {"allow": "green", "ask": "yellow", "deny": "red"}


def add_permissions(parser: argparse.ArgumentParser) -> None:
    add_actions(
        parser,
        (
            ("list", "list what is waiting for your decision", _add_list),
            ("show", "show one request in full: what it would do, and what the agent says about it", _add_show),
            ("approve", "let exactly this happen, once", partial(_add_decide, True)),
            ("deny", "reject a request, and its kind in this project", partial(_add_decide, False)),
            ("withdraw", "take a request back without deciding it", _add_withdraw),
            ("log", "show every action of agents: what was decided, by which rule, what came of it", _add_log),
            ("rules", "show what is allowed, asked about or rejected here, and change it", _add_rules),
        ),
    )


# -- looking -------------------------------------------------------------------------------------------------------
def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", "-a", action="store_true", help="decided and expired ones too")
    add_common(parser)
    parser.set_defaults(call=on_garden(_list, reads=True))


async def _list(garden: Garden, arguments: argparse.Namespace) -> int:
    permissions = Permissions(garden)
    found = await permissions.list() if arguments.all else await permissions.pending()
    if arguments.json:
        print_json({"requests": [request_shape(request) for request in found]})
        return 0
    rows = [(short(r.id), when(r.created_at), r.status.value, r.urgency.value, r.kind, _one_line(r)) for r in found]
    print_table(("id", "asked", "status", "urgency", "kind", "what"), rows)
    print(paint(count(len(found), "request"), "dim"))
    return 0


def _one_line(request: PermissionRequest) -> str:
    return ("(outside text led to it) " if request.tainted else "") + request.description


def _add_show(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "request", help="of a request")
    add_common(parser)
    parser.set_defaults(call=on_garden(_show, reads=True))


async def _show(garden: Garden, arguments: argparse.Namespace) -> int:
    request = await Permissions(garden).get(arguments.id)
    if arguments.json:
        print_json(request_shape(request))
        return 0
    print(request_text(request))
    if request.answer:
        said = f": {request.answer.reason}" if request.answer.reason else ""
        print(f"{'Approved' if request.approved else 'Denied'} by {request.answer.by} via {request.answer.via}{said}")
    if request.outcome:
        print(f"Outcome: {request.outcome}")
    return 0


def _add_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cycle", metavar="ID", help="only what this cycle did")
    parser.add_argument("--limit", "-n", type=int, default=50, help="how many at most (50)")
    add_common(parser)
    parser.set_defaults(call=on_garden(_log, reads=True))


async def _log(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.limit < 1:
        raise BadInput("--limit must be at least 1")
    found = await action_log(garden, cycle=arguments.cycle, limit=arguments.limit)
    if arguments.json:
        print_json({"actions": [action_shape(entry) for entry in found]})
        return 0
    rows = [
        (when(e.at), paint(e.tier.value, _COLOURS[e.tier.value]), e.status.value, ", ".join(e.rules), e.description)
        for e in found
    ]
    print_table(("when", "decision", "status", "rules", "what"), rows)
    print(paint(count(len(found), "action"), "dim"))
    return 0


# -- deciding ------------------------------------------------------------------------------------------------------
def _add_decide(approve: bool, parser: argparse.ArgumentParser) -> None:
    add_id(parser, "ids", "request", help="of requests", nargs="+", metavar="ID")
    parser.add_argument("--reason", "-r", default="", help="why; it is remembered")
    parser.add_argument("--alike", action="store_true", help="and all that wait of the same kind in that project")
    if not approve:
        parser.add_argument("--once", action="store_true", help="only this one: its kind may be asked again")
    add_common(parser)
    parser.set_defaults(call=on_garden(partial(_decide, approve)))


async def _decide(approve: bool, garden: Garden, arguments: argparse.Namespace) -> int:
    permissions = Permissions(garden)
    ids = dict.fromkeys(arguments.ids)
    if arguments.alike:
        for request_id in list(ids):
            ids |= dict.fromkeys(each.id for each in await permissions.alike(await permissions.get(request_id)))
    decided, problems = [], []
    for request_id in ids:
        try:
            decided.append(
                await permissions.decide(
                    request_id,
                    approve=approve,
                    by=_who(),
                    reason=arguments.reason,
                    once=getattr(arguments, "once", False),
                )
            )
        except NightgardenError as error:
            problems.append(error)
    if arguments.json:
        print_json({"decided": [request_shape(request) for request in decided]})
    else:
        await _print_decided(garden, decided)
    if problems:
        raise problems[0]
    return 0


async def _print_decided(garden: Garden, decided: list[PermissionRequest]) -> None:
    for request in decided:
        word = paint("approved", "green") if request.approved else paint("denied", "red")
        print(f"{word} {short(request.id)}: {request.description}")
    if any(not request.approved for request in decided):
        print("This kind is not proposed again here; `nightgarden permissions rules` takes that back.")
    for offer in await Permissions(garden).offers():
        if any(offer.kind == request.kind for request in decided):
            print(f"You approved this {offer.approvals} times. To stop being asked:")
            print(f"  nightgarden permissions rules --allow '{offer.rule}'")


def _who() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "user"


def _add_withdraw(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "request", help="of a request")
    parser.add_argument("--reason", "-r", default="", help="why")
    add_common(parser)
    parser.set_defaults(call=on_garden(_withdraw))


async def _withdraw(garden: Garden, arguments: argparse.Namespace) -> int:
    request = await Permissions(garden).withdraw(arguments.id, by=_who(), reason=arguments.reason)
    if arguments.json:
        print_json(request_shape(request))
    else:
        print(f"{paint('withdrawn', 'green')}: {request.description}")
    return 0


# -- rules ---------------------------------------------------------------------------------------------------------
def _add_rules(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "A rule is the first words of a command, such as 'make test'. It holds in this project, or in all with "
        "--everywhere. Rules go into your own settings file; a project cannot bring any that allow something."
    )
    # argparse does not break the line of a group whose options exclude each other
    parser.usage = (
        "%(prog)s [-h] [--allow RULE | --ask RULE |\n"
        "    --remote NAME | --remove RULE | --propose-again KIND]\n"
        "    [--everywhere] [--garden PATH|URL] [--directory DIR] [--json]"
    )
    change = parser.add_mutually_exclusive_group()
    change.add_argument("--allow", metavar="RULE", help="do not ask about such commands")
    change.add_argument("--ask", metavar="RULE", help="always ask about such commands")
    change.add_argument("--remote", metavar="NAME", help="pushes to this git remote need no question")
    change.add_argument("--remove", metavar="RULE", help="drop a rule")
    change.add_argument("--propose-again", metavar="KIND", help="a rejected kind may be proposed again")
    parser.add_argument("--everywhere", action="store_true", help="in all projects")
    add_common(parser)
    parser.set_defaults(call=on_garden(_rules))


async def _rules(garden: Garden, arguments: argparse.Namespace) -> int:
    permissions = Permissions(garden)
    if arguments.propose_again is not None and not await permissions.rejected.take_back(arguments.propose_again):
        raise BadInput(f"{arguments.propose_again!r} is not rejected here; `nightgarden permissions rules` lists them")
    if changes := _changes(garden, arguments):
        write_user_settings("safety", changes)
    shape = await _rules_shape(garden, permissions)
    if arguments.json:
        print_json(shape)
        return 0
    for name, title in (
        ("always_allow", "Allowed without asking"),
        ("always_ask", "Always asked about"),
        ("allowed_remotes", "Remotes that need no question"),
        ("lifted_rules", "Denials made a question"),
    ):
        print(f"{title}:")
        print("\n".join(f"  {rule}" for rule in shape[name]) or paint("  none", "dim"))
    print("Rejected here:")
    for each in shape["rejected"]:
        print(f"  {each['kind']}" + (f"  ({each['reason']})" if each["reason"] else ""))
    if not shape["rejected"]:
        print(paint("  none", "dim"))
    for each in shape["offers"]:
        print(f"Approved {each['approvals']} times: nightgarden permissions rules --allow '{each['rule']}'")
    return 0


def _changes(garden: Garden, arguments: argparse.Namespace) -> dict[str, Any]:
    """What of [safety] changes, as the user's file will hold it. Raises BadInput."""
    now = load_settings(project=False).safety
    for key, rule in (("always_allow", arguments.allow), ("always_ask", arguments.ask)):
        if rule is not None:
            words = " ".join(rule.split())
            if not words:
                raise BadInput("a rule needs at least one word, such as 'make test'")
            full = words if arguments.everywhere else f"{garden.place.root}: {words}"
            wanted = list(dict.fromkeys((*getattr(now, key), full)))
            return {key: list(check_values("permissions rules", "safety", {key: wanted})[key])}
    if arguments.remote is not None:
        return {"allowed_remotes": list(dict.fromkeys((*now.allowed_remotes, arguments.remote)))}
    if arguments.remove is not None:
        gone = (arguments.remove, f"{garden.place.root}: {arguments.remove}")
        lists = {key: getattr(now, key) for key in ("always_allow", "always_ask", "allowed_remotes", "lifted_rules")}
        changed = {key: [r for r in rules if r not in gone] for key, rules in lists.items() if set(rules) & set(gone)}
        if not changed:
            raise BadInput(f"there is no rule {arguments.remove!r} in your settings file")
        return changed
    return {}


async def _rules_shape(garden: Garden, permissions: Permissions) -> dict[str, Any]:
    safety = load_settings(garden.place.root).safety
    return {
        "always_allow": list(safety.always_allow),
        "always_ask": list(safety.always_ask),
        "allowed_remotes": list(safety.allowed_remotes),
        "lifted_rules": list(safety.lifted_rules),
        "rejected": [
            {"kind": each.kind, "reason": each.reason, "at": write_moment(each.at), "request_id": each.request_id}
            for each in await permissions.rejected.list()
            if each.scope == garden.place.scope
        ],
        "offers": [
            {"kind": each.kind, "rule": each.rule, "approvals": each.approvals} for each in await permissions.offers()
        ],
    }
