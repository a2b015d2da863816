"""Which commands there are. A command's module is imported when it is called or when help is asked for."""

from __future__ import annotations

import argparse
import difflib
import importlib
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, NoReturn

from nightgarden.errors import BadInput

Call = Callable[[argparse.Namespace], int]
Add = Callable[[argparse.ArgumentParser], None]

# Command, the module that has it, and its line in the overview. Order is the order of the overview.
COMMANDS: tuple[tuple[str, str, str], ...] = (
    ("init", "connect", "find the clients on this machine and connect them"),
    ("connect", "connect", "connect a client"),
    ("disconnect", "connect", "take a client's connection out again"),
    ("remember", "writing", "store a statement; says what became of it"),
    ("recall", "reading", "find memories and passages, with reasons"),
    ("list", "reading", "list memories"),
    ("show", "reading", "show one memory, passage or session in full"),
    ("edit", "writing", "change a memory"),
    ("forget", "writing", "archive a memory; restore brings it back"),
    ("restore", "writing", "bring an archived memory back"),
    ("purge", "writing", "erase memories, passages, sessions or tasks for good"),
    ("feedback", "writing", "say whether a memory helped"),
    ("flagged", "review", "look at memories that may contradict each other"),
    ("tag", "graph", "add and remove tags, or list them"),
    ("link", "graph", "link two memories"),
    ("related", "graph", "show what a memory hangs together with"),
    ("tend", "tending", "deduplicate, verify, fade, link and cluster what is remembered"),
    ("history", "journal", "show what happened, to one memory or to all"),
    ("undo", "journal", "take back a journal entry or a whole cycle"),
    ("turn", "turns", "show what an agent would be shown at a user's turn"),
    ("briefing", "turns", "tell what an agent should know before it starts"),
    ("gaps", "turns", "list questions that nothing remembered could answer"),
    ("schedule", "schedule", "tasks for later: add, list, and close them"),
    ("sessions", "conversations", "read, list and search conversations"),
    ("export", "exchange", "write the garden as JSON Lines or Markdown"),
    ("import", "exchange", "read an export or another tool's memories"),
    ("backup", "care", "copy the garden into the backups folder"),
    ("restore-backup", "care", "put a backup in the garden's place"),
    ("doctor", "care", "check the garden, and repair what can be rebuilt"),
    ("stats", "care", "how much of everything there is"),
    ("migrate-store", "care", "copy the garden to another store, verified"),
    ("models", "models", "list and fetch the local models"),
    ("serve", "daemon", "run the daemon in the foreground"),
    ("start", "daemon", "start the daemon in the background, or join the one there is"),
    ("stop", "daemon", "stop the daemon"),
    ("restart", "daemon", "stop the daemon and start it anew"),
    ("status", "daemon", "how the daemon does, and each thing it does in the background"),
    ("logs", "daemon", "show the daemon's log"),
    ("service", "service", "run the daemon at each login"),
    ("mcp", "daemon", "serve MCP on standard input and output"),
    ("hook", "hooks", "carry a client's event to the daemon (clients call this)"),
    ("statusline", "hooks", "print the status line of Claude Code (it calls this)"),
    ("completion", "shell", "print the completion script of a shell"),
)
_MODULES = {name: module for name, module, _ in COMMANDS}


class Parser(argparse.ArgumentParser):
    """Raises instead of printing usage and exiting, so that errors look alike everywhere."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}\n{self.format_usage().strip()}")


def parse(argv: list[str]) -> tuple[Call, argparse.Namespace]:
    """The function to call and its arguments."""
    name = next((word for word in argv if not word.startswith("-")), None)
    if name is not None and name not in _MODULES and argv[0] == name:
        near = difflib.get_close_matches(name, _MODULES, n=1)
        hint = f"; did you mean `{near[0]}`?" if near else "; `nightgarden --help` lists the commands"
        raise BadInput(f"there is no command {name!r}{hint}")
    wanted = [name] if name in _MODULES and argv[0] == name else list(_MODULES)
    arguments = build(wanted).parse_args(argv)
    if not hasattr(arguments, "call"):
        build(list(_MODULES)).print_help()
        return (lambda _: 0), arguments
    call: Call = arguments.call
    return call, arguments


def build(names: list[str]) -> Parser:
    """A parser for these commands."""
    parser = Parser(
        prog="nightgarden",
        description="Long-term memory for agents: it surfaces by itself and tends itself while you sleep.",
        epilog="Every command takes --help; those that print data take --json. The garden is found through the "
        "settings (docs/reference/settings.md) or --garden.",
    )
    parser.add_argument("--version", "-V", action="store_true", help="print the version")
    commands = parser.add_subparsers(metavar="COMMAND", parser_class=Parser)
    for name, module, overview in COMMANDS:
        if name in names:
            loaded = importlib.import_module(f"nightgarden.surfaces.cli.commands.{module}")
            _add(commands, name, overview, getattr(loaded, f"add_{name.replace('-', '_')}"))
    return parser


def add_actions(parser: argparse.ArgumentParser, actions: Iterable[tuple[str, str, Add]]) -> None:
    """Actions of one command, of which one must be given: name, overview, and what adds its arguments."""
    commands = parser.add_subparsers(metavar="ACTION", required=True)
    for name, overview, add in actions:
        _add(commands, name, overview, add)


def _add(commands: Any, name: str, overview: str, add: Add) -> None:
    add(commands.add_parser(name, help=overview, description=overview[0].upper() + overview[1:] + "."))


def values(kind: type[StrEnum]) -> list[str]:
    """The choices of an argument, as plain words: an error prints them as they are."""
    return [member.value for member in kind]


def add_common(parser: argparse.ArgumentParser, *, json: bool = True) -> None:
    """Arguments that commands on a garden share."""
    parser.add_argument("--garden", metavar="PATH|URL", help="the garden to use instead of the one in the settings")
    parser.add_argument("--directory", "-C", metavar="DIR", help="act as if called in this directory")
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON in the documented shape")
