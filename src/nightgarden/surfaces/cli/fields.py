"""The options of a command, made from the fields of the request it asks; and the request's arguments from the options.

A field is an option of its name, with dashes; one that takes several values is given once for each, in the singular.
Earlier names work too. Values are passed on as they were written: whoever performs the operation reads them.
"""

from __future__ import annotations

import argparse
import sys

from nightgarden.errors import BadInput
from nightgarden.surfaces.cli.numbered import take_numbers

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from nightgarden.domain.requests.declare import Field, OperationRequest

CHOICES_CHARS_MAX = 30  # what a usage line of 80 columns has room for
_FROM_INPUT = "; without it, or with -, standard input is read"


def add_fields(
    parser: argparse.ArgumentParser,
    request: type[OperationRequest],
    *,
    leave_out: Sequence[str] = (),
    many: str | None = None,
) -> None:
    """Adds what the request takes, but for some fields. `many`: this one is taken several times, one request each."""
    for name, field in request.fields.items():
        if field.ids:
            take_numbers(parser, name, *field.ids)
        if field.inside or name in leave_out:
            continue
        if field.words:
            parser.add_argument(name, nargs="*", help=field.help + _FROM_INPUT)
        elif field.positional:
            _add_word(parser, field, many=name == many or field.kind == "texts")
        else:
            _add_option(parser, field)


def _add_word(parser: argparse.ArgumentParser, field: Field, *, many: bool) -> None:
    nargs = "+" if many and field.required else "*" if many else None if field.required else "?"
    parser.add_argument(
        field.name,
        nargs=nargs,
        help=field.help,
        choices=list(field.choices) or None,
        metavar=field.metavar or (None if field.choices else field.name.upper()),
    )


def _named_choices(field: Field) -> bool:
    """Whether the choices are too many to stand in every usage line, so that the help lists them instead."""
    return len(",".join(field.choices)) > CHOICES_CHARS_MAX


def _add_option(parser: argparse.ArgumentParser, field: Field) -> None:
    names = [_option(name, field) for name in (field.name, *field.aliases)]
    names = list(dict.fromkeys(names)) + ([f"-{field.short}"] if field.short else [])
    given: dict[str, Any] = {"dest": field.name, "help": field.help, "default": None, "required": field.required}
    if field.kind == "boolean":
        plain = field.default is False
        given["action"] = "store_true" if plain else argparse.BooleanOptionalAction
        given["default"] = None
    else:
        given["action"] = "append" if field.kind == "texts" else "store"
        given["choices"] = list(field.choices) or None
        given["help"] += "; repeatable" if field.kind == "texts" else ""
        named = field.metavar or not field.choices or _named_choices(field)
        given["metavar"] = (field.metavar or _singular(field.name, field).upper()) if named else None
        if field.kind != "texts" and field.default and not field.required and "default" not in field.help:
            given["help"] = f"{field.help} (default: {field.default})"
        if _named_choices(field):
            given["help"] += f"; one of {', '.join(field.choices)}"
    parser.add_argument(*names, **given)


def _option(name: str, field: Field) -> str:
    return "--" + _singular(name, field).replace("_", "-")


def _singular(name: str, field: Field) -> str:
    return name.removesuffix("s") if field.kind == "texts" and not name.endswith("ss") else name


def given_by(
    request: type[OperationRequest], arguments: argparse.Namespace, *, leave_out: Sequence[str] = ()
) -> dict[str, Any]:
    """What was given of the request's fields. Raises BadInput when words are missing."""
    given = {}
    for name, field in request.fields.items():
        value = getattr(arguments, name, None)
        if field.inside or name in leave_out:
            continue
        if field.words:
            if not value and not field.required and (sys.stdin is None or sys.stdin.isatty()):
                continue
            value = words_or_input(value or [], f"the {name}")
        if value is not None and value != []:
            given[name] = _past_day(value) if field.end_of_day else value
    return given


def words_or_input(words: Sequence[str], what: str) -> str:
    """The words of the command line, else standard input. Raises BadInput when there is neither."""
    text = " ".join(words)
    if text not in ("", "-"):
        return text
    if sys.stdin is None or sys.stdin.isatty():
        raise BadInput(f"nothing was given: write {what} after the command, or pipe it in")
    return sys.stdin.buffer.read().decode("utf-8", "replace")


def _past_day(text: str) -> str:
    """A day as its end in the caller's own time zone, which the daemon need not share; all else as it is."""
    from datetime import date, datetime, timedelta  # 2 ms, which few commands need

    today = datetime.now().astimezone().replace(hour=23, minute=59, second=59, microsecond=999_999)
    if text in ("today", "yesterday"):
        return (today - timedelta(days=text == "yesterday")).isoformat()
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return text
    return datetime(day.year, day.month, day.day, 23, 59, 59, 999_999).astimezone().isoformat()
