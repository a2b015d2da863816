"""What is asked about one program, and what comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nightgarden.safety.command_reading import Command, Effect
from nightgarden.safety.shell.state import Stream, resolved

NO_FILES = ("/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty")  # nothing is kept there


@dataclass(frozen=True, slots=True, kw_only=True)
class Invocation:
    """A program with its arguments, where it runs, and what it is given as input."""

    name: str
    args: tuple[str, ...]
    cwd: str
    home: str
    stdin: Stream

    def path(self, text: str) -> str:
        return resolved(text, self.cwd, self.home)

    def paths(self, *texts: str) -> tuple[str, ...]:
        found = (self.path(text) for text in texts if text and text != "-")
        return tuple(path for path in found if path not in NO_FILES)

    def command(  # noqa: PLR0913 - all that a command can do
        self,
        *,
        words: tuple[str, ...] | None = None,
        options: frozenset[str] = frozenset(),
        reads: tuple[str, ...] = (),
        writes: tuple[str, ...] = (),
        deletes: tuple[str, ...] = (),
        executes: tuple[str, ...] = (),
        sends: tuple[str, ...] = (),
        downloads: bool = False,
        effects: frozenset[Effect] = frozenset(),
        shows: tuple[str, ...] = (),
        unknown: tuple[str, ...] = (),
    ) -> Command:
        return Command(
            words=(self.name, *self.args) if words is None else words,
            options=options,
            reads=reads,
            writes=writes,
            deletes=deletes,
            executes=executes,
            sends=sends,
            downloads=downloads,
            effects=effects,
            shows=shows,
            unknown=unknown,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Described:
    """What the program does itself, and the shell text and commands that it may run in turn."""

    command: Command
    scripts: tuple[str, ...] = ()
    argvs: tuple[tuple[str, ...], ...] = ()


Describe = Callable[[Invocation], Described]
