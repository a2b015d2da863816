"""How things look: colours on a terminal unless NO_COLOR is set, tables that fit, progress on stderr."""

from __future__ import annotations

import os
import re
import shutil
import sys
import unicodedata
from datetime import datetime

from nightgarden.domain.ids import SHORT_CHARS
from nightgarden.domain.terminal_codes import write_safe_json

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, TextIO

_LAST_CELLS_MIN = 20  # of the last column of a table
_CELLS_MIN = 8  # of the others
_WIDE = "\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\uff00-\uff60"  # scripts that break anywhere
_PIECES = rf"[{_WIDE}]\s*|[^\s{_WIDE}]+\s*|\s+"  # 4 ms to compile, only for what has to be wrapped
_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


def paint(text: str, *styles: str, stream: TextIO | None = None) -> str:
    """The text in a colour, where colours are wanted."""
    stream = stream or sys.stdout
    if not styles or not wants_colours() or not stream.isatty():
        return text
    return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"


def wants_colours() -> bool:
    """Whether the user's terminal should get colours at all."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def columns() -> int:
    """How wide the user's terminal is."""
    return shutil.get_terminal_size((100, 24)).columns


def short(id: str) -> str:
    """An id as people see it."""
    return id[-SHORT_CHARS:]


def print_json(value: Any) -> None:
    print(write_safe_json(value, indent=2 if sys.stdout.isatty() else None))


def width() -> int:
    return columns() if sys.stdout.isatty() else 200


def _cells(text: str) -> int:
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def cut(text: str, cells: int) -> str:
    """One line that fits."""
    line = " ".join(text.split())
    if _cells(line) <= cells:
        return line
    kept, used = [], 1
    for character in line:
        used += _cells(character)
        if used > cells:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def wrap(text: str, cells: int) -> list[str]:
    """The text in lines that fit; its own line breaks stay. A word that is too long is not broken."""
    lines = []
    for paragraph in text.splitlines() or [""]:
        line, used = "", 0
        for piece in re.findall(_PIECES, paragraph):
            if line and used + _cells(piece.rstrip()) > cells:
                lines.append(line.rstrip())
                line, used = "", 0
            line, used = line + piece, used + _cells(piece)
        lines.append(line.rstrip())
    return lines


def print_text(text: str, *styles: str, indent: int = 0) -> None:
    """Wrapped on a terminal, as it is elsewhere."""
    for line in wrap(text, max(20, columns() - indent)) if sys.stdout.isatty() else text.splitlines():
        print(" " * indent + paint(line, *styles))


def print_table(head: Sequence[str], rows: Sequence[Sequence[str]], *, whole: bool = False) -> None:
    """Columns as wide as their widest cell, narrower where the line would not fit; the last one takes what is left of
    the line and is cut there. `whole`: it is wrapped instead. A head of empty names is not printed."""
    if not rows:
        return
    lines = [[" ".join(cell.split()) for cell in row] for row in rows]
    widths = _fitting([max(map(_cells, column)) for column in zip(head, *lines, strict=True)][:-1])
    left = sum(widths) + 2 * len(widths)
    room = max(_LAST_CELLS_MIN, width() - left)
    if any(head):
        print(paint("  ".join([h.ljust(w) for h, w in zip(head[:-1], widths, strict=True)] + [head[-1]]), "dim"))
    for line in lines:
        cells = [_filled(cell, w) for cell, w in zip(line[:-1], widths, strict=True)]
        first, *more = wrap(line[-1], room) if whole else [cut(line[-1], room)]
        print("  ".join([*cells, first]))
        for each in more:
            print(" " * left + each)


def _fitting(widths: list[int]) -> list[int]:
    """The widths of all columns but the last, the widest taken in until the last has room."""
    widths = list(widths)
    while sum(widths) + 2 * len(widths) + _LAST_CELLS_MIN > width() and max(widths, default=0) > _CELLS_MIN:
        widths[widths.index(max(widths))] -= 1
    return widths


def _filled(cell: str, cells: int) -> str:
    shown = cut(cell, cells)
    return shown + " " * (cells - _cells(shown))


def when(moment: datetime | str | None) -> str:
    """A moment in the reader's own time zone."""
    return _here(moment).strftime("%Y-%m-%d %H:%M") if moment else "–"


def day(moment: datetime | str) -> str:
    """Its date in the reader's own time zone."""
    return _here(moment).strftime("%Y-%m-%d")


def _here(moment: datetime | str) -> datetime:
    return (datetime.fromisoformat(moment) if isinstance(moment, str) else moment).astimezone()


def count(number: int, thing: str) -> str:
    """1 memory, 2 memories."""
    if number == 1:
        return f"1 {thing}"
    changes = thing.endswith("y") and thing[-2:-1] not in "aeiou"  # memory, but not day
    return f"{number:,} {thing[:-1] + 'ies' if changes else thing + 's'}"


class ProgressLine:
    """A line on stderr that grows; nothing when stderr is no terminal."""

    def __init__(self, what: str, total: int | None = None) -> None:
        self._what = what
        self._total = total
        self._done = 0
        self._shown = sys.stderr.isatty()

    def step(self, by: int = 1) -> None:
        self._done += by
        if self._shown and (self._done % 50 < by or self._done == self._total):
            of = f"/{self._total:,}" if self._total else ""
            bar = ""
            if self._total:
                filled = int(24 * min(1.0, self._done / self._total))
                bar = f" [{'█' * filled}{'·' * (24 - filled)}]"
            print(f"\r{self._what}{bar} {self._done:,}{of}", end="", file=sys.stderr, flush=True)

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        if self._shown and self._done:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def ask(question: str, *, yes: bool) -> bool:
    """Asks on a terminal; without one, only `--yes` counts as consent."""
    if yes:
        return True
    if not sys.stdin.isatty():
        return False
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
