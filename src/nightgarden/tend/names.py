"""Names for clusters that a person can read: the words that most of its members share and few others have. Pure."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from nightgarden.domain.text import STOP_WORDS, query_terms, stem

WORDS_MAX = 3
SHARE_MIN = 0.2  # of the members must have a word that names them
_WORD = re.compile(r"[^\W\d_][\w+#.-]*[\w+#]|[^\W\d_]")


def count_terms(texts: Iterable[str]) -> Counter[str]:
    """In how many texts each term occurs."""
    found: Counter[str] = Counter()
    for text in texts:
        found.update(set(query_terms(text)))
    return found


def name_cluster(texts: list[str], usual: Mapping[str, int], texts_in_all: int) -> str:
    """Up to three telling words, the most telling first; empty when the texts have none in common."""
    inside = count_terms(texts)
    floor = max(2, math.ceil(SHARE_MIN * len(texts)))
    scored = [
        (number * math.log((1 + texts_in_all) / (1 + usual.get(term, number))), number, term)
        for term, number in inside.items()
        if number >= floor and len(term) > 2 and not term.isdigit()
    ]
    scored.sort(key=lambda each: (-each[0], -each[1], each[2]))
    shown: list[str] = []
    for _, _, term in scored:
        word = _as_written(term, texts)
        if word and not any(word in known or known in word for known in shown):
            shown.append(word)
        if len(shown) == WORDS_MAX:
            break
    return ", ".join(shown)


def _as_written(term: str, texts: list[str]) -> str:
    """The most frequent word behind a term."""
    words: Counter[str] = Counter()
    for text in texts:
        words.update(
            word.lower()
            for word in _WORD.findall(text)
            if word.lower() not in STOP_WORDS and term in (word.lower(), stem(word.lower()))
        )
    return min(words, key=lambda word: (-words[word], word)) if words else ""
