"""Text as it is stored: Unicode in one form, no control characters, no stray space. Meaning is never touched."""

from __future__ import annotations

import re
import unicodedata

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ufeff]")
_TRAILING = re.compile(r"(?<![ \t])[ \t]++(?=\n|$)")
_BLANK_LINES = re.compile(r"\n{3,}")


def normalise(text: str) -> str:
    """The text with one kind of line end, one form of each character and no blanks where nobody sees them."""
    clean = unicodedata.normalize("NFC", _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    return _BLANK_LINES.sub("\n\n", _TRAILING.sub("", clean)).strip()
