"""Which commands there are. A command's module is imported when it is called or when help is asked for."""

from __future__ import annotations

import argparse
import importlib

from nightgarden.errors import BadInput

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from enum import StrEnum
    from typing import Any, NoReturn

    Call = Callable[[argparse.Namespace], int]
    Add = Callable[[argparse.ArgumentParser], None]

# By group: command, the module that has it, and its line in the overview, in the order of the overview.
GROUPS: tuple[tuple[str, tuple[tuple[str, str, str], ...]], ...] = (
    (
        "Store and find",
        (
            ("remember", "writing", "store a statement, and show what was done with it"),
            ("recall", "reading", "find memories and passages, with reasons"),
            ("similar", "reading", "find memories that say something like a given one"),
            ("list", "reading", "list memories"),
            ("show", "reading", "show one memory, passage or session in full"),
        ),
    ),
    (
        "Correct and erase",
        (
            ("edit", "writing", "change a memory"),
            ("forget", "writing", "archive a memory; restore brings it back"),
            ("restore", "writing", "bring an archived memory back"),
            ("purge", "writing", "erase memories, passages, sessions or tasks for good"),
            ("flagged", "review", "decide between memories that may contradict each other"),
            ("feedback", "writing", "tell nightgarden whether a memory helped"),
            ("history", "journal", "show the changes of one memory, or of all"),
            ("watch", "watching", "show changes as they happen"),
            ("undo", "journal", "take back the last thing done, or what an entry or cycle names"),
        ),
    ),
    (
        "Agents",
        (
            ("init", "connect", "find the agents on this machine and connect them"),
            ("connect", "connect", "connect one agent"),
            ("disconnect", "connect", "disconnect an agent and restore its settings"),
            ("off", "switch", "switch memory off, everywhere or in a project"),
            ("on", "switch", "switch memory on again"),
            ("surfaced", "surfaced", "show what each session was given, and whether it helped"),
            ("briefing", "turns", "show what an agent is told when a session starts"),
            ("turn", "turns", "show what an agent is given along with a prompt"),
            ("sessions", "conversations", "read, list and search conversations with agents"),
            ("episodes", "learning", "show what happened in earlier sessions"),
            ("procedures", "learning", "show and add procedures: how recurring work is done"),
            ("skills", "skills", "turn procedures into skill files that agents load"),
            ("mission", "missions", "start and end a piece of work with memories of its own"),
            ("core", "core", "show and edit what an agent is told at each start"),
            ("capture", "capture", "learn from reviews, errors and files"),
            ("digest", "notebook", "show commits made outside of known sessions"),
            ("gaps", "turns", "list questions that no memory could answer"),
            ("schedule", "schedule", "reminders for later sessions: add, list and close them"),
            ("initiative", "initiative", "speak in chat channels when there is something worth saying"),
            ("ambient", "ambient", "the background agent: show what it does, run it, pause it"),
            ("safety", "safety", "show what a command would do, and whether it may run"),
            ("permissions", "permissions", "decide what nightgarden's agents ask for, and see what they did"),
            ("notifications", "notifications", "see and test the messages you are sent"),
            ("directives", "notifications", "tell the background agent what to do"),
        ),
    ),
    (
        "Organise and maintain",
        (
            ("candidates", "tiers", "list memories that have not proved themselves yet"),
            ("promote", "tiers", "promote a candidate to a full memory"),
            ("pin", "tiers", "keep a memory in every briefing"),
            ("unpin", "tiers", "stop keeping a memory in every briefing"),
            ("notebook", "notebook", "write what is remembered as pages that you can read and edit"),
            ("tag", "graph", "add and remove tags, or list them"),
            ("link", "graph", "link two memories"),
            ("related", "graph", "show related memories"),
            ("tend", "tending", "merge duplicates, check claims, fade, link and cluster memories"),
            ("stats", "figures", "show how much is stored, and what state it is in"),
            ("doctor", "care", "check the database, and repair what can be rebuilt"),
            ("models", "models", "list and download the local models"),
            ("minds", "minds", "choose and test an optional language model"),
            ("usage", "minds", "show what language models were used for, and what it cost"),
        ),
    ),
    (
        "Back up and move",
        (
            ("backup", "care", "copy the database into the backups folder"),
            ("restore-backup", "care", "replace the database with a backup"),
            ("export", "exchange", "write everything as JSON Lines or Markdown"),
            ("import", "exchange", "read an export or another tool's memories"),
            ("migrate-store", "care", "copy everything to another store, verified"),
        ),
    ),
    (
        "Daemon",
        (
            ("open", "daemon", "open the dashboard in the browser, logged in"),
            ("status", "daemon", "show whether the daemon and its background jobs are healthy"),
            ("start", "daemon", "start the daemon in the background if it is not running"),
            ("stop", "daemon", "stop the daemon"),
            ("restart", "daemon", "stop and start the daemon"),
            ("logs", "daemon", "show the daemon's log"),
            ("service", "service", "start the daemon at each login"),
            ("serve", "daemon", "run the daemon in the foreground"),
        ),
    ),
    (
        "Called by other programs",
        (
            ("mcp", "daemon", "serve MCP on standard input and output"),
            ("hook", "hooks", "pass a client's event to the daemon"),
            ("statusline", "hooks", "print the status line of Claude Code"),
            ("completion", "shell", "print the completion script of a shell"),
        ),
    ),
)
COMMANDS = tuple(command for _, commands in GROUPS for command in commands)
START = (
    ("nightgarden init", "connect your agents; shows every change and asks first"),
    ('nightgarden remember "…"', "store something yourself"),
    ('nightgarden recall "…"', "find it again"),
    ("nightgarden models fetch", "search by meaning, not only by words (one download)"),
    ("nightgarden open", "look at it all in the browser"),
)
_MODULES = {name: module for name, module, _ in COMMANDS}


class Parser(argparse.ArgumentParser):
    """Raises instead of printing usage and exiting, so that errors look alike everywhere."""

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message}; see `{self.prog} --help`")


class Overview(Parser):
    """The whole program: its help begins with what to do first and lists the commands by what they are for."""

    def format_help(self) -> str:
        starts = max(len(line) for line, _ in START)
        names = max(len(name) for name, _, _ in COMMANDS)
        lines = [f"{self.description}", "", "Start here:"]
        lines += [f"  {line:<{starts}}  {what}" for line, what in START]
        for title, commands in GROUPS:
            lines += ["", f"{title}:"]
            lines += [f"  {name:<{names}}  {overview}" for name, _, overview in commands]
        return "\n".join([*lines, "", f"{self.epilog}", ""])


def parse(argv: list[str]) -> tuple[Call, argparse.Namespace]:
    """The function to call and its arguments."""
    if argv[:1] == ["help"]:  # as other programs have it
        argv = [*argv[1:], "--help"]
    name = next((word for word in argv if not word.startswith("-")), None)
    if name is not None and name not in _MODULES and argv[0] == name:
        import difflib  # 6 ms, for a word that is no command

        near = difflib.get_close_matches(name, _MODULES, n=1)
        hint = f"; did you mean `{near[0]}`?" if near else "; `nightgarden --help` lists the commands"
        raise BadInput(f"there is no command {name!r}{hint}")
    if argv[:1] in ([], ["--help"], ["-h"]):
        build([]).print_help()
        return (lambda _: 0), argparse.Namespace()
    wanted = [name] if name in _MODULES and argv[0] == name else list(_MODULES)
    arguments, unknown = build(wanted).parse_known_args(argv)
    if unknown:
        of = f"nightgarden {name}" if name in _MODULES else "nightgarden"
        raise BadInput(f"unrecognized arguments: {' '.join(unknown)}; see `{of} --help`")
    if not hasattr(arguments, "call"):
        build([]).print_help()
        return (lambda _: 0), arguments
    call: Call = arguments.call
    return call, arguments


def build(names: list[str]) -> Parser:
    """A parser for these commands."""
    parser = Overview(
        prog="nightgarden",
        description="Long-term memory for coding agents, on your own machine.",
        epilog="`nightgarden COMMAND --help` explains a command; those that print data take --json.\n"
        "`ng` is the same program. Where an id is asked for, its first or last characters\n"
        "are enough, or the number that the last list on this terminal shows.",
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
    parser.add_argument("--garden", metavar="PATH|URL", help="use this database instead of the one in the settings")
    parser.add_argument("--directory", "-C", metavar="DIR", help="run as if started in this directory")
    if json:
        parser.add_argument("--json", action="store_true", help="print JSON in the documented shape")
