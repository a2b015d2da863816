"""The command that reads transcripts of clients: sessions scan. It needs its caller's own files."""

from __future__ import annotations

import argparse
from pathlib import Path

from nightgarden.domain.client_events import CLIENTS
from nightgarden.domain.record import to_record
from nightgarden.garden import Garden
from nightgarden.surfaces.cli.open import on_garden
from nightgarden.surfaces.cli.parser import add_common
from nightgarden.surfaces.cli.screen import count, paint, print_json


def add_scan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("client", nargs="*", help="which clients (default: all that are allowed)")
    parser.add_argument("--home", type=Path, metavar="DIR", help="look for the clients' folders there")
    add_common(parser)
    parser.set_defaults(call=on_garden(_scan))


async def _scan(garden: Garden, arguments: argparse.Namespace) -> int:
    report = await garden.sessions.scan(arguments.client or None, home=arguments.home)
    if arguments.json:
        print_json({"clients": [to_record(client) for client in report.clients]})
    else:
        shown = [client for client in report.clients if client.found or client.client in CLIENTS]
        if not shown and not report.failures:
            print("nothing was read: no client is allowed; `nightgarden sessions allow claude-code` allows one")
        for client in shown:
            new = f"{client.added} new, {client.extended} extended, {client.unchanged} unchanged"
            print(
                f"{client.client}: {count(client.found, 'session')} ({new}), {count(client.messages, 'message')} read"
            )
            if not client.found:
                print(paint("  no transcripts were found where it keeps them", "dim"))
            if client.damaged_lines:
                print(paint(f"  {count(client.damaged_lines, 'line')} could not be read and were skipped", "yellow"))
        for failure in report.failures:
            print(paint(f"  {failure.path or failure.client}: {failure.reason}", "red"))
    return 1 if report.failures else 0
