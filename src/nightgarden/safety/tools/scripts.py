"""Scripts of sed and awk: whether they do more than print, and which commands they start. Pure, one pass.

Whatever is not understood counts as doing more.
"""

from __future__ import annotations

import re

_STRING = re.compile(r'"(?:[^"\\\n]|\\.)*+"')
_SYSTEM = re.compile(r'system\s{0,8}\(\s{0,8}("(?:[^"\\\n]|\\.)*+")')
_BEFORE_REGEX = frozenset("(,{};!~&|=\n")
_PLAIN_SED = frozenset("dDgGhHlnNpPqQxz=F")
_LINE_SED = frozenset("aicrRbtT:}")  # take the rest of the line, and neither write nor run


def sed_does_more(script: str) -> bool:
    """Whether a script has a command that writes a file or runs something, or a substitution with such flags."""
    at = 0
    while at < len(script):
        at = _after_addresses(script, at)
        if at < 0:
            return True
        if at >= len(script):
            return False
        command = script[at]
        at += 1
        if command in "sy":
            at, flags = _after_substitution(script, at)
            if at < 0 or any(flag in flags for flag in "we"):
                return True
        elif command in _LINE_SED:
            start, at = at, _line_end(script, at)
            if command in "btT}" and (close := script.find(";", start, at)) >= 0:
                at = close
        elif command == "{" or command in _PLAIN_SED:
            continue
        elif command == "#":
            at = _line_end(script, at)
        else:
            return True
    return False


def _line_end(script: str, at: int) -> int:
    end = script.find("\n", at)
    return len(script) if end < 0 else end


def _after_addresses(script: str, at: int) -> int:
    """Where the command of a line begins; -1 when an address does not end."""
    while at < len(script):
        c = script[at]
        if c in " \t\n;!,~+$" or c.isdigit():
            at += 1
        elif c in "/\\":
            sign = script[at + 1 : at + 2] if c == "\\" else c
            end = _closing(script, at + (2 if c == "\\" else 1), sign)
            if end < 0:
                return -1
            at = end + 1
            while script[at : at + 1] in ("I", "M"):
                at += 1
        else:
            break
    return at


def _after_substitution(script: str, at: int) -> tuple[int, str]:
    sign = script[at : at + 1]
    middle = _closing(script, at + 1, sign)
    end = _closing(script, middle + 1, sign) if middle >= 0 else -1
    if end < 0:
        return -1, ""
    start = at = end + 1
    while at < len(script) and script[at] not in ";\n}":
        at += 1
    return at, script[start:at]


def _closing(script: str, at: int, sign: str) -> int:
    if not sign:
        return -1
    bracket, last = False, script.rfind("]")
    while at < len(script):
        c = script[at]
        if c == "\\" and not bracket:
            at += 2
            continue
        if c == sign and not bracket:
            return at
        if c == "[" and not bracket:
            bracket = last > at + 1
        elif c == "]":
            bracket = False
        at += 1
    return -1


def awk_does_more(program: str) -> bool:
    """Whether a program writes files, starts commands or loads code."""
    bare = _without_texts(program)
    if re.search(r"\b(?:system|getline|close|fflush)\b|@(?:load|include)|\|&|(?<!\|)\|(?!\|)", bare):
        return True
    return any(_redirects(statement) for statement in re.split(r"[;}\n]", bare) if "print" in statement)


def _redirects(statement: str) -> bool:
    """In a print, a `>` that stands in no brackets is a redirection."""
    depth = 0
    for c in statement[statement.rfind("print") :]:
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(c, 0)
        if c == ">" and depth <= 0:
            return True
    return False


def _without_texts(program: str) -> str:
    """Without its strings, expressions and comments."""
    kept: list[str] = []
    last = "\n"
    at = 0
    while at < len(program):
        c = program[at]
        if c == '"':
            found = _STRING.match(program, at)
            at = found.end() if found else len(program)
            last = c
        elif c == "/" and last in _BEFORE_REGEX:
            end = _closing(program, at + 1, "/")
            at = end + 1 if end >= 0 else len(program)
            last = c
        elif c == "#":
            at = _line_end(program, at)
        else:
            kept.append(c)
            last = c if not c.isspace() or c == "\n" else last
            at += 1
    return "".join(kept)


def started_by(program: str) -> tuple[str, ...]:
    """The commands that awk's `system` is given as plain strings."""
    return tuple(text[1:-1].replace('\\"', '"') for text in _SYSTEM.findall(program))
