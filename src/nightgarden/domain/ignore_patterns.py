"""The patterns of ignore files, as git reads them. Pure: text in, answers about relative paths out.

Does not read files and does not know which ignore file applies where; `remember/ignored.py` does.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PATTERNS_MAX = 2_000  # of one file; the longest that projects really have is about 600 lines
PATTERN_CHARS_MAX = 1_000
ACROSS = None  # in the place of a part's shape: any number of folders, also none
Parts = tuple[re.Pattern[str] | None, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class IgnorePattern:
    """One line of an ignore file: a shape for each part of the path, or for its last part when it is not anchored."""

    parts: Parts
    negated: bool
    folders_only: bool
    anchored: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        if self.folders_only and not is_folder:
            return False
        return _fits(self.parts, path.split("/") if self.anchored else [path.rpartition("/")[2]])


EVERYTHING = IgnorePattern(parts=(re.compile(".*", re.DOTALL),), negated=False, folders_only=False, anchored=False)


def _fits(shapes: Parts, parts: list[str]) -> bool:
    """Whether the shapes cover all parts. When one does not fit, only the last `**` takes in one part more: an earlier
    one could win nothing by it, so the time is the product of both lengths at most."""
    at = shape = 0
    retry: tuple[int, int] | None = None
    while at < len(parts):
        if shape < len(shapes) and (wanted := shapes[shape]) is not ACROSS and wanted.fullmatch(parts[at]):
            at, shape = at + 1, shape + 1
        elif shape < len(shapes) and shapes[shape] is ACROSS:
            if shape == len(shapes) - 1:
                return True  # at the end it stands for at least one part, and here is one
            retry = (at, shape + 1)
            shape += 1
        elif retry is not None:
            at, shape = retry[0] + 1, retry[1]
            retry = (at, shape)
        else:
            return False
    return shape == len(shapes)


_CLASSES = {
    "alnum": "a-zA-Z0-9", "alpha": "a-zA-Z", "blank": r" \t", "cntrl": r"\x00-\x1f\x7f", "digit": "0-9", "graph": "!-~",
    "lower": "a-z", "print": " -~", "punct": r"!-/:-@\[-`{-~", "space": r" \t\n\r\f\v", "upper": "A-Z",
    "xdigit": "0-9a-fA-F",
}  # fmt: skip


def read_patterns(content: str) -> tuple[IgnorePattern, ...]:
    """The patterns of a file, in order; comments, empty lines and patterns that can never match are left out.

    A file that nobody wrote by hand, with more or longer patterns than that, excludes everything.
    """
    lines = content.removeprefix("\ufeff").split("\n")
    parsed = [_parse(line.removesuffix("\r")) for line in lines if len(line) <= PATTERN_CHARS_MAX]
    found = tuple(pattern for pattern in parsed if pattern is not None)
    return found if len(parsed) == len(lines) and len(found) <= PATTERNS_MAX else (EVERYTHING,)


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
    parts = _translate(body.removeprefix("/"))
    if parts is None:
        return None
    return IgnorePattern(parts=parts, negated=negated, folders_only=folders_only, anchored=anchored)


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


def _translate(pattern: str) -> Parts | None:
    """A shape for each part, or None when the pattern can match nothing (an open bracket, a lone backslash)."""
    parts: list[re.Pattern[str] | None] = []
    chunks = [""]  # of this part, between its stars
    at = begin = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "*":
            end = at + len(pattern[at:]) - len(pattern[at:].lstrip("*"))
            if at == begin and end - at >= 2 and pattern[end : end + 1] in ("", "/"):
                parts.append(ACROSS)
                at = begin = end + 1
                if end == len(pattern):
                    return tuple(parts)
                continue
            chunks.append("")
            at = end
        elif character == "/":
            parts.append(_part(chunks))
            chunks = [""]
            at = begin = at + 1
        else:
            one = _one(pattern, at)
            if one is None:
                return None
            chunks[-1] += one[0]
            at = one[1]
    return (*parts, _part(chunks))


def _part(chunks: list[str]) -> re.Pattern[str]:
    """The shape of one part. A chunk after a star is taken where it comes first, and nothing is tried again: the next
    star makes up for it. Only the last has to reach to the end."""
    first, *others = chunks
    inner = "".join(f"(?>.*?{chunk})" for chunk in others[:-1])
    return re.compile(first + inner + (f".*{others[-1]}" if others else ""), re.DOTALL)


def _one(pattern: str, at: int) -> tuple[str, int] | None:
    """One character of a pattern as an expression, and where the next begins."""
    match pattern[at]:
        case "?":
            return ".", at + 1
        case "[":
            return _bracket(pattern, at)
        case "\\":
            return (re.escape(pattern[at + 1]), at + 2) if at + 1 < len(pattern) else None
        case character:
            return re.escape(character), at + 1


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
