"""What a shell knows while it runs: where it is, its variables, aliases and functions; and what flows through a "
"pipe."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass, field, replace

from nightgarden.safety.command_reading import UNKNOWN
from nightgarden.safety.shell.tree import Script


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """What is printed or given as input: its text where that is known, and whether it comes from the network."""

    text: str | None = None
    fetched: bool = False


NOTHING = Stream()
EMPTY = Stream(text="")


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A variable's text; several for an array, or (`choice`) for one that takes each of them in a loop."""

    texts: tuple[str, ...]
    choice: bool = False
    array: bool = False
    fetched: bool = False
    secrets: frozenset[str] = frozenset()  # variables of the environment that are part of it


@dataclass(slots=True, kw_only=True)
class ShellState:
    """Changes as commands run; a subshell has a copy."""

    cwd: str
    home: str
    variables: dict[str, Value] = field(default_factory=dict)
    parameters: tuple[str, ...] | None = None  # $0, $1 …; None: not known
    aliases: dict[str, str] = field(default_factory=dict)
    functions: dict[str, Script] = field(default_factory=dict)

    def copy(self) -> ShellState:
        return replace(self, variables=dict(self.variables), aliases=dict(self.aliases), functions=dict(self.functions))

    def find(self, name: str) -> Value | None:
        """The value of a variable; None when it is not known here."""
        if name in self.variables:
            return self.variables[name]
        match name:
            case "HOME":
                return Value(texts=(self.home,))
            case "PWD":
                return Value(texts=(self.cwd,))
            case "IFS":
                return Value(texts=(" ",))
        if self.parameters is None or not (name in ("@", "*") or name.isdigit()):
            return None
        if name in ("@", "*"):
            return Value(texts=self.parameters[1:], array=name == "@")
        return Value(texts=self.parameters[int(name) : int(name) + 1])

    def path(self, text: str) -> str:
        """A path as seen from here, absolute and without `..`."""
        return resolved(text, self.cwd, self.home)


def resolved(text: str, cwd: str, home: str) -> str:
    """An absolute path; UNKNOWN when where it begins is not known."""
    if text == "~" or text.startswith("~/"):
        text = home + text[1:]
    elif text.startswith("~"):
        name, slash, rest = text[1:].partition("/")
        text = home + slash + rest if name == posixpath.basename(home) else posixpath.dirname(home) + "/" + text[1:]
    if text.startswith(UNKNOWN):
        return text if text.strip(UNKNOWN) else UNKNOWN
    if text.startswith("//"):
        text = "/" + text.lstrip("/")
    return posixpath.normpath(posixpath.join(cwd, text)) if text else cwd
