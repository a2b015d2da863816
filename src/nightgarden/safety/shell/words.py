"""Words of shell text to their parts: quotes, escapes, variables, substitutions. The half of the parser that knows no
commands."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from nightgarden.safety.shell.quotes import ansi_c
from nightgarden.safety.shell.tree import INDIRECT, Literal, Opaque, Part, Script, Substitution, Variable, Word

DEPTH_MAX = 30  # nested substitutions and groups; people write three
BLANK = " \t\r"
ENDS_WORD = frozenset(" \t\r\n;&|<>()")
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_SPECIAL = frozenset("@*#?$!-0123456789")
_LOOKED_AHEAD_MAX = 4000  # characters, for the end of an arithmetic
# Two words in a row are no arithmetic: shells that do not know `((` take them for a command in two brackets.
_TWO_WORDS = re.compile(r"(?<![\w./-])[A-Za-z_./-][\w./-]*+\s++(?:[A-Za-z_\"'$~./]|-[A-Za-z-])")


class NotShell(ValueError):
    """The text cannot be read as shell; the message says why."""


@dataclass(slots=True)
class Words(ABC):
    """Reads from `at` on."""

    text: str
    at: int = 0
    depth: int = 0
    heredocs: list[tuple[str, bool, bool, list[Part]]] = field(default_factory=list)

    @abstractmethod
    def script(self, until: str) -> Script:
        """The commands up to `until`."""

    @abstractmethod
    def inside(self, text: str) -> Words:
        """A reader of a text that stands in this one."""

    def word(self) -> Word:
        parts: list[Part] = []
        while self.at < len(self.text):
            c = self.text[self.at]
            if self.at_process():
                self.at += 2
                parts.append(Substitution(self.script(")"), file=True))
                self.at += 1
            elif c == "(" and parts and _ends_in_glob(parts[-1]):
                self.skip_pattern()
                parts.append(Opaque())
            elif c in ENDS_WORD:
                break
            else:
                parts += self._piece(c)
        if not parts:
            raise NotShell(f"{self.text[self.at : self.at + 1]!r} stands where a word was expected")
        return tuple(parts)

    def _piece(self, c: str) -> list[Part]:
        if c == "\\":
            self.at += 2
            escaped = self.text[self.at - 1 : self.at]
            return [] if escaped == "\n" else [Literal(escaped, True)]
        if c == "'":
            return [Literal(self._until("'", self.at + 1), True)]
        if c == '"':
            self.at += 1
            inner = self.quoted_text('"')
            return inner or [Literal("", True)]
        if c in "$`":
            return [self._expansion(quoted=False)]
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in ENDS_WORD and self.text[self.at] not in "\\'\"$`":
            self.at += 1
        return [Literal(self.text[start : self.at])]

    def _until(self, end: str, start: int) -> str:
        found = self.text.find(end, start)
        if found < 0:
            raise NotShell("a quote is not closed")
        self.at = found + 1
        return self.text[start:found]

    def quoted_text(self, end: str) -> list[Part]:
        """What stands between double quotes, or a whole here-document when `end` is empty."""
        parts: list[Part] = []
        letters: list[str] = []
        while True:
            if self.at >= len(self.text):
                if end:
                    raise NotShell("a quote is not closed")
                break
            c = self.text[self.at]
            if end and c == end:
                self.at += 1
                break
            if c == "\\" and self.text[self.at + 1 : self.at + 2] in ("$", "`", "\\", "\n", end or "\n"):
                letters.append(self.text[self.at + 1].replace("\n", ""))
                self.at += 2
            elif c in "$`":
                if letters:
                    parts.append(Literal("".join(letters), True))
                    letters = []
                parts.append(self._expansion(quoted=True))
            else:
                letters.append(c)
                self.at += 1
        return [*parts, Literal("".join(letters), True)] if letters else parts

    def _expansion(self, *, quoted: bool) -> Part:
        rest = self.text
        if rest[self.at] == "`":
            return self._backticks(quoted=quoted)
        after = rest[self.at + 1 : self.at + 2]
        if rest.startswith("((", self.at + 1):
            self.at += 1
            if (inner := self.arithmetic()) is not None:
                return Opaque(tuple(inner))
            self.at -= 1
        if after == "(":
            self.at += 2
            body = self.script(")")
            self.at += 1
            return Substitution(body, quoted)
        if after == "{":
            return self._braced(quoted=quoted)
        if after == "'" and not quoted:
            text, self.at = ansi_c(rest, self.at + 2)
            return Literal(text, True)
        if after == '"' and not quoted:
            self.at += 1
            return Literal("")
        self.at += 1
        if after and after in _SPECIAL:
            self.at += 1
            return Variable(after, quoted)
        start = self.at
        while self.at < len(rest) and rest[self.at] in NAME:
            self.at += 1
        return Variable(rest[start : self.at], quoted) if self.at > start else Literal("$", True)

    def _backticks(self, *, quoted: bool) -> Part:
        end = self.at + 1
        while end < len(self.text) and self.text[end] != "`":
            end += 2 if self.text[end] == "\\" else 1
        if end >= len(self.text):
            raise NotShell("a backtick is not closed")
        inner = self.text[self.at + 1 : end].replace("\\`", "`").replace("\\$", "$").replace("\\\\", "\\")
        self.at = end + 1
        return Substitution(self.inside(inner).script(""), quoted)

    def _braced(self, *, quoted: bool) -> Part:
        """`${…}`: a name, perhaps with what is taken instead; other operators are not worked out."""
        self.at += 2
        start = self.at
        while self.at < len(self.text) and (self.text[self.at] in NAME or self.text[self.at] in "@*"):
            self.at += 1
        name = self.text[start : self.at]
        for index in ("[@]", "[*]"):
            if self.text.startswith(index, self.at):
                self.at += 3
        operator = ""
        for sign in (":-", ":=", ":+", "-", "=", "+"):
            if name and self.text.startswith(sign, self.at):
                operator = "+" if sign.endswith("+") else "-"
                self.at += len(sign)
                break
        indirect = self.text.startswith("!", self.at) and not name
        inner = self.quoted_text("}")
        if not name or (inner and not operator):
            named = INDIRECT if indirect else name
            return Opaque((Variable(named, quoted), *inner) if named else tuple(inner))
        return Variable(name, quoted, operator, tuple(inner))

    def skip_pattern(self) -> None:
        """A pattern up to its `)`. Commands may hide in it; then nothing is said about the whole."""
        end = self.text.find(")", self.at + 1)
        if end < 0 or "$(" in self.text[self.at : end] or "`" in self.text[self.at : end]:
            raise NotShell("a pattern is not read")
        self.at = end + 1

    def arithmetic(self, *, never: str = "") -> list[Part] | None:
        """What stands between `((` and `))`; None when they are brackets of subshells, which look alike."""
        open_, end = 0, self.at
        while end < min(len(self.text), self.at + _LOOKED_AHEAD_MAX):
            open_ += {"(": 1, ")": -1}.get(self.text[end], 0)
            end += 1
            if open_ == 1 and self.text[end - 1] == ")":
                break
        if not self.text.startswith(")", end) or _TWO_WORDS.search(self.text, self.at + 2, end):
            return None
        if any(sign in self.text[self.at : end] for sign in never):
            return None
        inner = self.inside(self.text[self.at + 2 : end - 1])
        if inner.depth > DEPTH_MAX:
            raise NotShell("it is nested too deeply")
        self.at = end + 1
        return inner.quoted_text("")

    def at_process(self) -> bool:
        return self.text.startswith(("<(", ">("), self.at)

    def blanks(self) -> None:
        while self.at < len(self.text):
            if self.text[self.at] in BLANK:
                self.at += 1
            elif self.text.startswith("\\\n", self.at):
                self.at += 2
            else:
                return


def _ends_in_glob(part: Part) -> bool:
    return isinstance(part, Literal) and not part.quoted and part.text[-1:] in tuple("?*+@!")
