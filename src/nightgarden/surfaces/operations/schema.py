"""JSON Schema of what operations answer with, and the same in a line for people: made from the types. Pure."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

from nightgarden.domain.memory import Memory, Scope
from nightgarden.domain.schedule import ScheduledTask
from nightgarden.recall.result import MissingPart, Result

Json = dict[str, Any]
_PLAIN: dict[Any, Json] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    Scope: {"type": "string"},
    datetime: {"type": "string", "format": "date-time"},
    type(None): {"type": "null"},
}
# What a record has beside the fields of its value: made where it is shown.
MADE: dict[type, dict[str, Any]] = {
    Memory: {"flagged": str},
    ScheduledTask: {"state": str},
    Result: {"doubt": str, "fits": bool},
    MissingPart: {"sentence": str},
}


def schema_of(hint: Any) -> Json:
    """The schema of a type that an answer is made of."""
    if get_origin(hint) is Annotated:
        kind = get_args(hint)[1]
        return _record(kind)
    if get_origin(hint) is NotRequired:
        return schema_of(get_args(hint)[0])
    if hint in _PLAIN:
        return dict(_PLAIN[hint])
    if get_origin(hint) in (Union, types.UnionType):
        return {"anyOf": [schema_of(each) for each in get_args(hint)]}
    if get_origin(hint) in (list, tuple):
        return {"type": "array", "items": schema_of(get_args(hint)[0])}
    if get_origin(hint) in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(get_args(hint)[1])}
    if get_origin(hint) is Literal:
        return {"type": "string", "enum": list(get_args(hint))}
    if is_typeddict(hint):
        return _typed(hint)
    if isinstance(hint, type) and issubclass(hint, Enum):
        values = [member.value for member in hint]
        return {"type": "integer" if isinstance(values[0], int) else "string", "enum": values}
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    return {}


def _typed(kind: Any) -> Json:
    hints = get_type_hints(kind, include_extras=True)
    required = [name for name, hint in hints.items() if get_origin(hint) is not NotRequired]
    about = {"description": " ".join((kind.__doc__ or "").split())}
    return about | _object({name: schema_of(hint) for name, hint in hints.items()}, required)


def _record(kind: type) -> Json:
    hints = get_type_hints(kind) | MADE.get(kind, {})
    names = [*(field.name for field in fields(kind)), *MADE.get(kind, {})]
    # a list of sessions leaves out their messages, and a result its explanation unless that was asked for
    required = [name for name in names if name not in ("messages", "explanation")]
    return _object({name: schema_of(hints[name]) for name in names}, required)


def _object(properties: Json, required: list[str]) -> Json:
    return {"type": "object", "properties": properties, "required": required}


def in_a_line(hint: Any, records: Mapping[type, str]) -> str:
    """The names in an answer, written out for people; a record that has a name of its own goes by it."""
    if get_origin(hint) is Annotated:
        return in_a_line(get_args(hint)[1], records)
    if get_origin(hint) in (Union, types.UnionType):
        inner = in_a_line(get_args(hint)[0], records)
        return f"{inner} or null" if inner else ""
    if get_origin(hint) in (list, tuple):
        inner = in_a_line(get_args(hint)[0], records)
        return f"[{inner}, …]" if inner else ""
    if is_typeddict(hint):
        hints = get_type_hints(hint, include_extras=True)
        return _named({name: each for name, each in hints.items() if get_origin(each) is not NotRequired}, records)
    if isinstance(hint, type) and is_dataclass(hint) and hint is not Scope:
        hints = get_type_hints(hint) | MADE.get(hint, {})
        shown = [*(field.name for field in fields(hint)), *MADE.get(hint, {})]
        return records.get(hint) or _named({name: hints[name] for name in shown if name != "explanation"}, records)
    return ""


def _named(hints: Mapping[str, Any], records: Mapping[type, str]) -> str:
    lines = {name: in_a_line(hint, records) for name, hint in hints.items()}
    return "{" + ", ".join(f'"{name}"' + (f": {inner}" if inner else "") for name, inner in lines.items()) + "}"
