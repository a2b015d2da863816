"""Whether the items of an enumeration are things to do, or mere values: "Thursday", "50, max 200". Pure.

A step may be one word ("build"), and no list of verbs holds all of them. What is told apart is what can be no step:
figures, days, a yes or no, a place or time alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from nightgarden.domain.text import fold
from nightgarden.remember.compare.lexicon.alike import lemma
from nightgarden.remember.compare.lexicon.classes import classes_of

VALUE_WORDS_MAX = 4  # a longer item that begins with a place goes on to say what is done there
_MOMENTS = frozenset(("weekday", "month", "frequency", "daypart"))
_FIGURE = re.compile(r"[~<>≤≥±$€£#v]?\d")
_ONLY_WHERE = re.compile(
    r"(?:yes|no|nope|only|on|in|at|by|via|under|between|never|always|none|ja|nein|nur|auf|im|am|bei|unter|nie|immer|kein\w*"
    r"|oui|non|seulement|uniquement|sur|dans|chez|jamais|toujours|aucun\w*|sí|no|s[oó]lo|solamente|en|nunca|siempre|ning\w+"
    r"|sì|solo|su|nel\w*|mai|sempre|sim|não|só|apenas|em|n[oa]s?|nee|alleen|op|nooit|altijd)\b",
    re.IGNORECASE,
)
_LABELLED_FIGURE = re.compile(r"[^\W\d]+ \d[\d.,:]*")  # "max 200"
_WORD = re.compile(r"[^\W\d_]+")


def are_deeds(items: Sequence[str]) -> bool:
    """Whether most items of an enumeration can be steps."""
    return sum(_is_value(item) for item in items) * 2 < len(items)


def _is_value(item: str) -> bool:
    """Whether an item is a bare value, and nothing that could be done."""
    said = item.strip(" .,;:!\"'")
    if len(said.split()) > VALUE_WORDS_MAX:
        return False
    words = [lemma(fold(word).lower()) for word in _WORD.findall(said)]
    if _FIGURE.match(said) or _LABELLED_FIGURE.fullmatch(said) or _ONLY_WHERE.match(said) or not words:
        return True
    return any(classes_of(word) & _MOMENTS for word in words) and len(words) == 1
