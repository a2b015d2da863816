"""What in a user's message is the user's own words, and what was brought in from outside. Pure.

Taken as outside text: `<pasted>` and similar tags, fenced blocks of some length, and lines quoted with `>`.
Not covered: text pasted bare, without any of these marks; it reads as the user's own.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

# Shorter fences hold a name or a command that the user wants used; longer ones a log or a file. Taste.
_FENCE_LINES_MIN, _FENCE_CHARS_MIN = 4, 240
_OPENING = re.compile(
    r"<(?P<tag>pasted(?:[_-](?:text|content))?|attached[_-]\w+|attachment|document|file|file_contents?|quote)"
    r"(?:\s[^<>\n]*)?>"
    r"|^[ \t]*(?P<fence>```+|~~~+)[^\n`]*$"
    r"|^[ \t]*(?P<quote>>)(?!=)",
    re.MULTILINE | re.IGNORECASE,
)
_QUOTED_LINES = re.compile(r"[ \t]*>[^\n]*(?:\n[ \t]*>[^\n]*)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of one message, all of it own words or all of it outside text."""

    text: str
    pasted: bool


def split_pasted(text: str) -> list[Piece]:
    """The message in order, cut where own words and outside text meet. Blank runs are left out."""
    pieces: list[Piece] = []
    never_closed: set[str] = set()  # so that many unclosed tags cost one search each name, not one each tag
    own_from = search_from = 0
    while (opening := _OPENING.search(text, search_from)) is not None:
        end = _end_of(text, opening, never_closed)
        search_from = max(end or 0, opening.end())
        if end is None or (opening["fence"] and not _is_long(text[opening.start() : end])):
            continue
        _add(pieces, text[own_from : opening.start()], pasted=False)
        _add(pieces, text[opening.start() : end], pasted=True)
        own_from = end
    _add(pieces, text[own_from:], pasted=False)
    return pieces


def _end_of(text: str, opening: re.Match[str], never_closed: set[str]) -> int | None:
    """Where the outside text ends; None when the opening turns out to be none."""
    if opening["quote"]:
        quoted = _QUOTED_LINES.match(text, opening.start())
        return quoted.end() if quoted else None
    if opening["fence"]:
        closing = re.compile(rf"^[ \t]*{re.escape(opening['fence'])}[`~]*[ \t]*$", re.MULTILINE)
        closed = closing.search(text, opening.end())
        return closed.end() if closed else len(text)
    tag = opening["tag"].lower()
    if tag not in never_closed:
        closed = re.compile(rf"</{re.escape(tag)}\s*>", re.IGNORECASE).search(text, opening.end())
        if closed:
            return closed.end()
        never_closed.add(tag)
    # "rename <file> to x" is a sentence; `<pasted>` is only ever a mark, which a cut may have left open
    return len(text) if tag.startswith("pasted") else None


def _is_long(block: str) -> bool:
    return block.count("\n") - 1 >= _FENCE_LINES_MIN or len(block) >= _FENCE_CHARS_MIN


def _add(pieces: list[Piece], text: str, *, pasted: bool) -> None:
    if text.strip():
        pieces.append(Piece(text.strip("\n").rstrip(), pasted))
