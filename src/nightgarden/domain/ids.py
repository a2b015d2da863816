"""Sortable ids. Pure: the moment and the entropy are passed in, so equal inputs give equal ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32, lower case
_TIME_CHARS, _RANDOM_CHARS = 10, 16
ID_LENGTH = _TIME_CHARS + _RANDOM_CHARS
SHORT_CHARS = 8  # shown to people, the last ones: 40 random bits, among 10,000 ids two alike have odds of 1 in 20,000
IN_TEXT = re.compile(rf"\b[0-9a-hjkmnp-tv-z]{{{ID_LENGTH}}}\b")
_RANDOM_SPAN = 1 << (5 * _RANDOM_CHARS)


def encode_id(milliseconds: int, entropy: int) -> str:
    """26 characters that sort by time, then by entropy."""
    number = (milliseconds << (5 * _RANDOM_CHARS)) | (entropy % _RANDOM_SPAN)
    return "".join(_ALPHABET[(number >> shift) & 31] for shift in range(5 * (ID_LENGTH - 1), -1, -5))


def is_id(text: str) -> bool:
    return len(text) == ID_LENGTH and all(character in _ALPHABET for character in text)


def ids_in(sentence: str) -> list[str]:
    """The ids that a sentence names."""
    return IN_TEXT.findall(sentence)


def earlier_than(id: str, milliseconds: int) -> str:
    """What sorts before every id that was made less than so long before this one."""
    made = sum(_ALPHABET.index(character) << (5 * place) for place, character in enumerate(reversed(id[:_TIME_CHARS])))
    return encode_id(max(0, made - milliseconds), 0)


class IdMaker:
    """Makes ids that never repeat and never run backwards, even within one millisecond or when the clock steps back."""

    def __init__(self, entropy: Callable[[], int]) -> None:
        self._entropy = entropy
        self._last_ms = -1
        self._last_random = 0

    def after(self, last: str) -> None:
        """The next ids sort behind this one, whatever the clock says. Anything that is no id is ignored."""
        if not is_id(last):
            return
        number = sum(_ALPHABET.index(character) << (5 * place) for place, character in enumerate(reversed(last)))
        milliseconds, entropy = number >> (5 * _RANDOM_CHARS), number % _RANDOM_SPAN
        if (milliseconds, entropy) > (self._last_ms, self._last_random):
            self._last_ms, self._last_random = milliseconds, entropy

    def make(self, at: datetime) -> str:
        milliseconds = int(at.timestamp() * 1000)
        if milliseconds <= self._last_ms:
            milliseconds = self._last_ms
            self._last_random += 1 + self._entropy() % 65536
        else:
            self._last_random = self._entropy() % (_RANDOM_SPAN >> 1)
        self._last_ms = milliseconds
        return encode_id(milliseconds, self._last_random)
