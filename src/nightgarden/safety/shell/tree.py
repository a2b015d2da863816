"""What shell text is made of. Values only; `parse` makes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

INDIRECT = "!"  # stands for a variable whose name is in another one: `${!name}`


@dataclass(frozen=True, slots=True)
class Literal:
    """Letters that stand for themselves; `quoted` ones are not split and not expanded."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Variable:
    """`$name`, with what is taken instead: `${name:-fallback}` ("-") or `${name:+fallback}` ("+")."""

    name: str
    quoted: bool = False
    operator: str = ""
    fallback: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Substitution:
    """`$(…)` or backticks: what a script prints. As a `file`, `<(…)`: the name of a file with it."""

    body: Script
    quoted: bool = False
    file: bool = False


@dataclass(frozen=True, slots=True)
class Opaque:
    """Something whose value is not worked out, such as arithmetic. What is inside may still run commands."""

    inner: tuple[Part, ...] = ()


Part = Literal | Variable | Substitution | Opaque
Word = tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Redirect:
    """`operator` is <, >, >>, <>, <<< or << (then the target is the text itself)."""

    operator: str
    target: Sequence[Part]


@dataclass(frozen=True, slots=True, kw_only=True)
class Assignment:
    """`name=value`, `name+=value` or `name=(several values)`."""

    name: str
    values: tuple[Word, ...]
    array: bool = False
    append: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Simple:
    """Assignments, words and redirections; any of them may be missing."""

    assignments: tuple[Assignment, ...] = ()
    words: tuple[Word, ...] = ()
    redirects: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandGroup:
    """`{ … }`, `( … )` or the arms of a `case`. What a subshell changes is gone after it."""

    body: Script
    redirects: tuple[Redirect, ...] = ()
    subshell: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """`for name in words`; its body follows as ordinary commands."""

    name: str
    words: tuple[Word, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """`name() { … }`."""

    name: str
    body: Script


Node = Simple | CommandGroup | Loop | Function
Pipeline = tuple[Node, ...]
Script = tuple[Pipeline, ...]
