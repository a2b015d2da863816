"""Numbers of the last list: on a terminal rows have one, and a command takes it in the place of an id.

What a number stands for is kept in the data folder, for each terminal by itself: kinds and ids, no texts. A number has
at most three digits and a part of an id at least four characters, so neither is taken for the other. A list is good for
an hour, in its terminal and for its database; a command that is given a number says first what it stands for.
"""

from __future__ import annotations

import json
import os
import sys
import time

from nightgarden.errors import BadInput
from nightgarden.machine.home import data_folder
from nightgarden.surfaces.cli.screen import count, paint, print_table, short

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from typing import Any

ID_KINDS = "id_kinds"  # the default of a parser that says which of its arguments take ids, and of what
ROWS_MAX = 999
GOOD_FOR_SECONDS = 3600
_SWEPT_AFTER_SECONDS = 86_400
_FOLDER = "lists"


def take_numbers(parser: argparse.ArgumentParser, name: str, *kinds: str) -> None:
    """Says that an argument takes ids of these kinds."""
    parser.set_defaults(**{ID_KINDS: {**(parser.get_default(ID_KINDS) or {}), name: kinds}})


def keep(arguments: argparse.Namespace, rows: Sequence[tuple[str, str]]) -> bool:
    """Keeps what the numbers of the rows stand for that are about to be printed: kind and id. False: no numbers."""
    if not sys.stdout.isatty():
        return False
    content = json.dumps({"garden": arguments.garden, "rows": rows[:ROWS_MAX]})
    try:
        folder = _folder()
        os.makedirs(folder, mode=0o700, exist_ok=True)  # noqa: PTH103 - pathlib costs 6 ms
        _sweep(folder)
        handle = os.open(_path(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
    except OSError:
        return False  # a folder that may not be written: ids still work
    return True


def print_numbered(
    arguments: argparse.Namespace,
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    ids: Sequence[str],
    kind: str = "memory",
) -> None:
    """A table; on a terminal with numbers that the next command takes."""
    if keep(arguments, [(kind, id) for id in ids]):
        head, rows = ("#", *head), [(str(place), *row) for place, row in enumerate(rows, start=1)]
    print_table(head, rows)


def replace_numbers(arguments: argparse.Namespace, text_of: Callable[[str, str], str] | None = None) -> None:
    """Puts ids in the place of numbers, and says on standard error what they stand for. Raises BadInput."""
    kinds: dict[str, Sequence[str]] = getattr(arguments, ID_KINDS, {})
    for name, wanted in kinds.items():
        given = getattr(arguments, name, None)
        if isinstance(given, str):
            setattr(arguments, name, _id(given, wanted, arguments, text_of))
        elif isinstance(given, list):
            setattr(arguments, name, [_id(each, wanted, arguments, text_of) for each in given])


def _id(
    given: str, wanted: Sequence[str], arguments: argparse.Namespace, text_of: Callable[[str, str], str] | None
) -> str:
    if not (given.isascii() and given.isdigit() and len(given) <= len(str(ROWS_MAX))):
        return given
    rows = _rows(given, arguments.garden)
    if rows is None:
        return given
    if not 0 < int(given) <= len(rows):
        raise BadInput(f"there is no {given} in the last list, which had {count(len(rows), 'row')}")
    kind, id = rows[int(given) - 1]
    if kind not in wanted:
        raise BadInput(f"{given} in the last list is the id of a {kind}; here the id of a {wanted[0]} is needed")
    text = text_of(kind, id) if text_of is not None else ""
    print(paint(f"{given} is {short(id)}{text and ': '}{text}", "dim", stream=sys.stderr), file=sys.stderr, flush=True)
    return id


def _rows(number: str, garden: str | None) -> list[tuple[str, str]] | None:
    """What the last list of this terminal showed; None without one for this database. Raises BadInput if it is old."""
    try:
        with os.fdopen(os.open(_path(), os.O_RDONLY), encoding="utf-8") as file:
            age = time.time() - os.fstat(file.fileno()).st_mtime
            kept: dict[str, Any] = json.load(file)
    except (OSError, ValueError):
        return None
    if kept["garden"] != garden:
        return None
    if age > GOOD_FOR_SECONDS:
        raise BadInput(f"{number} is a number of the last list, which is too old to go by: list again, or give an id")
    return [(kind, id) for kind, id in kept["rows"]]


def _folder() -> str:
    return os.path.join(data_folder(os.environ), _FOLDER)  # noqa: PTH118 - pathlib costs 6 ms


def _path() -> str:
    session = os.getppid() if os.name == "nt" else os.getsid(0)  # a terminal is a session of its own
    return os.path.join(_folder(), f"{session}.json")  # noqa: PTH118 - pathlib costs 6 ms


def _sweep(folder: str) -> None:
    """Removes the lists of terminals that are gone."""
    for entry in os.scandir(folder):
        if time.time() - entry.stat().st_mtime > _SWEPT_AFTER_SECONDS:
            os.unlink(entry.path)  # noqa: PTH108 - pathlib costs 6 ms
