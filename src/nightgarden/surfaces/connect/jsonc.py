"""Changing a JSON file by structure: one value is put in or taken out, every other byte stays. Pure.

Understands comments and trailing commas, as OpenCode and editors allow them. Does not sort, reindent or check a schema.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from nightgarden.errors import BadInput

Key = str | int
_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_SAME_LINE = re.compile(r"(?:[ \t]+|//[^\n]*|/\*[^\n]*?\*/)*")
_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_COMMA = re.compile(r"[ \t]*,")
_PLAIN = re.compile(r"[^\s,\]}/]+")


@dataclass(slots=True)
class _Item:
    """A member of an object or an element of an array, from the start of its key (or value) to the value's end."""

    key: Key
    start: int
    value: _Value


@dataclass(slots=True)
class _Value:
    start: int
    end: int
    kind: str  # object, array, other
    items: list[_Item] = field(default_factory=list)

    def find(self, key: Key) -> _Item | None:
        return next((item for item in self.items if item.key == key), None)


def read(text: str) -> Any:
    """The value of a text with comments. Raises BadInput."""
    return _plain(text, _parse(text)) if _BLANK.fullmatch(text) is None else {}


def put(text: str, path: Sequence[Key], value: Any) -> str:
    """The text with a value at a path of keys; objects on the way are made. An empty text counts as `{}`."""
    if _BLANK.fullmatch(text):
        text = f"{text}{{}}\n"
    at = _parse(text)
    for depth, key in enumerate(path):
        item = at.find(key)
        if item is None:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _insert(text, at, key, value)
        at = item.value
    written = _lines_as_in(text, _write(value, text, _indent_at(text, at.start)))
    return text[: at.start] + written + text[at.end :]


def append(text: str, path: Sequence[Key], value: Any) -> str:
    """The text with a value at the end of the array at a path, which is made when it is not there."""
    if _BLANK.fullmatch(text):
        text = f"{text}{{}}\n"
    found = _at(_parse(text), path)
    if found is None:
        return put(text, path, [value])
    if found.kind != "array":
        raise BadInput(f"{'.'.join(map(str, path))} is not a list")
    return _insert(text, found, len(found.items), value)


def drop(text: str, path: Sequence[Key]) -> str:
    """The text without what is at a path; containers that are empty after it stay."""
    parent = _at(_parse(text), path[:-1])
    item = parent.find(path[-1]) if parent is not None else None
    if parent is None or item is None:
        return text
    place = parent.items.index(item)
    if place + 1 < len(parent.items):
        return text[: item.start] + text[parent.items[place + 1].start :]
    if place == 0:
        return text[: parent.start + 1] + text[parent.end - 1 :]
    before, end = parent.items[place - 1].value.end, item.value.end
    between = text[before : item.start].rstrip()  # a comma, and comments that stay
    if comma := _COMMA.match(text, end):  # the file likes a comma after the last one
        return text[:before] + between + text[comma.end() :]
    return text[:before] + between.replace(",", "", 1) + text[end:]


def drop_with_empty(text: str, path: Sequence[Key], before: Any) -> str:
    """The same, and then without the containers on the way that are empty now and were not there before."""
    text = drop(text, path)
    for depth in range(len(path) - 1, 0, -1):
        found = _at(_parse(text), path[:depth])
        if found is None or found.items or _has(before, path[:depth]):
            break
        text = drop(text, path[:depth])
    return text


def _has(value: Any, path: Sequence[Key]) -> bool:
    for key in path:
        if not isinstance(value, dict) or key not in value:
            return False
        value = value[key]
    return True


def _at(value: _Value, path: Sequence[Key]) -> _Value | None:
    for key in path:
        item = value.find(key)
        if item is None:
            return None
        value = item.value
    return value


def _insert(text: str, into: _Value, key: Key, value: Any) -> str:
    if into.kind == "other" or (into.kind == "array") != isinstance(key, int):
        raise BadInput(f"cannot put {key!r} there: it is not what was expected in this file")
    outer = _indent_at(text, into.start)
    many_lines = "\n" in text[into.start : into.end] or not into.items
    inner = _indent_at(text, into.items[-1].start) if into.items and many_lines else outer + _unit(text)
    name = f"{json.dumps(key)}: " if isinstance(key, str) else ""
    if not into.items:
        member = _lines_as_in(text, f"\n{inner}{name}{_write(value, text, inner)}\n{outer}")
        rest = text[into.start + 1 : into.end - 1]
        kept = rest.rstrip() if rest.strip() else ""  # a comment alone in an empty object
        return text[: into.start + 1] + kept + member + text[into.end - 1 :]
    last = into.items[-1].value.end
    if not many_lines:
        return f"{text[:last]}, {name}{json.dumps(value, ensure_ascii=False)}{text[last:]}"
    comma = _COMMA.match(text, last)
    after = comma.end() if comma else last
    line_end = _SAME_LINE.match(text, after)
    assert line_end is not None
    member = _lines_as_in(text, f"\n{inner}{name}{_write(value, text, inner)}") + ("," if comma else "")
    head = text[:after] if comma else f"{text[:last]},"
    return head + text[after : line_end.end()] + member + text[line_end.end() :]


def _write(value: Any, text: str, indent: str) -> str:
    return json.dumps(value, ensure_ascii=False, indent=_unit(text)).replace("\n", f"\n{indent}")


def _lines_as_in(text: str, member: str) -> str:
    """With the line ends of the file; a value has none inside its strings."""
    return member.replace("\n", "\r\n") if "\r\n" in text else member


def _unit(text: str) -> str:
    """What the file indents by: the first indented line tells."""
    found = re.search(r"^([ \t]+)\S", text, re.MULTILINE)
    return found[1] if found else "  "


def _indent_at(text: str, position: int) -> str:
    line = text[text.rfind("\n", 0, position) + 1 : position]
    return line[: len(line) - len(line.lstrip())]


def _parse(text: str) -> _Value:
    start = 1 if text.startswith("\ufeff") else 0
    value = _value(text, _skip(text, start))
    if _skip(text, value.end) != len(text):
        raise _broken(text, value.end)
    return value


def _value(text: str, at: int) -> _Value:
    opening = text[at : at + 1]
    if opening not in ("{", "["):
        found = _STRING.match(text, at) if opening == '"' else _PLAIN.match(text, at)
        if found is None:
            raise _broken(text, at)
        return _Value(at, found.end(), "other")
    closing, value = ("}", _Value(at, at, "object")) if opening == "{" else ("]", _Value(at, at, "array"))
    at = _skip(text, at + 1)
    while text[at : at + 1] != closing:
        start, key = at, len(value.items)
        name: Key = key
        if opening == "{":
            found = _STRING.match(text, at)
            if found is None:
                raise _broken(text, at)
            name = json.loads(found[0])
            at = _skip(text, found.end())
            if text[at : at + 1] != ":":
                raise _broken(text, at)
            at = _skip(text, at + 1)
        inner = _value(text, at)
        value.items.append(_Item(name, start, inner))
        at = _skip(text, inner.end)
        if text[at : at + 1] == ",":
            at = _skip(text, at + 1)
        elif text[at : at + 1] != closing:
            raise _broken(text, at)
    value.end = at + 1
    return value


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    assert blank is not None
    return blank.end()


def _plain(text: str, value: _Value) -> Any:
    match value.kind:
        case "object":
            return {item.key: _plain(text, item.value) for item in value.items}
        case "array":
            return [_plain(text, item.value) for item in value.items]
        case _:
            try:
                return json.loads(text[value.start : value.end])
            except ValueError:
                raise _broken(text, value.start) from None


def _broken(text: str, at: int) -> BadInput:
    return BadInput(f"not valid JSON at line {text.count(chr(10), 0, at) + 1}")
