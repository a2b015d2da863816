"""Reads `.sql` files of named statements. Knows nothing of any dialect or driver.

A statement begins with `-- name: some_name` and ends where the next one begins. The comment lines right below the name
say what it is for; they are not sent to the database.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from types import MappingProxyType

_FRAGMENT = re.compile(r"\{\{([a-z0-9_]+)\}\}")
_NAME = re.compile(r"^--[ \t]*name:[ \t]*(\S+)[ \t]*$", re.MULTILINE)


def parse_queries(text: str, *, source: str = "the file") -> Mapping[str, str]:
    """Statements by name, without their leading comments and closing semicolon."""
    _, *pieces = _NAME.split(text)
    queries: dict[str, str] = {}
    for name, body in zip(pieces[::2], pieces[1::2], strict=True):
        if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            raise ValueError(f"{source}: {name!r} is not a lower-case identifier")
        if name in queries:
            raise ValueError(f"{source}: {name!r} is defined twice")
        queries[name] = _without_leading_comments(body).rstrip().removesuffix(";").rstrip()
        if not queries[name]:
            raise ValueError(f"{source}: {name!r} has no statement")
    return MappingProxyType(queries)


def _without_leading_comments(body: str) -> str:
    lines = body.strip().splitlines()
    first = next(
        (at for at, line in enumerate(lines) if line.strip() and not line.lstrip().startswith("--")), len(lines)
    )
    return "\n".join(lines[first:])


def take_in(sql: str, fragments: Mapping[str, str]) -> str:
    """The statement with each `{{name}}` replaced by the fragment of that name."""
    return _FRAGMENT.sub(lambda found: fragments[found[1]], sql)


@cache
def load_queries(package: str, file: str) -> Mapping[str, str]:
    """The statements of a `.sql` file that lies in an importable package."""
    text = resources.files(package).joinpath(file).read_text(encoding="utf-8")
    return parse_queries(text, source=f"{package}/{file}")
