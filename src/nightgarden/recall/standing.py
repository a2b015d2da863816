"""Whether a turn of the user's holds for all that comes after it: an instruction for every time, or a preference. Pure.

"Always give version numbers when I ask about libraries" shares one word with "Which libraries do we use?" and belongs
to it all the same. Knows the usual openings in English, German, Spanish and French; other wording is not seen.
"""

from __future__ import annotations

import re
from enum import Enum

INSTRUCTION_WORDS_MAX = 25  # a longer turn tells a story in which "always" happens to stand

_INSTRUCTION = re.compile(
    r"(?:^|(?<=[.!?;:,\n])|(?<=[.!?;:,\n] ))\W{0,3}"
    r"(?:(?:please|and|also|so|but|ok|okay|bitte|und|por favor|y)[, ]+){0,2}"
    r"(?:always|never|whenever|every time|each time|from now on|immer|nie|niemals|ab jetzt|ab sofort|jedes mal"
    r"|siempre|nunca|a partir de ahora|cada vez|toujours|jamais|désormais|à partir de maintenant)\b"
    r"|\b(?:when|whenever|if|every time|each time) I (?:ask|mention|say|want|request|talk)\b"
    r"|\b(?:wenn|sobald) ich\b[^.!?\n]{0,40}\bfrage"
    r"|\b(?:cuando|cada vez que|siempre que) (?:te )?(?:pregunte|pida)\b"
    r"|\b(?:quand|chaque fois que) je (?:te )?demande\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\bI(?:'d| would)? (?:\w+ )?(?:prefer|rather)\b|\bmy preference\b"
    r"|\bI(?:'ve| have) (?:decided|chosen|settled|opted)\b"
    r"|\bich (?:bevorzuge|möchte lieber)\b|\bprefiero\b|\bje préfère\b",
    re.IGNORECASE,
)


class StandingRequest(Enum):
    """What a turn says for the time after it."""

    NOTHING = "nothing"
    INSTRUCTION = "instruction"
    PREFERENCE = "preference"


def standing(text: str) -> StandingRequest:
    """An instruction counts only in a short turn; a preference wherever it stands."""
    if len(text.split()) <= INSTRUCTION_WORDS_MAX and _INSTRUCTION.search(text) is not None:
        return StandingRequest.INSTRUCTION
    return StandingRequest.PREFERENCE if _PREFERENCE.search(text) is not None else StandingRequest.NOTHING
