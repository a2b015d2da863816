"""The command on conversations: sessions allow, forbid, scan, list, show, extract, search."""

from __future__ import annotations

import argparse
from pathlib import Path

from nightgarden.domain.record import to_record
from nightgarden.domain.session import SessionStatus
from nightgarden.garden import Garden
from nightgarden.sessions.harvest import Harvest
from nightgarden.surfaces.cli.commands.reading import add_recall, positive
from nightgarden.surfaces.cli.ids import add_id, short
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, cut, paint, print_json, print_table, when, width
from nightgarden.surfaces.cli.shapes import session_shape, verdict_shape
from nightgarden.surfaces.cli.verdicts import describe


def add_sessions(parser: argparse.ArgumentParser) -> None:
    actions = (
        ("allow", "allow reading a client's sessions (claude-code, codex, opencode)", _add_allow),
        ("forbid", "take that consent back", _add_forbid),
        ("scan", "read what is new in the sessions of allowed clients", _add_scan),
        ("list", "list sessions, newest first", _add_list),
        ("show", "show a session with its messages", _add_show),
        ("extract", "read sessions for memories", _add_extract),
        ("search", "search in what was said", _add_search),
    )
    add_actions(parser, actions)


def _add_allow(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client", nargs="?", help="without it, shows which are allowed")
    add_common(parser)
    parser.set_defaults(call=on_garden(_allow))


async def _allow(garden: Garden, arguments: argparse.Namespace) -> int:
    if arguments.client:
        await garden.sessions.allow(arguments.client)
    return await _print_allowed(garden, arguments)


def _add_forbid(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client")
    add_common(parser)
    parser.set_defaults(call=on_garden(_forbid))


async def _forbid(garden: Garden, arguments: argparse.Namespace) -> int:
    await garden.sessions.forbid(arguments.client)
    return await _print_allowed(garden, arguments)


async def _print_allowed(garden: Garden, arguments: argparse.Namespace) -> int:
    allowed = await garden.sessions.allowed()
    if arguments.json:
        print_json({"allowed": allowed})
    else:
        print(f"allowed: {', '.join(allowed)}")
    return 0


def _add_scan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client", nargs="*", help="all that are allowed when left out")
    parser.add_argument("--home", type=Path, metavar="DIR", help="look for the clients' folders there")
    add_common(parser)
    parser.set_defaults(call=on_garden(_scan, local=True))


async def _scan(garden: Garden, arguments: argparse.Namespace) -> int:
    report = await garden.sessions.scan(arguments.client or None, home=arguments.home)
    if arguments.json:
        print_json({"clients": [to_record(client) for client in report.clients]})
    else:
        for client in report.clients:
            new = f"{client.added} new, {client.extended} extended, {client.unchanged} unchanged"
            print(
                f"{client.client}: {count(client.found, 'session')} ({new}), {count(client.messages, 'message')} read"
            )
            if client.damaged_lines:
                print(paint(f"  {count(client.damaged_lines, 'line')} could not be read and were skipped", "yellow"))
        for failure in report.failures:
            print(paint(f"  {failure.path or failure.client}: {failure.reason}", "red"))
    return 1 if report.failures else 0


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--client", help="only of this client")
    parser.add_argument("--status", choices=list(SessionStatus))
    parser.add_argument("--limit", "-n", type=positive, default=50)
    add_common(parser)
    parser.set_defaults(call=on_garden(_list, reads=True))


async def _list(garden: Garden, arguments: argparse.Namespace) -> int:
    found = await garden.sessions.list(client=arguments.client, status=arguments.status, limit=arguments.limit)
    if arguments.json:
        print_json({"sessions": [session_shape(session) for session in found]})
        return 0
    rows = [(short(s.id), s.client, s.status.value, s.extraction.value, when(s.started_at), s.title) for s in found]
    print_table(("id", "client", "status", "read", "started", "title"), rows)
    return 0


def _add_show(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "session", help="of a session")
    add_common(parser)
    parser.set_defaults(call=on_garden(_show, reads=True))


async def _show(garden: Garden, arguments: argparse.Namespace) -> int:
    session = await garden.sessions.get(arguments.id)
    if arguments.json:
        print_json(session_shape(session, messages=True))
        return 0
    print(f"{paint(session.id, 'cyan')}  {session.client}  {session.status}  {session.title}")
    for message in session.messages:
        print(f"{paint(message.role, 'bold')} {paint(when(message.at), 'dim')}  {message.text}")
    return 0


def _add_extract(parser: argparse.ArgumentParser) -> None:
    add_id(parser, "id", "session", nargs="*", help="all finished sessions not read yet when left out")
    parser.add_argument("--again", action="store_true", help="read from the start, not only what is new")
    add_common(parser)
    parser.set_defaults(call=on_garden(_extract))


async def _extract(garden: Garden, arguments: argparse.Namespace) -> int:
    ids = arguments.id or [session.id for session in await garden.sessions.pending()]
    harvests = [await garden.sessions.extract(each, again=arguments.again) for each in ids]
    if arguments.json:
        print_json({"sessions": [_harvest_shape(harvest) for harvest in harvests]})
        return 0
    for harvest in harvests:
        print(f"{paint(short(harvest.session_id), 'cyan')}: {count(harvest.messages, 'message')} read")
        for draft, verdict in harvest.verdicts:
            print(
                f"  {cut(draft.content, width() - 2)}\n    " + (await describe(garden, verdict)).replace("\n", "\n    ")
            )
    print(paint(f"{count(len(harvests), 'session')} read", "dim"))
    if not arguments.id and not harvests:
        print("No finished session waits to be read. A session counts as finished after 15 minutes without a message.")
    return 0


def _harvest_shape(harvest: Harvest) -> dict[str, object]:
    return {
        "session_id": harvest.session_id,
        "messages": harvest.messages,
        "verdicts": [verdict_shape(verdict) | {"content": draft.content} for draft, verdict in harvest.verdicts],
    }


def _add_search(parser: argparse.ArgumentParser) -> None:
    add_recall(parser)
    parser.set_defaults(kind="passage")
