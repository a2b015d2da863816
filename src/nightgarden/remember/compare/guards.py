"""What forbids a merge whatever two statements seem to mean: other numbers, one denial, names in another order.

Exact and quick; errs on the side of two copies. Does not see opposites without such a sign ("in words", "in figures").
"""

from __future__ import annotations

import re

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
_DENIES = frozenset(
    "no not never none nobody nothing neither nor without cannot don't doesn't didn't isn't aren't won't can't"
    " shouldn't mustn't nicht kein keine keinen keiner keinem nie niemals niemand ohne pas jamais sans aucun"
    " aucune rien nunca sin jamás tampoco nada não nem sem non mai senza niet geen nooit zonder nie bez".split()
)


def may_merge(one: str, other: str) -> bool:
    """Whether nothing exact stands against taking the two for one."""
    return _numbers(one) == _numbers(other) and _denied(one) == _denied(other) and _names_in_order(one, other)


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
