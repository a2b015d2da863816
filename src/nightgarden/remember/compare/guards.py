"""Signs that can be read off two statements: other numbers, one denial, names in another order, terms in common, and
whether one begins with the whole of the other.

Exact and quick. The first three forbid a merge whatever the two seem to mean: two copies are the cheaper mistake. Does
not see opposites without such a sign ("in words", "in figures").
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum, auto

from nightgarden.domain.text import query_terms

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_SPELLED = {
    "zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
    "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20",
    "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "once": "1", "twice": "2", "double": "2",
    "half": "½", "hundred": "100", "thousand": "1000", "zwei": "2", "drei": "3", "vier": "4", "fünf": "5",
    "sechs": "6", "sieben": "7", "acht": "8", "neun": "9", "zehn": "10", "zwölf": "12", "halb": "½", "dos": "2",
    "tres": "3", "cuatro": "4", "cinco": "5", "seis": "6", "siete": "7", "ocho": "8", "nueve": "9", "diez": "10",
    "deux": "2", "trois": "3", "quatre": "4", "cinq": "5", "sept": "7", "huit": "8", "neuf": "9", "dix": "10",
}  # fmt: skip
_CLAUSE_ENDS = tuple(",;.:!(")
_DENIES = frozenset(
    "no not never none nobody nothing neither nor without cannot don't doesn't didn't isn't aren't won't can't"
    " shouldn't mustn't nicht kein keine keinen keiner keinem nie niemals niemand ohne pas jamais sans aucun"
    " aucune rien nunca sin jamás tampoco nada não nem sem non mai senza niet geen nooit zonder nie bez".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signs:
    """What can be read off an older and a newer statement."""

    other_numbers: bool = False
    one_denies: bool = False
    names_swapped: bool = False
    shared_terms: int = 2
    repeats: bool = False  # the older one begins with the whole of the newer one, and takes nothing back after it
    goes_with: bool = False  # one begins with the whole of the other, and the newer one takes nothing back after it

    @property
    def mergeable(self) -> bool:
        """Whether nothing exact stands against taking the two for one."""
        return not (self.other_numbers or self.one_denies or self.names_swapped)


def signs(older: str, newer: str) -> Signs:
    """All signs of two statements."""
    return Signs(
        other_numbers=_numbers(older) != _numbers(newer),
        one_denies=_denied(older) != _denied(newer),
        names_swapped=not _names_in_order(older, newer),
        shared_terms=len(set(query_terms(older)) & set(query_terms(newer))),
        repeats=_adds(newer, older) is Addition.DETAIL,
        goes_with=_adds(newer, older) is not None or _adds(older, newer) is Addition.DETAIL,
    )


class Addition(Enum):
    """What a longer text says besides the shorter one that it begins with."""

    DETAIL = auto()
    DENIAL = auto()


def _adds(short: str, long: str) -> Addition | None:
    """None when the longer text is not the shorter one and a clause more."""
    start = short.strip().rstrip(".!;,").casefold()
    whole = long.strip().casefold()
    rest = whole[len(start) :]
    if not start or not whole.startswith(start) or rest[:1] not in ("", *_CLAUSE_ENDS):
        return None
    return Addition.DENIAL if _denied(rest) else Addition.DETAIL


def _numbers(text: str) -> frozenset[str]:
    spelled = {_SPELLED[word] for word in map(str.lower, _WORD.findall(text)) if word in _SPELLED}
    return frozenset({*_NUMBER.findall(text), *spelled})


def _denied(text: str) -> bool:
    return any(word.lower() in _DENIES for word in _WORD.findall(text))


def _names_in_order(one: str, other: str) -> bool:
    """Whether the names that both use come in one order: who reviews whom is told by nothing else."""
    first = list(dict.fromkeys(word for word in _WORD.findall(one) if word[0].isupper()))
    second = list(dict.fromkeys(word for word in _WORD.findall(other) if word[0].isupper()))
    return [word for word in first if word in second] == [word for word in second if word in first]
