"""What may reach a terminal: text, and the few codes of our own. Everything a command prints passes here.

Transcripts, project names and imported memories may hold codes that move the cursor, set the window's title or fill the
clipboard. What goes into a pipe often ends on a terminal too. A colour of those that we use ourselves may pass.
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

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\r(?!\n)")


def clean(text: str) -> str:
    """The text with a sign in the place of each code that is not ours."""
    return _CODES.sub(lambda match: match["own"] or "\ufffd", text)


class Cleaned(io.TextIOBase):
    """A stream to the outside that lets only clean text through. Into a pipe no code is ours, and directions stay."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._terminal = stream.isatty()

    def write(self, text: str) -> int:
        self._stream.write(clean(text) if self._terminal else _CONTROLS.sub("\ufffd", text))
        return len(text)

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._terminal

    def fileno(self) -> int:
        return self._stream.fileno()

    @property
    def buffer(self) -> Any:
        return self._stream.buffer

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
        if not isinstance(stream, Cleaned) and (stream is getattr(sys, f"__{name}__") or stream.isatty()):
            setattr(sys, name, Cleaned(stream))
