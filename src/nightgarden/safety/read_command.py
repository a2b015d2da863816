"""A command line, read: which simple commands it would run, and what each of them does.

Never raises, and takes time in proportion to the text: what cannot be understood is unknown, with the reason. Does not
look at the machine: links are not followed, scripts in files and aliases in the user's configuration are not opened.
"""

from __future__ import annotations

from nightgarden.safety.command_reading import UNKNOWN, CommandReading
from nightgarden.safety.shell.expand import TooMuch
from nightgarden.safety.shell.state import ShellState
from nightgarden.safety.shell.walk import Walk
from nightgarden.safety.tools.starters import interpret

CHARS_MAX = 200_000  # far more than a command line; a here-document can be long


def read_command(text: str, *, cwd: str, home: str) -> CommandReading:
    """What a shell would do with the text, started in `cwd` by the user whose home is given."""
    if len(text) > CHARS_MAX:
        return CommandReading(unknown=(f"the command is longer than {CHARS_MAX:,} characters",))
    if UNKNOWN in text:
        return CommandReading(unknown=("the command contains a NUL, which no shell takes",))
    walk = Walk(interpret)
    if "\r" in text.replace("\r\n", "\n"):
        walk.unknown.append("it contains a carriage return, which hides what stands before it")
    try:
        walk.run_text(text, ShellState(cwd=cwd, home=home))
    except (TooMuch, RecursionError) as error:
        walk.unknown.append(str(error) if isinstance(error, TooMuch) else "it is nested too deeply")
    return CommandReading(commands=tuple(walk.found), unknown=tuple(dict.fromkeys(walk.unknown)))
