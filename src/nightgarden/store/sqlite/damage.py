"""Reading around damaged rows: one that cannot be read is left out and counted, and the others are still there.

Does not cover a damaged page, behind which SQLite finds nothing more: that is for `doctor --repair` (rescue.py).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from nightgarden.errors import CorruptGarden

T = TypeVar("T")
# What damaged bytes turn into on their way through JSON and our values.
BAD_ROW = (ValueError, KeyError, TypeError, AttributeError, RecursionError)


def text_or_bytes(data: bytes) -> str | bytes:
    """What a column holds; bytes that are no text stay bytes, so that only their own row is lost."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def is_undecodable(error: sqlite3.Error) -> bool:
    """Whether SQLite found bytes that are no text. Reading again with `text_or_bytes` gets past them."""
    return "Could not decode" in str(error)


def corrupt(kind: str, key: object, error: Exception) -> CorruptGarden:
    """What one damaged record means to a user."""
    return CorruptGarden(
        f"the {kind} {key} is damaged and cannot be read ({type(error).__name__}: {str(error)[:80]}). "
        "Nothing was changed. Run `nightgarden doctor --repair`: it is rebuilt from the journal where that is possible."
    )


class Skipped:
    """How many rows could not be read, by what was read last of each statement: looking twice does not count twice."""

    def __init__(self) -> None:
        self._by_name: dict[str, int] = {}

    @property
    def count(self) -> int:
        return max(self._by_name.values(), default=0)

    def read(self, name: str, found: Iterable[Sequence[Any]], read: Callable[[Sequence[Any]], T]) -> Iterator[T]:
        """The rows that can be read, in their order."""
        bad = 0
        for row in found:
            try:
                value = read(row)
            except (CorruptGarden, *BAD_ROW):
                bad += 1
                continue
            yield value
        if bad or name in self._by_name:
            self._by_name[name] = bad
