"""German and Spanish put into English word by word, for networks and embedding models that read English only.

No translation: each word is replaced by the English one that a glossary has for it, in the order in which they stand,
and what the glossary does not know (names, numbers, commands) stays. Why that is enough: docs/why/other-languages.md.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# How often a language has these in any sentence tells which one it is, better than rarer words do.
_SMALL_WORDS: Mapping[str, frozenset[str]] = {
    "de": frozenset(
        "der die das den dem und ich nicht ein eine einen ist wir mit auf für von zu bitte wie im es auch nur immer "
        "wird sind hat haben bei aus noch jetzt mal oder kein keine nie am zum".split()
    ),
    "es": frozenset(
        "el la los las que qué una un por para con en no es se lo del al como más pero ya está son hay siempre ahora "
        "esta este mi y de nunca".split()
    ),
    "en": frozenset(
        "the is are of to and for with we it not be by from our this that only when must has uses at on every after "
        "before as i a you my in no".split()
    ),
}
_KNOWN_WORD = 0.3  # what a word of the glossary counts beside a small word
_AHEAD_MIN = 0.5  # of English, which is what most texts are
_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "de": ("en", "er", "es", "em", "e", "n", "s", "t", "te", "ten", "st"),
    "es": ("s", "es", "mente", "lo", "la", "los", "las", "le", "me", "se"),
}
_STEM_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "de": ("", "e", "en", "n"),
    "es": ("", "o", "a", "ar", "er", "ir", "e"),
}
_STEM_MIN, _PART_MIN, _WORD_MAX = 3, 4, 40
_LINKS = ("", "s", "n", "es", "en", "er")  # between the parts of a German compound


@dataclass(frozen=True, slots=True, kw_only=True)
class Glossed:
    """A text in English words, and where each word that was replaced stood."""

    text: str
    replaced: tuple[tuple[int, int, int, int], ...] = ()  # start and end in `text`, start and end in the original

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of `text` stands in the original; a replaced word is never cut."""
        return self._back(start, last=False), self._back(end, last=True)

    def _back(self, position: int, *, last: bool) -> int:
        shift = 0
        for start, end, old_start, old_end in self.replaced:
            if position < start or (last and position == start):
                break
            if position < end or (last and position == end):
                return old_end if last else old_start
            shift = old_end - end
        return position + shift


def in_english(text: str) -> Glossed:
    """A German or Spanish text in English words; any other text as it is."""
    language = language_of(text)
    if language is None:
        return Glossed(text=text)
    parts: list[str] = []
    replaced: list[tuple[int, int, int, int]] = []
    done = length = 0
    for found in _WORD.finditer(text):
        gloss = _gloss(language, found.group().lower())
        if not gloss:
            continue
        parts += (text[done : found.start()], gloss)
        length += found.start() - done
        replaced.append((length, length + len(gloss), found.start(), found.end()))
        length += len(gloss)
        done = found.end()
    return Glossed(text="".join((*parts, text[done:])), replaced=tuple(replaced))


def language_of(text: str) -> str | None:
    """Which language with a glossary a text is in; None for English and all others."""
    words = [found.group().lower() for found in _WORD.finditer(text)]
    points = {
        language: sum(word in small for word in words)
        + _KNOWN_WORD * sum(word in _glossary(language) for word in words)
        for language, small in _SMALL_WORDS.items()
        if language != "en"
    }
    english = sum(word in _SMALL_WORDS["en"] for word in words) + _KNOWN_WORD * sum(
        not any(word in _glossary(language) for language in points) for word in words
    )
    best = max(points, key=lambda language: points[language])
    return best if points[best] >= english + _AHEAD_MIN else None


@cache
def _glossary(language: str) -> Mapping[str, str]:
    """By form, in lower case. An empty gloss: it means the same in English."""
    packed = resources.files("nightgarden.models").joinpath("data", f"glossary-{language}.tsv.gz").read_bytes()
    lines = gzip.decompress(packed).decode("utf-8").splitlines()
    return dict(_fields(line) for line in lines)


def _fields(line: str) -> tuple[str, str]:
    form, _, gloss = line.partition("\t")
    return form, gloss


@lru_cache(maxsize=20_000)
def _gloss(language: str, word: str) -> str | None:
    """The English for a word: as it stands, without its ending, or part by part; None where nothing is known."""
    if len(word) > _WORD_MAX:
        return None
    glossary = _glossary(language)
    for form in _forms(language, word):
        if form in glossary:
            return glossary[form]
    if "-" in word:
        parts = [(part, _gloss(language, part)) for part in word.split("-")]
        return " ".join(gloss or part for part, gloss in parts) if any(gloss for _, gloss in parts) else None
    return _compound(word, glossary) if language == "de" else None


def _forms(language: str, word: str) -> Iterable[str]:
    """The word, and what it may be a form of, the likeliest first."""
    yield word
    if language == "de":
        yield word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü")
    for ending in _ENDINGS[language]:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _STEM_MIN:
            yield from (stem + other for other in _STEM_ENDINGS[language])


def _compound(word: str, glossary: Mapping[str, str]) -> str | None:
    """The longest first part that is known, with what the rest means."""
    for cut in range(len(word) - _PART_MIN, _PART_MIN - 1, -1):
        first = _first_part(word[:cut], glossary)
        rest = _gloss("de", word[cut:]) if first else None
        if first and rest:
            return f"{first} {rest}"
    return None


def _first_part(part: str, glossary: Mapping[str, str]) -> str | None:
    for link in _LINKS:
        stem = part.removesuffix(link) if link else part
        if (stem != part or not link) and len(stem) >= _STEM_MIN and glossary.get(stem):
            return glossary[stem]
    return glossary.get(part + "e") or glossary.get(part + "en")
