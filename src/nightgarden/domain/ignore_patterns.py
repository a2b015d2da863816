"""The patterns of ignore files, as git reads them. Pure: text in, answers about relative paths out.

Does not read files and does not know which ignore file applies where; `remember/ignored.py` does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnorePattern:
    """One line of an ignore file. `shape` is matched against the path, or its last part when it is not anchored."""

    shape: re.Pattern[str]
    negated: bool
    folders_only: bool
    anchored: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        if self.folders_only and not is_folder:
            return False
        return self.shape.match(path if self.anchored else path.rpartition("/")[2]) is not None


_CLASSES = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9", "graph": "!-~",
    "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r" \t\n\r\f\v", "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}  # fmt: skip


def read_patterns(content: str) -> tuple[IgnorePattern, ...]:
    """The patterns of a file, in order; comments, empty lines and patterns that can never match are left out."""
    parsed = (_parse(line.removesuffix("\r")) for line in content.removeprefix("\ufeff").split("\n"))
    return tuple(pattern for pattern in parsed if pattern is not None)


def ruling(patterns: tuple[IgnorePattern, ...], path: str, *, is_folder: bool) -> bool | None:
    """Whether the patterns ignore a path (relative to their file), keep it, or say nothing: the last that matches."""
    for pattern in reversed(patterns):
        if pattern.matches(path, is_folder=is_folder):
            return not pattern.negated
    return None


def _parse(line: str) -> IgnorePattern | None:
    if line.startswith("#"):
        return None
    line = _without_trailing_spaces(line)
    negated = line.startswith("!")
    body = line[1:] if negated else line
    folders_only = body.endswith("/")
    body = body[:-1] if folders_only else body
    if not body:
        return None
    anchored = "/" in body
    expression = _translate(body.removeprefix("/"))
    if expression is None:
        return None
    return IgnorePattern(
        shape=re.compile(expression + r"\Z", re.DOTALL), negated=negated, folders_only=folders_only, anchored=anchored
    )


def _without_trailing_spaces(line: str) -> str:
    """Spaces at the end do not count unless a backslash keeps them."""
    end = kept = 0
    while end < len(line):
        if line[end] == "\\":
            end += 2
            kept = min(end, len(line))
        else:
            end += 1
            kept = end if line[end - 1] != " " else kept
    return line[:kept]


def _translate(pattern: str) -> str | None:
    """A regular expression for a pattern, or None when it can match nothing (an open bracket, a lone backslash)."""
    out: list[str] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "*":
            end = at
            while end < len(pattern) and pattern[end] == "*":
                end += 1
            out.append(_stars(pattern, at, end))
            # `**/` takes its slash along, because it also matches no folder at all.
            at = end + 1 if out[-1].endswith("/)?") else end
        elif character == "?":
            out.append("[^/]")
            at += 1
        elif character == "[":
            bracket = _bracket(pattern, at)
            if bracket is None:
                return None
            out.append(bracket[0])
            at = bracket[1]
        elif character == "\\":
            if at + 1 == len(pattern):
                return None
            out.append(re.escape(pattern[at + 1]))
            at += 2
        else:
            out.append(re.escape(character))
            at += 1
    return "".join(out)


def _stars(pattern: str, start: int, end: int) -> str:
    opens = start == 0 or pattern[start - 1] == "/"
    if end - start != 2 or not opens:
        return (
            "[^/]*"
            if end - start == 1 or not opens or (end < len(pattern) and pattern[end] != "/")
            else _across(pattern, end)
        )
    return _across(pattern, end)


def _across(pattern: str, end: int) -> str:
    """Two stars between slashes cross folders; elsewhere they are one star."""
    if end == len(pattern):
        return ".*"
    if pattern[end] == "/":
        return "(?:.*/)?"
    return "[^/]*"


def _bracket(pattern: str, start: int) -> tuple[str, int] | None:
    """A set of characters as an expression and where it ends; it never matches a slash."""
    at = start + 1
    negated = at < len(pattern) and pattern[at] in "!^"
    at += negated
    parts: list[str] = []
    first = True
    while at < len(pattern) and (first or pattern[at] != "]"):
        first = False
        if (
            pattern.startswith("[:", at)
            and (close := pattern.find(":]", at)) > 0
            and pattern[at + 2 : close] in _CLASSES
        ):
            parts.append(_CLASSES[pattern[at + 2 : close]])
            at = close + 2
            continue
        low, at = _literal(pattern, at)
        if low is None:
            return None
        if at + 1 < len(pattern) and pattern[at] == "-" and pattern[at + 1] != "]":
            high, at = _literal(pattern, at + 1)
            if high is None:
                return None
            if low <= high:
                parts.append(f"{_quoted(low)}-{_quoted(high)}")
        else:
            parts.append(_quoted(low))
    if at >= len(pattern):
        return None
    inside = "".join(parts)
    if not inside:
        return ("[^/]" if negated else "(?!)"), at + 1
    return (f"(?!/)[{'^' if negated else ''}{inside}]"), at + 1


def _quoted(character: str) -> str:
    return "\\" + character if character in r"\]^-[&~|" else character


def _literal(pattern: str, at: int) -> tuple[str | None, int]:
    if pattern[at] == "\\":
        return (pattern[at + 1], at + 2) if at + 1 < len(pattern) else (None, at + 1)
    return pattern[at], at + 1
