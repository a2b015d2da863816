"""Whether a text is English, as far as small words and letters tell. Pure; names no other language."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Small words of other languages, and letters of other scripts.
_NOT_ENGLISH = re.compile(
    r"\b(?:der|die|das|den|dem|und|ich|nicht|ein|eine|einen|ist|wir|mit|auf|für|von|zu|bitte|wie|le|la|les|des|du|une|est"
    r"|pour|dans|pas|je|el|los|las|que|qué|una|por|para|con|en|il|che|di|per|het|een|niet|voor|não|uma|się|jest|nie)\b"
    r"|[^\W\d_a-zA-ZÀ-ɏ]",
    re.IGNORECASE,
)
_SMALL_WORDS_MIN = 2  # one may be a name
_BEYOND_WESTERN = re.compile(r"[^\W\d_a-zA-ZªºµÀ-ÿœŒ]")


def in_other_language(text: str) -> bool:
    """Whether a text is not English, as far as its small words and letters tell."""
    return len(_NOT_ENGLISH.findall(text)) >= _SMALL_WORDS_MIN


def small_words(text: str) -> frozenset[str]:
    """Its small words, in lower case, if it is in another language."""
    found = frozenset(map(str.lower, _NOT_ENGLISH.findall(text)))
    return found if in_other_language(text) else frozenset()


_ENGLISH = re.compile(
    r"\b(?:the|is|are|of|to|and|for|with|we|it|not|be|by|from|our|this|that|only|when|must|has|uses|at|on|no|every|after"
    r"|before|as)\b",
    re.IGNORECASE,
)
_WORDS_MIN = 5  # fewer may have none of the small words of their language


def is_plainly_english(text: str) -> bool:
    """Whether it has a small word of English, and not two of others. A short text may be English without."""
    return _ENGLISH.search(text) is not None and not in_other_language(text)


def beyond_western_letters(text: str) -> bool:
    """Whether a text has letters that neither English nor its western neighbours have: Polish, Turkish, Russian,
    Chinese. A single one may be part of a name."""
    return len(_BEYOND_WESTERN.findall(text)) >= _SMALL_WORDS_MIN


def count_in_other_languages(texts: Iterable[str]) -> int:
    """How many of these statements are not English. Also sees languages whose small words are not listed above; takes
    one in twenty English ones for another language, so it is for many texts and not for one."""
    return sum(
        in_other_language(text) or (len(text.split()) >= _WORDS_MIN and _ENGLISH.search(text) is None) for text in texts
    )
