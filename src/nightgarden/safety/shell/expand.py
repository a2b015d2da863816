"""Words to texts: quotes, braces, tildes, variables, substitutions, splitting. What cannot be known is UNKNOWN."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nightgarden.domain.secret_names import promises_secret
from nightgarden.safety.command_reading import UNKNOWN
from nightgarden.safety.shell.state import ShellState, Stream
from nightgarden.safety.shell.tree import INDIRECT, Literal, Opaque, Part, Script, Substitution, Variable, Word

ALTERNATIVES_MAX = 64  # of one word with braces
BRACED_MAX = 200  # characters of a word in which braces are looked for
TEXT_MAX = 200_000  # characters of one word, after variables
_RANGE = re.compile(r"-?\w{1,9}\.\.-?\w{1,9}")
Item = str | Part


class TooMuch(ValueError):
    """Reading it would take more than is spent on one action; the message says of what."""


@dataclass(slots=True)
class Expander:
    """Expands the words of one command. `run` gives what a script prints; `fetched` tells afterwards whether a word
    holds text from the network, `files` what is in the files that `<(…)` names."""

    state: ShellState
    run: Callable[[Script], Stream]
    files: dict[str, Stream]
    fetched: bool = False
    secrets: set[str] = field(default_factory=set)  # variables of the environment that are named like secrets
    _fields: list[str] = field(default_factory=list)
    _open: str | None = None

    def fields(self, words: Sequence[Word]) -> list[str]:
        """What a command is given, after splitting."""
        return [text for word in words for each in braces(word) for text in self._split(each)]

    def text(self, word: Sequence[Part]) -> str:
        """One text, not split: a value, a target, a document."""
        return _bounded("".join(self._joined(part, first=not at) for at, part in enumerate(word)))

    def _joined(self, part: Part, *, first: bool) -> str:
        if isinstance(part, Literal):
            return self._home(part) if first else part.text
        return " ".join(self._texts(part))

    def _home(self, part: Literal) -> str:
        if not part.quoted and (part.text == "~" or part.text.startswith("~/")):
            return self.state.home + part.text[1:]
        return part.text

    def _split(self, word: Word) -> list[str]:
        self._fields, self._open = [], None
        for at, part in enumerate(word):
            if isinstance(part, Literal):
                self._append(part.text if at else self._home(part))
                continue
            texts = self._texts(part)
            if isinstance(part, Variable | Substitution) and part.quoted:
                self._quoted(part, texts)
            else:
                for number, text in enumerate(texts):
                    if number:
                        self._flush()
                    self._pieces(text)
        self._flush()
        return self._fields

    def _quoted(self, part: Variable | Substitution, texts: Sequence[str]) -> None:
        """Several values of `"$@"` are several words, of which the first and the last join their neighbours."""
        several = isinstance(part, Variable) and (value := self.state.find(part.name)) is not None and value.array
        if not several:
            self._append(" ".join(texts))
            return
        for number, text in enumerate(texts):
            if number:
                self._flush()
            self._append(text)

    def _append(self, text: str) -> None:
        self._open = _bounded((self._open or "") + text)

    def _flush(self) -> None:
        if self._open is not None:
            self._fields.append(self._open)
        self._open = None

    def _pieces(self, text: str) -> None:
        pieces = text.split()
        if text[:1].isspace():
            self._flush()
        for number, piece in enumerate(pieces):
            if number:
                self._flush()
            self._append(piece)
        if pieces and text[-1:].isspace():
            self._flush()

    def _texts(self, part: Part) -> Sequence[str]:
        match part:
            case Literal(text):
                return (text,)
            case Variable():
                return self._values(part)
            case Substitution(body, _, file):
                stream = self.run(body)
                if file:
                    name = f"/dev/fd/{63 + len(self.files)}"
                    self.files[name] = stream
                    return (name,)
                self.fetched |= stream.fetched
                return (UNKNOWN if stream.text is None else stream.text.rstrip("\n"),)
            case Opaque(inner):
                self.text(inner)
                return (UNKNOWN,)

    def _values(self, part: Variable) -> Sequence[str]:
        value = self.state.find(part.name)
        if value is not None:
            self.fetched |= value.fetched
            self.secrets |= value.secrets
        elif part.name == INDIRECT or promises_secret(part.name):
            self.secrets.add("*" if part.name == INDIRECT else part.name)
        filled = value is not None and any(value.texts)
        if (part.operator == "-" and not filled) or (part.operator == "+" and (filled or value is None)):
            return (self.text(part.fallback),)
        if part.operator == "+":
            return ("",)
        return (UNKNOWN,) if value is None else value.texts


def _bounded(text: str) -> str:
    if len(text) > TEXT_MAX:
        raise TooMuch("a word becomes too long")
    return text


def braces(word: Word) -> list[Word]:
    """The words that `{a,b}` makes of one."""
    if not any(isinstance(part, Literal) and not part.quoted and "{" in part.text for part in word):
        return [word]
    items: list[Item] = []
    for part in word:
        if isinstance(part, Literal) and not part.quoted:
            items += part.text
        else:
            items.append(part)
    if len(items) > BRACED_MAX:
        return [(Opaque(word),)]
    return [_word(each) for each in _alternatives(items)]


def _alternatives(items: list[Item]) -> list[list[Item]]:
    start = 0
    while "{" in items[start:]:
        start = items.index("{", start)
        found = _arms(items, start)
        if found is None:
            start += 1
            continue
        arms, end = found
        heads = [[*items[:start], *each] for arm in arms for each in _alternatives(arm)]
        tails = _alternatives(items[end:])
        if len(heads) * len(tails) > ALTERNATIVES_MAX:
            raise TooMuch("a word has too many alternatives in braces")
        return [head + tail for head in heads for tail in tails]
    return [items]


def _arms(items: list[Item], start: int) -> tuple[list[list[Item]], int] | None:
    """What stands between the commas of a brace, and where it ends; None when it is no such brace."""
    depth, arms = 0, [[]]  # type: tuple[int, list[list[Item]]]
    for at in range(start, len(items)):
        item = items[at]
        if item == "{":
            depth += 1
        elif item == "}":
            depth -= 1
        if depth == 0:
            if len(arms) > 1:
                return arms, at + 1
            inside = "".join(each if isinstance(each, str) else " " for each in items[start + 1 : at])
            return ([[Opaque()]], at + 1) if _RANGE.match(inside) else None
        if item == "," and depth == 1:
            arms.append([])
        elif at > start:
            arms[-1].append(item)
    return None


def _word(items: list[Item]) -> Word:
    parts: list[Part] = []
    letters: list[str] = []
    for item in items:
        if isinstance(item, str):
            letters.append(item)
            continue
        if letters:
            parts.append(Literal("".join(letters)))
            letters = []
        parts.append(item)
    return (*parts, Literal("".join(letters))) if letters or not parts else tuple(parts)
