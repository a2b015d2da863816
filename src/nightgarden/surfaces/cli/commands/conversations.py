"""The command on conversations: sessions allow, forbid, scan, list, show, extract, search."""

from __future__ import annotations

import argparse

from nightgarden.domain.requests.sessions import (
    SessionExtract,
    SessionGet,
    SessionsAllow,
    SessionsList,
    SessionsPending,
    SessionsSearch,
)
from nightgarden.surfaces.cli.asking import Asker, AskingCommand
from nightgarden.surfaces.cli.commands.reading import explained, print_recalled
from nightgarden.surfaces.cli.fields import add_fields, given_by
from nightgarden.surfaces.cli.numbered import print_numbered
from nightgarden.surfaces.cli.parser import add_actions, add_common
from nightgarden.surfaces.cli.screen import count, cut, paint, print_json, short, when, width
from nightgarden.surfaces.cli.verdicts import describe

FILES = "jsonl"  # not a client, but the form of files that are read when they are named


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
    parser.set_defaults(call=AskingCommand(_allow))


def _allow(ask: Asker, arguments: argparse.Namespace) -> int:
    return _print_allowed(ask, {"clients": [arguments.client]} if arguments.client else {}, arguments)


def _add_forbid(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_forbid))


def _forbid(ask: Asker, arguments: argparse.Namespace) -> int:
    return _print_allowed(ask, {"forbid": [arguments.client]}, arguments)


def _print_allowed(ask: Asker, given: dict[str, list[str]], arguments: argparse.Namespace) -> int:
    answer = ask(SessionsAllow, given)
    if arguments.json:
        print_json(answer)
    else:
        clients = [each for each in answer["allowed"] if each != FILES]
        print(f"allowed: {', '.join(clients) or 'no client'}; files that you import are always read")
    return 0


def _add_scan(parser: argparse.ArgumentParser) -> None:
    # 300 ms of the whole program: it reads its caller's own files, so the daemon does not do it
    from nightgarden.surfaces.cli.commands.scanning import add_scan

    add_scan(parser)


def _add_list(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, SessionsList)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_list))


def _list(ask: Asker, arguments: argparse.Namespace) -> int:
    answer = ask(SessionsList, given_by(SessionsList, arguments))
    if arguments.json:
        print_json(answer)
        return 0
    rows = [
        (short(each["id"]), each["client"], each["status"], each["extraction"], when(each["started_at"]), each["title"])
        for each in answer["sessions"]
    ]
    head, ids = ("id", "client", "status", "read", "started", "title"), [each["id"] for each in answer["sessions"]]
    print_numbered(arguments, head, rows, ids, "session")
    print(paint(count(len(rows), "session"), "dim"))
    return 0


def _add_show(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, SessionGet)
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_show))


def _show(ask: Asker, arguments: argparse.Namespace) -> int:
    session = ask(SessionGet, given_by(SessionGet, arguments))
    if arguments.json:
        print_json(session)
        return 0
    print(f"{paint(session['id'], 'cyan')}  {session['client']}  {session['status']}  {session['title']}")
    for message in session["messages"]:
        print(f"{paint(message['role'], 'bold')} {paint(when(message['at']), 'dim')}  {message['text']}")
    return 0


def _add_extract(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", nargs="*", metavar="ID", help="which sessions (default: all finished ones not read yet)")
    add_fields(parser, SessionExtract, leave_out=("id",))
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_extract))


def _extract(ask: Asker, arguments: argparse.Namespace) -> int:
    ids = arguments.id or ask(SessionsPending)["ids"]
    harvests = [ask(SessionExtract, {"id": each, "again": arguments.again}) for each in ids]
    if arguments.json:
        print_json({"sessions": harvests})
        return 0
    for harvest in harvests:
        print(f"{paint(short(harvest['session_id']), 'cyan')}: {count(harvest['messages'], 'message')} read")
        for verdict in harvest["verdicts"]:
            below = describe(verdict).replace("\n", "\n    ")
            print(f"  {cut(verdict['content'], width() - 2)}\n    {below}")
    print(paint(f"{count(len(harvests), 'session')} read", "dim"))
    if not arguments.id and not harvests:
        print("No finished session waits to be read. A session counts as finished after 15 minutes without a message.")
    return 0


def _add_search(parser: argparse.ArgumentParser) -> None:
    add_fields(parser, SessionsSearch)
    parser.add_argument("--all", "-a", action="store_true", help="print weak results too")
    add_common(parser)
    parser.set_defaults(call=AskingCommand(_search))


def _search(ask: Asker, arguments: argparse.Namespace) -> int:
    print_recalled(ask(SessionsSearch, explained(given_by(SessionsSearch, arguments), arguments)), arguments)
    return 0
