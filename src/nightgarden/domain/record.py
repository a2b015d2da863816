"""Domain values as plain JSON records and back, for columns, journal, dumps and exports. Nothing is lost on the way.

Moments are written in UTC at fixed width, scopes as `kind:owner`, enums by value, tuples as lists.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from nightgarden.domain import earlier
from nightgarden.domain.journal import JournalEntry
from nightgarden.domain.memory import Memory, Scope, ScopeKind
from nightgarden.domain.time import read_moment, write_moment

T = TypeVar("T")
Convert = Callable[[Any], Any]
_EARLIER: dict[type, Convert] = {Memory: earlier.memory_record, JournalEntry: earlier.entry_record}


@lru_cache(maxsize=1024)
def read_scope(text: str) -> Scope:
    """Reads what `str(scope)` wrote."""
    kind, _, owner = text.partition(":")
    return Scope(ScopeKind(kind), owner)


def _same(value: Any) -> Any:
    return value


def _tuple(value: Any) -> tuple[Any, ...]:
    if isinstance(value, str):
        raise TypeError("a list expected, not text")
    return tuple(value)


def _text(value: Any) -> str:
    if type(value) is not str:
        raise TypeError(f"text expected, not {type(value).__name__}")
    return value


def _converters(hint: Any) -> tuple[Convert, Convert]:  # noqa: C901 - one case per kind of type
    """How a value of this type is written, and how it is read."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        inner = [option for option in get_args(hint) if option is not type(None)]
        write, read = _converters(inner[0])
        if write is _same and read in (_same, _text):
            return _same, _same
        return (lambda v: None if v is None else write(v)), (lambda v: None if v is None else read(v))
    if origin is list:
        write, read = _converters(get_args(hint)[0])
        return (lambda v: [write(x) for x in v]), (lambda v: [read(x) for x in v])
    if origin is tuple:
        write, read = _converters(get_args(hint)[0])
        if write is _same:
            return list, _tuple
        return (lambda v: [write(x) for x in v]), (lambda v: tuple(read(x) for x in v))
    if origin in (Mapping, dict):
        write, read = _converters(get_args(hint)[1])
        if write is _same:
            return dict, dict
        return (lambda v: {k: write(x) for k, x in v.items()}), (lambda v: {k: read(x) for k, x in v.items()})
    if hint is Scope:
        return str, read_scope
    if hint is datetime:
        return write_moment, read_moment
    if isinstance(hint, type) and issubclass(hint, Enum):
        return (lambda v: v.value), hint
    if isinstance(hint, type) and is_dataclass(hint):
        return to_record, (lambda v: from_record(hint, v))
    if hint is float:
        return float, float
    return _same, (_text if hint is str else _same)


@dataclass(frozen=True, slots=True)
class _Plan:
    """How values of one class are written and read, worked out once."""

    fields: tuple[tuple[str, Convert, Convert], ...]
    read_whole: Callable[[Mapping[str, Any]], Any]  # for records that have every field


_plans: dict[Any, _Plan] = {}  # by dataclass; a pure function of it


def _plan(cls: Any) -> _Plan:
    if (plan := _plans.get(cls)) is None:
        hints = get_type_hints(cls)
        converters = tuple((field.name, *_converters(hints[field.name])) for field in fields(cls))
        plan = _plans[cls] = _Plan(converters, _compile_reader(cls, converters))
    return plan


def _compile_reader(
    cls: Any, converters: tuple[tuple[str, Convert, Convert], ...]
) -> Callable[[Mapping[str, Any]], Any]:
    """One expression that reads a record: recall reads hundreds of them in a turn, and this takes a fifth of the time
    of a loop over the fields."""
    names = {f"read_{name}": read for name, _, read in converters}
    given = ", ".join(f"{name}={_reading(name, read)}" for name, _, read in converters)
    reader: Callable[[Mapping[str, Any]], Any] = eval(f"lambda r: cls({given})", names | {"cls": cls})
    return reader


def _reading(name: str, read: Convert) -> str:
    if read is _same:
        return f"r[{name!r}]"
    if read is _text:  # looked at in place: a call for each text would take as long as all the rest
        return f"(r[{name!r}] if r[{name!r}].__class__ is str else read_{name}(r[{name!r}]))"
    return f"read_{name}(r[{name!r}])"


def to_record(value: Any) -> dict[str, Any]:
    """All fields of a dataclass as JSON-ready values."""
    return {name: write(getattr(value, name)) for name, write, _ in _plan(type(value)).fields}


def from_record(cls: type[T], record: Mapping[str, Any]) -> T:
    """The value a record describes. Missing fields take their defaults; unknown ones are ignored."""
    plan = _plan(cls)
    if not isinstance(record, Mapping):
        raise TypeError(f"a record of {cls.__name__} expected, not {type(record).__name__}")
    try:
        whole: T = plan.read_whole(record)
    except KeyError:
        record = _EARLIER.get(cls, _same)(record)
        return cls(**{name: read(record[name]) for name, _, read in plan.fields if name in record})
    return whole


# Counts of use are not part of what a memory says (see Memory), and tag counts are derived.
UNJOURNALED = frozenset({"access_count", "last_accessed_at", "memory_count"})


def diff_nodes(before: Any, after: Any) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """The same for two values, of which one may be None."""
    return diff_records(
        to_record(before) if before is not None else None, to_record(after) if after is not None else None
    )


def diff_records(
    before: Mapping[str, Any] | None, after: Mapping[str, Any] | None
) -> tuple[dict[str, Any] | None, dict[str, Any] | None]:
    """What the journal keeps: all of the one side when there is no other, else the fields that differ."""
    if before is None or after is None:
        return (dict(before) if before is not None else None), (dict(after) if after is not None else None)
    changed = [name for name in after if name not in UNJOURNALED and before.get(name) != after[name]]
    return {name: before.get(name) for name in changed}, {name: after[name] for name in changed}
