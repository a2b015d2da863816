"""Which language a sentence is in, by its small words. Tells the four we read apart; all else counts as English."""

from __future__ import annotations

import re

from nightgarden.remember.language.english import ENGLISH
from nightgarden.remember.language.french import FRENCH
from nightgarden.remember.language.german import GERMAN
from nightgarden.remember.language.lexicon import Lexicon
from nightgarden.remember.language.spanish import SPANISH

ALL: tuple[Lexicon, ...] = (ENGLISH, GERMAN, FRENCH, SPANISH)
_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)


def lexicon_of(text: str) -> Lexicon:
    """The lexicon whose small words occur most often; English on a tie."""
    words = [word.lower() for word in _WORD.findall(text)]
    return max(ALL, key=lambda lexicon: sum(word in lexicon.frequent for word in words))
