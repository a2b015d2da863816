"""What may reach a terminal: text, and the few codes of our own. Everything a command prints passes here.

Transcripts, project names and imported memories may hold codes that move the cursor, set the window's title or fill the
clipboard. What does not go to a terminal, such as an export into a file, is left as it is.
"""

from __future__ import annotations

import io
import os
import re
import sys

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs 4 ms
if TYPE_CHECKING:
    from typing import Any, TextIO

# Colours as `paint` writes them, and the beginning of a progress line; then controls, and marks that turn the direction
# of writing around.
_CODES = re.compile(
    r"(?P<own>\x1b\[(?:0|(?:[12]|3[1-6])(?:;(?:[12]|3[1-6])){0,3})m|\A\r(?:\x1b\[K)?)"
    "|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def clean(text: str) -> str:
    """The text with a sign in the place of each code that is not ours."""
    return _CODES.sub(lambda match: match["own"] or "\ufffd", text)


class Terminal(io.TextIOBase):
    """A stream to a terminal that lets only clean text through."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        self._stream.write(clean(text))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def encoding(self) -> Any:  # type: ignore[override]  # as the stream has it
        return self._stream.encoding


def prepare_streams() -> None:
    """Makes standard output and error fit to print to, whatever the caller made of them."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # the caller closed it
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - until the program ends
            continue
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # half a character has no bytes to print
        if stream.isatty() and not isinstance(stream, Terminal):
            setattr(sys, name, Terminal(stream))
