"""Commands that connect clients: init, connect, disconnect, and the clients' part of doctor."""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from nightgarden.errors import BadInput, DaemonAway, DaemonSlow, NotAllowed, Unreachable
from nightgarden.garden import Garden
from nightgarden.settings import data_folder
from nightgarden.surfaces import client as daemon
from nightgarden.surfaces.cli.commands.daemon import start
from nightgarden.surfaces.cli.commands.minds import offer_mind
from nightgarden.surfaces.cli.commands.models import offer_models, tell_of_languages, tell_of_missing_model
from nightgarden.surfaces.cli.screen import ask, paint, print_json
from nightgarden.surfaces.connect.clients import CLIENTS, OTHER, Client, ConfigSpot, detect, spot_of
from nightgarden.surfaces.connect.examine import examine, find_outdated, renew, shape
from nightgarden.surfaces.connect.neighbours import neighbours
from nightgarden.surfaces.connect.plugin import CARRIERS
from nightgarden.surfaces.connect.receipt import FileChange, Receipts
from nightgarden.surfaces.daemon.folder import DaemonFolder
from nightgarden.surfaces.daemon.holder import stop_holder

PING_MS = 500.0
WHAT_RUNS = (
    "Connected agents talk to a daemon that runs in the background (about 300 MB of memory with its models\n"
    "loaded) and looks after the memories when you are idle. It is started when an agent needs it."
)


def add_init(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Finds the installed agents, shows what would change, asks, and then changes it."
    _add_how(parser)
    parser.set_defaults(call=_init)


def add_connect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client", choices=list(CLIENTS), metavar="CLIENT", help=", ".join(CLIENTS))
    parser.add_argument(
        "--hooks",
        choices=CARRIERS,
        default="pipe",
        help="how Claude Code's prompts and tool calls reach us: through the session's MCP server (quickest, the "
        "default), over loopback HTTP, or by a process for each",
    )
    _add_how(parser)
    parser.set_defaults(call=_connect)


def add_disconnect(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client", choices=list(CLIENTS), metavar="CLIENT", help=", ".join(CLIENTS))
    _add_how(parser)
    parser.set_defaults(call=_disconnect)


def _add_how(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--project", nargs="?", type=Path, const=Path(), metavar="DIR", help="only in this project")
    parser.add_argument("--dry-run", action="store_true", help="show what would change, and change nothing")
    parser.add_argument("--yes", "-y", action="store_true", help="do not ask")


def _where(arguments: argparse.Namespace) -> tuple[ConfigSpot, Receipts]:
    data = data_folder(os.environ).absolute()
    project = arguments.project.resolve() if arguments.project is not None else None
    if project is None and getattr(arguments, "client", None) == OTHER:
        project = Path.cwd()  # AGENTS.md is a project's
    return spot_of(project, data, carrier=getattr(arguments, "hooks", "pipe")), Receipts(data)


def _init(arguments: argparse.Namespace) -> int:
    spot, receipts = _where(arguments)
    found = detect(spot, shutil.which)
    if not found:
        tell_of_missing_model()
        asyncio.run(tell_of_languages())
        print(
            f"No agent was found. `nightgarden connect {OTHER}` connects any agent that supports MCP in this project."
        )
        return 0
    print(f"Found {', '.join(client.title for client in found)}. Memories are kept in {spot.data}.")
    print(WHAT_RUNS + "\n")
    done = [_connect_one(each, spot, receipts, dry_run=arguments.dry_run, yes=arguments.yes) for each in found]
    if any(done) and not arguments.dry_run and sys.stdin.isatty():
        offer_models()
        offer_mind()
    else:
        tell_of_missing_model()
    asyncio.run(tell_of_languages())
    return 0


def _connect(arguments: argparse.Namespace) -> int:
    spot, receipts = _where(arguments)
    done = _connect_one(CLIENTS[arguments.client], spot, receipts, dry_run=arguments.dry_run, yes=arguments.yes)
    return 0 if done else 1


def _connect_one(client: Client, spot: ConfigSpot, receipts: Receipts, *, dry_run: bool, yes: bool) -> bool:
    changes = receipts.plan(client.steps(spot), spot.project)
    if dry_run:
        _print_diff(changes)
        return True
    if not changes:
        print(f"{client.title}: {paint('connected already', 'green')}, nothing to change")
        return True
    _explain(client, spot, changes)
    if not ask(f"Connect {client.title}?", yes=yes):
        print(f"{client.title}: left alone" + ("" if yes else "; --yes does it without asking"))
        return False
    receipts.connect(client.name, spot.project, changes, carrier=spot.carrier)
    if client.reads is not None:
        asyncio.run(_allow(client.reads))
    print(f"{client.title}: {paint('connected', 'green')}; `nightgarden doctor clients` checks that it works")
    _start_daemon(spot)
    for note in client.notes(spot):
        print(f"  {note}")
    return True


def _start_daemon(spot: ConfigSpot) -> None:
    """Starts one where that is allowed, and waits until it answers, so that `status` agrees with what is said here."""
    if not daemon.on_demand(str(spot.data)):
        return
    try:
        if start()["started"]:
            print("  The daemon was started; `nightgarden status` shows it, `nightgarden stop` stops it.")
    except Unreachable as error:
        print(f"  {error}")


def _explain(client: Client, spot: ConfigSpot, changes: Sequence[FileChange]) -> None:
    print(paint(client.title, "bold"))
    for what in dict.fromkeys(change.what for change in changes):
        paths = [change.path for change in changes if change.what == what]
        more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
        print(f"  {paths[0]}{more}: {what}")
    if client.reads is not None:
        print(
            f"  Your sessions with {client.title}, earlier ones too, will be read on this machine for things worth "
            "remembering; nothing is sent anywhere."
        )
    for name in neighbours(client.name, spot):
        print(paint(f"  {name} also keeps memories here. It stays on; two memories may say the same twice.", "yellow"))


async def _allow(name: str) -> None:
    async with Garden.open() as garden:
        await garden.sessions.allow(name)


async def _forbid(name: str) -> None:
    async with Garden.open() as garden:
        await garden.sessions.forbid(name)


def _disconnect(arguments: argparse.Namespace) -> int:
    spot, receipts = _where(arguments)
    client = CLIENTS[arguments.client]
    changes = receipts.plan_back(client.name, spot.project, client.steps(spot))
    changes += receipts.plan_leavings(client.name, client.leavings(spot))
    if arguments.dry_run:
        _print_diff(changes)
        return 0
    for change in changes:
        print(f"  {change.path}: {'removed' if change.after is None else 'put back'}")
    if not ask(f"Disconnect {client.title}?", yes=arguments.yes):
        if sys.stdin.isatty():
            raise NotAllowed("nothing was changed")
        raise BadInput("nothing was changed: confirm with --yes")
    receipts.disconnect(client.name, spot.project, changes)
    if client.reads is not None and not any(each["client"] == client.name for each in receipts.all()):
        asyncio.run(_forbid(client.reads))
    print(f"{client.title}: {paint('disconnected', 'green')}; what was remembered stays")
    if not receipts.all():
        _offer_to_stop()
    return 0


def _offer_to_stop() -> None:
    """The daemon serves nobody any more."""
    where = DaemonFolder(data_folder(os.environ).absolute())
    try:
        daemon.ask("ping", home=str(where.home), timeout_ms=PING_MS)
    except DaemonAway:
        return
    except DaemonSlow:
        pass  # it is there, and busy
    if sys.stdin.isatty() and ask("No agent is connected any more. Stop the daemon?", yes=False):
        stop_holder(where)
        print("The daemon was stopped.")
    else:
        print("No agent is connected any more, but the daemon still runs; `nightgarden stop` stops it.")


def _print_diff(changes: Sequence[FileChange]) -> None:
    for change in changes:
        print(change.diff, end="")
    if not changes:
        print("nothing would change")
    for change in changes:
        how = "created" if change.before is None else "removed" if change.after is None else "changed"
        print(f"{change.path} would be {how}: {change.what}")


def tell_of_outdated(*, repair: bool) -> None:
    """For `nightgarden doctor`: clients that still start an earlier version, on standard error."""
    data = data_folder(os.environ).absolute()
    receipts = Receipts(data)
    outdated = find_outdated(data, receipts)
    if repair:
        renew(outdated, receipts)
    for each in outdated:
        words = f"{each.changes[0].path}: our part was written anew" if repair else each.sentence
        print(f"nightgarden: {each.client}: {words}", file=sys.stderr)


def examine_clients(*, as_json: bool, repair: bool = False) -> int:
    """`nightgarden doctor clients`."""
    data = data_folder(os.environ).absolute()
    if repair:
        tell_of_outdated(repair=True)
    findings = examine(spot_of(None, data), Receipts(data), asyncio.run(_allowed()))
    if as_json:
        print_json(shape(findings))
    else:
        for finding in findings:
            mark = paint("ok", "green") if finding.ok else paint("broken", "red")
            print(f"{mark}  {finding.client}: {finding.sentence}")
        if not findings:
            print("no client is connected; `nightgarden init` connects those that are on this machine")
    return 0 if all(finding.ok for finding in findings) else 1


async def _allowed() -> list[str]:
    async with Garden.open() as garden:
        return await garden.sessions.allowed()
