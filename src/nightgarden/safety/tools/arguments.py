"""Arguments of a program, by meaning: `-rf`, `-r -f` and `--recursive --force` are the same. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spec:
    """The options that matter of a program. Each is written "r|R|recursive"; a ":" at the end says it takes a value."""

    names: Mapping[str, str]  # every spelling → the last, which is the name used here
    valued: frozenset[str]
    longs: tuple[str, ...]

    @classmethod
    def of(cls, *options: str) -> Spec:
        names: dict[str, str] = {}
        valued: set[str] = set()
        for option in options:
            spellings = option.removesuffix(":").split("|")
            names |= dict.fromkeys(spellings, spellings[-1])
            if option.endswith(":"):
                valued.add(spellings[-1])
        return cls(names, frozenset(valued), tuple(sorted(name for name in names if len(name) > 1)))

    def long(self, name: str) -> str:
        """The name that a long option stands for; a beginning that only one has is enough, as programs take it."""
        if name in self.names:
            return self.names[name]
        fitting = {self.names[long] for long in self.longs if name and long.startswith(name)}
        return fitting.pop() if len(fitting) == 1 else name


@dataclass(frozen=True, slots=True, kw_only=True)
class Arguments:
    """What was given: names of options, their values, and everything else in order."""

    options: frozenset[str]
    values: Mapping[str, tuple[str, ...]]
    operands: tuple[str, ...]
    rest: tuple[str, ...] = ()  # after "--", also among the operands

    def has(self, *names: str) -> bool:
        return not self.options.isdisjoint(names)

    def of(self, *names: str) -> tuple[str, ...]:
        return tuple(value for name in names for value in self.values.get(name, ()))


def read_arguments(args: Sequence[str], spec: Spec, *, stop_at_operand: bool = False) -> Arguments:
    """Options may stand anywhere, unless reading stops at the first operand (then it and all after it are operands)."""
    options: set[str] = set()
    values: dict[str, list[str]] = {}
    operands: list[str] = []
    rest: Sequence[str] = ()
    at = 0

    def take(name: str, value: str | None) -> None:
        nonlocal at
        options.add(name)
        if name in spec.valued:
            if value is None:
                value = args[at] if at < len(args) else ""
                at += 1
            values.setdefault(name, []).append(value)

    while at < len(args):
        word = args[at]
        at += 1
        if word == "--":
            rest = args[at:]
            break
        if word.startswith("--"):
            name, equals, value = word[2:].partition("=")
            take(spec.long(name), value if equals else None)
        elif word.startswith("-") and len(word) > 1:
            at_letter = 1
            while at_letter < len(word):
                name = spec.names.get(word[at_letter], word[at_letter])
                at_letter += 1
                if name in spec.valued:
                    take(name, word[at_letter:] or None)
                    break
                take(name, None)
        else:
            operands.append(word)
            if stop_at_operand:
                rest = args[at:]
                break
    return Arguments(
        options=frozenset(options),
        values={name: tuple(texts) for name, texts in values.items()},
        operands=(*operands, *rest),
        rest=tuple(rest),
    )


EVERY = Spec.of()
