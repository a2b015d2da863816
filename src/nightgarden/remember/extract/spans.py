"""Where sentences stand in a text as it was typed: at the marks that end one, and at line ends. No grammar."""

from __future__ import annotations

import re
from collections.abc import Iterator

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"')\]»”]*+(?=\s|$)|[。！？]|\n++")
# Each as what stands before its full stop; both ways to cut sentences know them.
ABBREVIATIONS = (
    r"e\.g|i\.e|vs|etc|approx|no|nr|bzw|ca|usw|dr|prof|hr|fr|mr|mrs|ms|st|inc|ltd|cf|min|max|sr|sra|p\.ej|ggf|inkl|vgl"
)
_ABBREVIATED = re.compile(
    rf"(?:\b(?:{ABBREVIATIONS}|z\.b|d\.h|evtl|exkl|bspw|sog|tel|dipl|ing|mio|mrd)|\b[^\W\d_]"
    r"|\b(?:am|das|die|den|dem|der|des|vom|zum|bis|ab|seit|jeden|jeder|jedes) \d{1,2})\.$",
    re.I,
)


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where sentences stand; a line end ends one."""
    start = 0
    for match in _END.finditer(text):
        if match[0] == "." and _ABBREVIATED.search(text[max(start, match.end() - 10) : match.end()]):
            continue
        if text[start : match.end()].strip():
            yield start, match.end()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def is_worded(said: str, words_min: int) -> bool:
    """Whether it has so many words; in Chinese and Japanese, without blanks between them, whatever its length."""
    return len(said.split()) >= words_min or not said.isascii()
