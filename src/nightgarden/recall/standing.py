"""Whether a turn of the user's holds for all that comes after it: an order for every time, or a wish. Pure.

"Always give version numbers when I ask about libraries" shares one word with "Which libraries do we use?" and belongs
to it all the same. Knows the usual openings in English, German, Spanish and French, and sees no order in other words.
"""

from __future__ import annotations

import re
from enum import Enum

ORDER_WORDS_MAX = 25  # a longer turn tells a story in which "always" happens to stand

_ORDER = re.compile(
    r"(?:^|(?<=[.!?;:,\n])|(?<=[.!?;:,\n] ))\W*(?:(?:please|and|also|so|but|ok|okay|bitte|und|por favor|y)[, ]+){0,2}"
    r"(?:always|never|whenever|every time|each time|from now on|immer|nie|niemals|ab jetzt|ab sofort|jedes mal"
    r"|siempre|nunca|a partir de ahora|cada vez|toujours|jamais|désormais|à partir de maintenant)\b"
    r"|\b(?:when|whenever|if|every time|each time) I (?:ask|mention|say|want|request|talk)\b"
    r"|\b(?:wenn|sobald) ich\b[^.!?\n]{0,40}\bfrage"
    r"|\b(?:cuando|cada vez que|siempre que) (?:te )?(?:pregunte|pida)\b"
    r"|\b(?:quand|chaque fois que) je (?:te )?demande\b",
    re.IGNORECASE,
)
_WISH = re.compile(
    r"\bI(?:'d| would)? (?:\w+ )?(?:prefer|rather)\b|\bmy preference\b"
    r"|\bI(?:'ve| have) (?:decided|chosen|settled|opted)\b"
    r"|\bich (?:bevorzuge|möchte lieber)\b|\bprefiero\b|\bje préfère\b",
    re.IGNORECASE,
)


class Standing(Enum):
    """What a turn says for the time after it."""

    NOTHING = "nothing"
    ORDER = "order"
    WISH = "wish"


def standing(text: str) -> Standing:
    """An order counts only in a short turn; a wish wherever it stands."""
    if len(text.split()) <= ORDER_WORDS_MAX and _ORDER.search(text) is not None:
        return Standing.ORDER
    return Standing.WISH if _WISH.search(text) is not None else Standing.NOTHING
