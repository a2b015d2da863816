"""Export as Markdown with front matter: one block a record, its text as the body, everything else above it.

Values in the front matter are JSON, which YAML readers understand. A body line that would look like a block's border is
written with a backslash before it; a text with line ends that editors change stands in the front matter. Reading it
back gives the same records as JSON Lines do.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from nightgarden.domain.ports import Store
from nightgarden.domain.terminal_codes import without_codes, write_safe_json
from nightgarden.store.exchange.json_lines import FORMAT, VERSION, exported

_TEXT = {"memory": "content", "passage": "content", "message": "text"}  # which field is the body
_BORDER = "---"
_LOOKS_LIKE_BORDER = re.compile(r"^\\*---\s*$")
_KEY = re.compile(r"^([a-z_]+): (.*)$")


async def export_markdown(store: Store) -> AsyncIterator[str]:
    """The whole garden, a block at a time."""
    yield f"{_BORDER}\ntype: {json.dumps(FORMAT)}\nversion: {VERSION}\n{_BORDER}\n"
    async for record in exported(store):
        yield write_block(record)


def write_block(record: dict[str, Any]) -> str:
    """One record as front matter and body."""
    body_field = _TEXT.get(record["type"])
    if body_field and ("\r" in record[body_field] or without_codes(record[body_field]) != record[body_field]):
        body_field = None  # among the quoted fields, where it reads back as it was and harms no terminal
    lines = [_BORDER]
    for key, value in record.items():
        if key != body_field and value not in (None, "", []):
            lines.append(f"{key}: {write_safe_json(value)}")
    lines.append(_BORDER)
    if body_field and record.get(body_field):
        lines += ["\\" + line if _LOOKS_LIKE_BORDER.match(line) else line for line in record[body_field].split("\n")]
    return "\n".join(lines) + "\n"


def is_markdown_export(first_lines: list[str]) -> bool:
    """Whether a file begins like one of ours."""
    return len(first_lines) >= 2 and first_lines[0].strip() == _BORDER and FORMAT in first_lines[1]


def read_blocks(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The records of a Markdown export as JSON lines under the number of each block's first line. What is no record
    comes out as a line that says so."""
    front: dict[str, Any] | None = None
    body: list[str] = []
    inside, started = False, 1
    for number, line in lines:
        line = line.rstrip("\n").rstrip("\r")
        if line.rstrip() == _BORDER:
            if inside:
                inside = False
            else:
                if front is not None:
                    yield started, _record(front, body)
                front, body, inside, started = {}, [], True, number
        elif inside and front is not None:
            _take_key(front, line)
        elif front is not None:
            body.append(line[1:] if line.startswith("\\") and _LOOKS_LIKE_BORDER.match(line) else line)
        elif line.strip():
            yield number, json.dumps(line)
    if front is not None:
        yield started, _record(front, body)


def _take_key(front: dict[str, Any], line: str) -> None:
    match = _KEY.match(line)
    if match:
        try:
            front[match[1]] = json.loads(match[2])
        except ValueError:
            front[match[1]] = match[2]  # somebody wrote plain YAML by hand


def _record(front: dict[str, Any], body: list[str]) -> str:
    field = _TEXT.get(str(front.get("type")))
    if field and field not in front:
        front[field] = "\n".join(body)
    return json.dumps(front, ensure_ascii=False)
