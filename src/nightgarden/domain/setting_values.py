"""Values of settings: read from text or TOML as the type that a setting has, and whether one narrows another. Pure."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin

Narrowing = Literal["never", "lower", "higher", "off", "fewer", "more", "here"]
"""What a project's file may do to a setting: nothing, only lower it, only raise it, only switch it off, only take away
from a list, only add to one; `here`: name this very folder, which says nothing about any other place."""


class FromEnv(str):
    """A value given as text, to be read as the setting's type."""


def read_value(value: Any, hint: Any, bounds: Mapping[str, Any]) -> Any:
    """The value as its type; the message of the ValueError completes the sentence "it must be …"."""
    origin = get_origin(hint)
    from_env = isinstance(value, FromEnv)
    if origin is Literal:
        if value not in get_args(hint):
            raise ValueError("one of " + ", ".join(map(str, get_args(hint))))
        return str(value)
    if origin is tuple:
        items = [piece.strip() for piece in value.split(",") if piece.strip()] if from_env else value
        if not isinstance(items, list):
            raise ValueError("a list")
        return tuple(read_value(item, get_args(hint)[0], {}) for item in items)
    if origin in (Union, types.UnionType):
        return read_value(value, get_args(hint)[0], bounds)
    if hint is bool:
        if from_env and value.lower() in ("1", "true", "yes", "on", "0", "false", "no", "off"):
            return value.lower() in ("1", "true", "yes", "on")
        if not isinstance(value, bool):
            raise ValueError("true or false")
        return value
    if hint in (int, float):
        return _number(value, hint, bounds, from_env=from_env)
    if not isinstance(value, str):
        raise ValueError("text")
    return str(value)


def _number(value: Any, hint: type, bounds: Mapping[str, Any], *, from_env: bool) -> int | float:
    least, most = bounds.get("least", float("-inf")), bounds.get("most", float("inf"))
    wanted = f"a {'whole ' if hint is int else ''}number from {least} to {most}"
    try:
        number = hint(value) if from_env or not isinstance(value, (bool, str)) else None
    except (TypeError, ValueError, OverflowError):
        number = None
    if number is None or number != number or not least <= number <= most or (hint is int and float(value) != number):
        raise ValueError(wanted)
    kept: int | float = number
    return kept


def narrows(way: Narrowing, current: Any, wanted: Any) -> bool:
    """Whether going from the current value to the wanted one is what this way allows."""
    match way:
        case "lower":
            return bool(wanted <= current)
        case "higher":
            return bool(wanted >= current)
        case "off":
            return current is True and wanted is False
        case "fewer":
            return set(wanted) <= set(current)
        case "more":
            return set(wanted) >= set(current)
        case "never" | "here":
            return False
