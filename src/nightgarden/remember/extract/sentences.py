"""Cuts a speaker's own lines into sentences. Keeps the heading a list item stands under."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nightgarden.remember.extract.spans import ABBREVIATIONS

SENTENCE_CHARS_MAX = 500  # longer ones are pasted or rambling; a statement to keep has at most 300

_ITEM = re.compile(r"^\s*(?:[-*•–]\s+|(?P<number>\d{1,2})[.)]\s+|\(?[a-h]\)\s+)(?:\[[ x]\]\s*)?")
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+(?=\S)|(?<=[.!?…][)\"'])\s+(?=\S)")
_ABBREVIATION = re.compile(
    rf"(?:\b(?:{ABBREVIATIONS}|resp|z\.\s?b|d\.\s?h|u\.\s?a|p\.\s?ex|ej|p\.\s?ej|v|fig)|\b[A-Z]|^\d+)\.$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"(?:for|in|to|with|and|or|from|as|on|at|is|instead|anywhere|macros?)\b"
)  # `println! for logging`
_EMPHASIS = re.compile(r"(?<!\w)(\*\*|__)(?=\S)(.+?)(?<=\S)\1(?!\w)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One sentence as said, and the heading line it stands under when it is a list item."""

    text: str
    heading: str = ""
    opens: bool = False  # is it the first of its message?


def sentences(lines: list[str]) -> list[Sentence]:
    """All sentences of a message's own lines, in order."""
    found: list[Sentence] = []
    heading = ""
    paragraph: list[str] = []

    def flush() -> None:
        for text in _cut(" ".join(paragraph)):
            found.append(Sentence(text=text, opens=not found))
        paragraph.clear()

    for line in lines:
        item = _ITEM.match(line)
        if item or not line.strip():
            if paragraph:
                if item and paragraph[-1].rstrip().endswith(":"):
                    heading = _last(" ".join(paragraph))
                flush()
            if not item:
                heading = "" if not heading.endswith(":") else heading
                continue
            found.extend(Sentence(text=text, heading=heading, opens=not found) for text in _cut(line[item.end() :]))
            continue
        if not line[:1].isspace():
            heading = ""
        paragraph.append(line.strip())
        if line.rstrip().endswith((".", "!", "?", ":", ";")) or len(line) < 60:  # a short line is a thought of its own
            ends_with_heading = line.rstrip().endswith(":")
            if ends_with_heading:
                heading = _last(" ".join(paragraph))
            flush()
    flush()
    return found


def _cut(text: str) -> list[str]:
    text = re.sub(r"\s+", " ", _EMPHASIS.sub(r"\2", text)).strip()
    pieces: list[str] = []
    start = 0
    for match in _END.finditer(text):
        before = text[start : match.start()]
        if _ABBREVIATION.search(before) or (before.endswith("!") and _GOES_ON.match(text, match.end())):
            continue
        pieces.append(before.strip())
        start = match.end()
    pieces.append(text[start:].strip())
    pieces = [piece for piece in pieces if len(piece) <= SENTENCE_CHARS_MAX]
    return [piece for piece in pieces if any(c.isalnum() for c in piece)]


def _last(text: str) -> str:
    return next(reversed(_cut(text)), "")
