"""Values of settings: read from text or TOML as the type that a setting has. Pure."""

from __future__ import annotations

import types
from collections.abc import Mapping
from typing import Any, Literal, Union, get_args, get_origin


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
