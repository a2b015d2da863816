"""Runs a command in the daemon when one is up: its models and indexes are warm. Else the caller runs it itself.

Imports what a hook may import and nothing more: with a daemon, a command is as fast as Python starts.
"""

from __future__ import annotations

import os
import shutil
import sys

from nightgarden.errors import DaemonAway, DaemonSlow, NightgardenError, RunLocally
from nightgarden.home import data_folder, working_directory
from nightgarden.surfaces import client
from nightgarden.surfaces.cli.failures import report

DIRECT = "NIGHTGARDEN_DIRECT"  # set to 1, commands open the garden themselves
LOOK_MS = 500.0  # one that is busy for longer is not waited for
LAST_MS = 3_600_000.0
READING = ("recall", "list", "show", "related", "history", "stats", "briefing")
WRITING = (
    *("remember", "edit", "forget", "restore", "purge", "feedback", "flagged", "tag", "link", "undo"),
    *("sessions", "turn", "gaps", "schedule"),
)


def run_in_daemon(argv: list[str]) -> int | None:
    """The exit code, or None when the command should run here."""
    if not argv or argv[0] not in READING + WRITING or os.environ.get(DIRECT) == "1":
        return None
    if not (here := working_directory()):
        return None  # what needs no directory works here, and the rest says what is wrong
    printed = False

    def show(stream: str, text: str) -> None:
        nonlocal printed
        printed = True
        (sys.stdout if stream == "stdout" else sys.stderr).write(text)

    try:
        with client.Connection(data_folder(os.environ), timeout_ms=LOOK_MS) as connection:
            connection.ask("ping", timeout_ms=LOOK_MS)
            try:
                answer = connection.ask("cli", _call(argv), directory=here, timeout_ms=LAST_MS, on_text=show)
            except DaemonAway as error:
                if argv[0] in READING and not printed:
                    return None
                words = "the daemon ended while it did this; look whether it was done before you try again"
                raise NightgardenError(words) from error
        sys.stdout.flush()
        return int(answer["code"])
    except DaemonSlow:
        client.start_in_background(data_folder(os.environ))  # replaces it if it hangs: it may hold the database's lock
        return None
    except (DaemonAway, RunLocally):
        return None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader has seen enough
        return 0
    except KeyboardInterrupt:
        print("nightgarden: interrupted", file=sys.stderr)
        return 130
    except NightgardenError as error:
        return report(error, as_json="--json" in argv)


def _call(argv: list[str]) -> dict[str, object]:
    return {
        "argv": argv,
        "stdout_tty": sys.stdout.isatty(),
        "stderr_tty": sys.stderr.isatty(),
        "colours": not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb",
        "columns": shutil.get_terminal_size((100, 24)).columns,
        "tz": os.environ.get("TZ"),
    }
