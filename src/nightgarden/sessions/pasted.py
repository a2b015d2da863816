"""What in a user's message is the user's own words, and what was brought in from outside. Pure.

Taken as outside text: what a client recorded as pasted, `<pasted>` and similar tags, fenced blocks of some length, and
lines quoted with `>`. Not covered: text pasted bare that nobody recorded; it reads as the user's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Shorter fences hold a name or a command that the user wants used; longer ones a log or a file. Taste.
_FENCE_LINES_MIN, _FENCE_CHARS_MIN = 4, 240
_RECORDED_CHARS_MIN = 20  # a shorter paste may equal something the user typed elsewhere
_OPENING = re.compile(
    r"<(?P<tag>pasted(?:[_-](?:text|content))?|attached[_-]\w+|attachment|document|file|file_contents?|quote)"
    r"(?:\s[^<>\n]*)?>"
    r"|^[ \t]*+(?P<fence>```++|~~~++)[^\n`]*+$"
    r"|^[ \t]*(?P<quote>>)(?!=)",
    re.MULTILINE | re.IGNORECASE,
)
_QUOTED_LINES = re.compile(r"[ \t]*>[^\n]*(?:\n[ \t]*>[^\n]*)*")


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of one message, all of it own words or all of it outside text."""

    text: str
    pasted: bool


def split_pasted(text: str, recorded: Sequence[str] = ()) -> list[Piece]:
    """The message in order, cut where own words and outside text meet. Blank runs are left out.

    `recorded` are texts that the client says were pasted in this session.
    """
    pieces: list[Piece] = []
    for run, pasted in _cut_recorded(text, [paste for paste in recorded if len(paste) >= _RECORDED_CHARS_MIN]):
        if pasted:
            _add(pieces, run, pasted=True)
        else:
            _split_by_marks(pieces, run)
    return pieces


def _cut_recorded(text: str, recorded: Sequence[str]) -> Iterator[tuple[str, bool]]:
    own_from = 0
    while own_from < len(text):
        found = [(text.find(paste, own_from), -len(paste)) for paste in recorded]
        start, length = min((place for place in found if place[0] >= 0), default=(len(text), 0))
        yield text[own_from:start], False
        yield text[start : start - length], True
        own_from = start - length


def _split_by_marks(pieces: list[Piece], text: str) -> None:
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
        # the first line of a pasted block may be indented like the others
        pieces.append(Piece(text.strip("\n").rstrip() if pasted else text.strip(), pasted))
