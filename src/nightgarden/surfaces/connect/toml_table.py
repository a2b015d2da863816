"""One table in a TOML file that people and other programs write too: put in and taken out by its header. Pure.

A table goes from its header to the next header, and nothing marks its end: programs append tables of their own, and a
closing mark would come to stand behind those. Comments and empty lines before the next header are that one's. Files
with marks around our table, which earlier versions wrote, lose the marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nightgarden.errors import BadInput
from nightgarden.machine.bounded_toml import read_toml

Name = tuple[str, ...]
_OLD_MARKS = ("# >>> nightgarden (`nightgarden disconnect` takes this out) >>>", "# <<< nightgarden <<<")
# What may hide brackets, quotes and ends of lines: texts of four kinds, and comments.
_TEXTS = re.compile(r'"""(?:\\.|[^\\])*?"""+|\'\'\'.*?\'\'\'+|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Statement:
    """A header or a key with its value, over whole lines; empty lines and comments are none."""

    start: int
    end: int
    text: str

    @property
    def header(self) -> Name | None:
        if not self.text.lstrip().startswith("["):
            return None
        return _names(read_toml(self.text))

    @property
    def key(self) -> str:
        return _names(read_toml(self.text))[0]


def put_table(text: str, name: Name, values: Mapping[str, Any]) -> str:
    """The text with these values in the table, at the end if it is not there. What else stands in it stays, and so does
    the text when the values are there already. Raises BadInput when it is no TOML."""
    text = _without_marks(text)
    there = _find(_parsed(text), name)
    if isinstance(there, dict) and all(there.get(key) == value for key, value in values.items()):
        return text
    lines = "".join(f"{key} = {_write(value)}\n" for key, value in values.items())
    header = f"[{'.'.join(name)}]\n"
    tables = list(_tables(text))
    own = next((pieces for path, _, _, pieces in tables if path == name), None)
    if own is None:
        return f"{text}{_gap(text)}{header}{lines}"
    spans = [(piece.start, piece.end) for piece in own[1:] if piece.key in values]
    spans += [
        (s, e) for path, s, e, _ in tables if path[: len(name)] == name and path[len(name) :][:1] in _keys(values)
    ]
    text = _cut(text, spans)  # all of it behind the header
    return text[: own[0].end] + lines + text[own[0].end :]


def drop_table(text: str, name: Name) -> str:
    """The text without the table, the tables inside it, and the empty line before each. Raises BadInput when it is no
    TOML."""
    text = _without_marks(text)
    _parsed(text)
    spans = [(s, e) for path, s, e, _ in _tables(text) if path[: len(name)] == name]
    return _cut(text, [(s - 1 if text[:s].endswith("\n\n") else s, e) for s, e in spans])


def _without_marks(text: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if line.strip() not in _OLD_MARKS)


def _gap(text: str) -> str:
    return "" if not text else "\n" if text.endswith("\n") else "\n\n"


def _keys(values: Mapping[str, Any]) -> list[Name]:
    return [(key,) for key in values]


def _cut(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in sorted(spans, reverse=True):
        text = text[:start] + text[end:]
    return text


def _tables(text: str) -> Iterator[tuple[Name, int, int, list[_Statement]]]:
    """Every table: its name, where it begins and ends, and its statements, of which the first is the header."""
    pieces: list[_Statement] = []
    for statement in _statements(text):
        if statement.header is not None:
            if pieces:
                yield _table(pieces)
            pieces = [statement]
        elif pieces:
            pieces.append(statement)
    if pieces:
        yield _table(pieces)


def _table(pieces: list[_Statement]) -> tuple[Name, int, int, list[_Statement]]:
    return pieces[0].header or (), pieces[0].start, pieces[-1].end, pieces


def _statements(text: str) -> Iterator[_Statement]:
    """Whole lines that belong together: a value may go over several."""
    plain = _TEXTS.sub(lambda found: "x" * len(found[0]), text)
    start = depth = position = 0
    for line in plain.splitlines(keepends=True):
        if depth == 0:
            start = position
        position += len(line)
        depth += sum(line.count(mark) for mark in "[{") - sum(line.count(mark) for mark in "]}")
        whole = text[start:position]
        if depth <= 0 and whole.strip() and not whole.lstrip().startswith("#"):
            yield _Statement(start=start, end=position, text=whole)


def _parsed(text: str) -> dict[str, Any]:
    try:
        return read_toml(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"it is not valid TOML ({error})") from error


def _names(value: Any) -> Name:
    """The one way down: of `[a.b]` it is a, b."""
    names: list[str] = []
    while isinstance(value, dict) and len(value) == 1:
        name, value = next(iter(value.items()))
        names.append(name)
        value = value[0] if isinstance(value, list) and value else value
    return tuple(names)


def _find(value: Any, name: Name) -> Any:
    for key in name:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _write(value: Any) -> str:
    """Texts, lists of them and flat tables; JSON writes texts and lists as TOML does."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_write(each)}" for key, each in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
