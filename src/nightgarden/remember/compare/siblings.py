"""Things that are told apart by a number at the end of their name: gale-03 and gale-05, room4 and room5. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NUMBERED = re.compile(r"(?<![\w-])([^\W\d_]{2,30}-?)(\d{1,4})(?![\w-])")


def numbered_names(text: str) -> set[tuple[str, str]]:
    """Each such name as its stem and its number."""
    return {(match[1].casefold(), match[2]) for match in _NUMBERED.finditer(text)}


def is_of_a_sibling(known: str, new: str, others: Iterable[str]) -> bool:
    """Whether the new statement names a sibling of what the known one names, and one of the others names that very
    thing: "gale-03 is switched off" says nothing of gale-05 where something is known of gale-03."""
    named, theirs = numbered_names(new), numbered_names(known)
    if named & theirs or not {stem for stem, _ in named} & {stem for stem, _ in theirs}:
        return False
    return any(named & numbered_names(other) for other in others)
