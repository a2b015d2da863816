"""Values of records as people read them: no brackets, quotes or names of types."""

from __future__ import annotations

import re

from nightgarden.domain.ids import IN_TEXT
from nightgarden.surfaces.cli.screen import cut, short, when

TYPE_CHECKING = False  # type checkers take it for true; importing typing costs a command 4 ms
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

NAME_CHARS = 60
NOTHING = "–"
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:\d\d)")
_CLUSTER = re.compile(r"\bcluster:\w+")


_TIERS = {1: "pinned", 2: "active", 3: "fading"}


def in_words(value: Any, name: str = "") -> str:
    """A value of a record, of the field of this name."""
    if name == "tier" and value in _TIERS:
        return _TIERS[value]
    if name in ("provenance", "kind") and isinstance(value, str):
        return value.replace("_", " ")
    match value:
        case None | "" | [] | {}:
            return NOTHING
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.3g}"
        case list() | tuple():
            return ", ".join(map(in_words, value))
        case dict():
            said = [f"{label(name)} {in_words(each)}" for name, each in value.items() if not is_empty(each)]
            return ", ".join(said) or NOTHING
        case str() if _MOMENT.fullmatch(value):
            return when(value)
        case _:
            return str(value)


def is_empty(value: Any) -> bool:
    """Whether there is nothing to say about a field."""
    return value in (None, "", [], (), {}) or value is False


def label(name: str) -> str:
    """The name of a field."""
    return name.replace("_", " ")


def quoted(text: str) -> str:
    """A memory, named by its text."""
    return f"“{cut(text, NAME_CHARS)}”"


def why(entry: Mapping[str, Any]) -> str:
    """Why a journal entry was written; of tending with the operation, which its reasons take for granted."""
    if entry["undoes"]:
        return f"undo of {short(entry['undoes'])}"
    tended = entry["actor"] == "tend" and entry["operation"]
    return f"{entry['operation']}: {entry['reason']}" if tended else str(entry["reason"])


def with_texts(sentence: str, texts: Mapping[str, str]) -> str:
    """The sentence with the text of a memory in the place of its id, and no hashes of clusters."""
    named = IN_TEXT.sub(lambda match: quoted(texts[match[0]]) if match[0] in texts else match[0], sentence)
    return _CLUSTER.sub("a common topic", named)
