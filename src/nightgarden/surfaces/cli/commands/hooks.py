"""Commands that clients call: hook, statusline. Both are taken before arguments are parsed; here is their help."""

from __future__ import annotations

import argparse

from nightgarden.domain.client_events import CLIENTS, EVENT_NAMES
from nightgarden.surfaces.hooks.process import run


def add_hook(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Reads the event as JSON from its input. Ends with 0 and prints nothing when anything is wrong."
    parser.add_argument("event", choices=EVENT_NAMES, metavar="EVENT", help=", ".join(EVENT_NAMES))
    parser.add_argument("client", nargs="?", default="claude-code", choices=CLIENTS)
    parser.set_defaults(call=lambda arguments: run([arguments.event, arguments.client]))


def add_statusline(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "Reads Claude Code's JSON from its input; a setting there names this command."
    parser.set_defaults(call=lambda _: run(["StatusLine"]))
