"""Escapes inside `$'…'` and `printf`. Pure."""

from __future__ import annotations

_PLAIN = {
    "n": "\n",
    "t": "\t",
    "r": "\r",
    "a": "\a",
    "b": "\b",
    "e": "\x1b",
    "E": "\x1b",
    "f": "\f",
    "v": "\v",
    "\\": "\\",
    "'": "'",
    '"': '"',
    "?": "?",
}
_HEX = {"x": 2, "u": 4, "U": 8}


def ansi_c(text: str, start: int) -> tuple[str, int]:
    """The text of `$'…'` whose first letter is at `start`, and where it ends. What is not closed goes to the end."""
    letters: list[str] = []
    at = start
    while at < len(text) and text[at] != "'":
        if text[at] == "\\":
            letter, at = _escape(text, at + 1)
            letters.append(letter)
        else:
            letters.append(text[at])
            at += 1
    return "".join(letters), min(at + 1, len(text))


def unescape(text: str) -> str:
    """The text with its backslash escapes read, as `printf` and `echo -e` do."""
    letters: list[str] = []
    at = 0
    while at < len(text):
        if text[at] == "\\" and at + 1 < len(text):
            letter, at = _escape(text, at + 1)
            letters.append(letter)
        else:
            letters.append(text[at])
            at += 1
    return "".join(letters)


def _escape(text: str, at: int) -> tuple[str, int]:
    """The letter that an escape stands for; `at` is the place after the backslash."""
    sign = text[at : at + 1]
    if sign in _PLAIN:
        return _PLAIN[sign], at + 1
    if sign in _HEX:
        return _number(text, at + 1, _HEX[sign], "0123456789abcdefABCDEF", 16, "\\" + sign)
    if sign and sign in "01234567":
        return _number(text, at, 4 if sign == "0" else 3, "01234567", 8, "\\")
    return "\\" + sign, at + 1


def _number(text: str, at: int, digits: int, allowed: str, radix: int, otherwise: str) -> tuple[str, int]:
    end = at
    while end < len(text) and end - at < digits and text[end] in allowed:
        end += 1
    if end == at:
        return otherwise, at
    code = int(text[at:end], radix)
    return (chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else ""), end
