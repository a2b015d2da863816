"""Text as it is stored: Unicode in one form, no control characters, no stray space. Meaning is never touched."""

from __future__ import annotations

import re
import unicodedata

from nightgarden.domain.verdict import Refused, Rule

CHARACTERS_MAX = 8_000  # a memory is a statement; what is longer belongs into a file that a memory points to
EMPTY = Rule(id="empty", sentence="there is no text to remember", overridable=False)
TOO_LONG = Rule(
    id="too-long",
    sentence=f"a memory holds at most {CHARACTERS_MAX:,} characters; keep the text in a file and remember where it is",
    overridable=False,
)
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x80-\x9f\ud800-\udfff\ufeff]")
_TRAILING = re.compile(r"[ \t]+(?=\n|$)")
_BLANK_LINES = re.compile(r"\n{3,}")


def normalise(text: str) -> str | Refused:
    """The text to store, or why there is none. Lone surrogates and NUL bytes are dropped: no database can hold them."""
    if len(text) > 2 * CHARACTERS_MAX:  # before any work on it, so that 10 MB cost nothing
        return Refused(rule=TOO_LONG)
    clean = unicodedata.normalize("NFC", _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    clean = _BLANK_LINES.sub("\n\n", _TRAILING.sub("", clean)).strip()
    if not any(character.isalnum() for character in clean):
        return Refused(rule=EMPTY)
    return Refused(rule=TOO_LONG) if len(clean) > CHARACTERS_MAX else clean
