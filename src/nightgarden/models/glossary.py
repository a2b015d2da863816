"""Texts in other languages put into English word by word, for networks and embedding models that read English only.

No translation: each word is replaced by the English one that a glossary has for it, in the order in which they stand,
and what the glossary does not know (names, numbers, commands) stays. Why that is enough: docs/why/other-languages.md.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_INSIDE = re.compile(r"['’-]")
# How often a language has these in any sentence tells which one it is, better than rarer words do. Those that English
# has as well are left out.
_SMALL_WORDS: Mapping[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "de": "der die das den dem und ich nicht ein eine einen ist wir mit auf für von zu bitte wie im es auch nur "
        "immer wird sind hat haben bei aus noch jetzt mal oder kein keine nie am zum",
        "es": "el la los las que qué una un por para con en no es se lo del al como más pero está son hay siempre "
        "ahora esta este mi y de nunca",
        "fr": "le la les des un une et est pas je nous vous que qui pour dans sur avec ne ce il elle au du plus "
        "mais toujours jamais c'est sont ont cette mon ma mes notre nos y de en se",
        "it": "il lo la gli le un una di del della dei delle che è e per con non si da dal al alla nel nella sono ho "
        "ha ma più come sempre mai anche questo questa ci mi",
        "pt": "o os as um uma de do da dos das que e é em no na nos nas não para pra por com se mais mas já está são "
        "foi sempre nunca agora isso esta este meu minha a tá",
        "nl": "de het een en ik niet van op te dat die er zijn voor met aan om ook maar nog naar bij dan wordt altijd "
        "nooit geen deze dit onze mijn wij heeft",
        "pl": "i w na z do nie się to jest są że o po od za dla przez ale już jak tylko zawsze nigdy przy czy ma mam "
        "mamy nasz moja mój jako",
        "ru": "и в на не с что это по у из за к для но уже как только всегда никогда при мы я он она они от до же мне "
        "нас наш есть",
    }.items()
}
_ENGLISH = frozenset(
    "the is are of to and for with we it not be by from our this that only when must has uses at on every after before "
    "as i a you my no".split()
)
_KNOWN_WORD = 0.3  # what a word of the glossary counts beside a small word
_AHEAD_MIN = 0.5  # of English, which is what most texts are
_LIKELY = 1  # what standing beside a text in that language counts
_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "de": ("en", "er", "es", "em", "e", "n", "s", "t", "te", "ten", "st"),
    "es": ("s", "es", "mente", "lo", "la", "los", "las", "le", "me", "se"),
    "fr": ("s", "e", "es", "x", "ment", "r"),
    "it": ("mente", "lo", "la", "li", "le", "ci", "si", "i", "e", "a", "o"),
    "pt": ("s", "es", "mente", "-se", "a", "o"),
    "nl": ("en", "e", "s", "n", "t", "je", "jes"),
    "pl": ("ami", "ach", "om", "ów", "em", "ie", "ego", "emu", "ych", "ym", "ej", *"ąęuyiaeo"),
    "ru": ("ами", "ах", "ов", "ом", "ем", "ого", "ому", "ых", "ым", "ей", "ой", *"ыиаеуюяо"),
}
_STEM_ENDINGS: Mapping[str, tuple[str, ...]] = {
    "de": ("", "e", "en", "n"),
    "es": ("", "o", "a", "ar", "er", "ir", "e"),
    "fr": ("", "e", "er", "r"),
    "it": ("", "o", "a", "e", "re"),
    "pt": ("", "o", "a", "r", "e"),
    "nl": ("", "e", "en"),
    "pl": ("", "a", "o", "e", "y", "i", "ć"),
    "ru": ("", "а", "о", "е", "я", "ь", "ый", "ий", "ть"),
}
_OF_PARTS = ("de", "nl")  # languages that write several words as one
_STEM_MIN, _PART_MIN, _WORD_MAX = 3, 4, 40
_LINKS = ("", "s", "n", "es", "en", "er")  # between the parts of a compound
_KANA = re.compile(r"[\u3040-\u30ff]")
_KANA_MIN = 2  # one may be a mark
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々ー]+")
_JAPANESE_MAX = 10  # characters of an entry


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


@lru_cache(maxsize=512)  # the same neighbours and memories are read again and again
def in_english(text: str, *, beside: str = "") -> Glossed:
    """A text in a language that there is a glossary for in English words; any other text as it is. What it is read
    beside is likely in the same language, which helps with short texts."""
    language = language_of(text, likely=language_of(beside) if beside else None)
    if language is None:
        return Glossed(text=text)
    parts: list[str] = []
    replaced: list[tuple[int, int, int, int]] = []
    done = length = 0
    for start, end, gloss in _japanese(text) if language == "ja" else _word_by_word(language, text):
        parts += (text[done:start], gloss)
        length += start - done
        replaced.append((length, length + len(gloss), start, end))
        length += len(gloss)
        done = end
    return Glossed(text="".join((*parts, text[done:])), replaced=tuple(replaced))


def language_of(text: str, *, likely: str | None = None) -> str | None:
    """Which language with a glossary a text is in; None for English and all others. The likely one needs less."""
    if len(_KANA.findall(text)) >= _KANA_MIN:
        return "ja"
    words = [found.group().lower() for found in _WORD.finditer(text)]
    english = sum(word in _ENGLISH for word in words)
    best, most = None, _AHEAD_MIN
    for language, small_words in _SMALL_WORDS.items():
        small = sum(word in small_words for word in words) - english + (_LIKELY if language == likely else 0)
        if small + _KNOWN_WORD * len(words) < most:
            continue  # even if it knew every word; nearly all English ends here
        ahead = small + _KNOWN_WORD * sum(_tells(language, word) for word in words)
        if ahead > most or (ahead == most and best is None):
            best, most = language, ahead
    return best


@lru_cache(maxsize=50_000)
def _tells(language: str, word: str) -> int:
    """Whether a word is one of the language (1) or not (-1); one that is English as well says nothing."""
    found = [gloss for part in _parts(word) if (gloss := _look_up(language, part)) is not None]
    return (1 if found[0] else 0) if found else -1


def _parts(word: str) -> tuple[str, ...]:
    """The word, and what stands on either side of an apostrophe or a hyphen."""
    return (word, *_INSIDE.split(word)) if _INSIDE.search(word) else (word,)


class _Glossary:
    """Forms in lower case with their glosses, in order. Kept packed in one piece: as a dictionary each language would
    take megabytes."""

    def __init__(self, language: str) -> None:
        file = resources.files("nightgarden.models").joinpath("data", f"glossary-{language}.tsv.gz")
        self._lines = gzip.decompress(file.read_bytes())

    def find(self, form: str) -> str | None:
        """Its gloss, which is empty where it means the same in English; None where it is not known."""
        key, low, high = form.encode() + b"\t", 0, len(self._lines)
        while low < high:
            middle = (low + high) // 2
            start, end = self._lines.rfind(b"\n", 0, middle) + 1, self._lines.find(b"\n", middle)
            line = self._lines[start:end]
            if line.startswith(key):
                return line[len(key) :].decode()
            low, high = (end + 1, high) if line < key else (low, start)
        return None


@cache
def _glossary(language: str) -> _Glossary:
    return _Glossary(language)


@lru_cache(maxsize=50_000)
def _look_up(language: str, form: str) -> str | None:
    return _glossary(language).find(form) if len(form) <= _WORD_MAX else None


def _word_by_word(language: str, text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and English of each word that has one."""
    for found in _WORD.finditer(text):
        gloss = _gloss(language, found.group().lower())
        if gloss:
            yield found.start(), found.end(), gloss


def _japanese(text: str) -> Iterator[tuple[int, int, str]]:
    """The same for a text without spaces: at each place the longest entry that stands there."""
    for run in _JAPANESE.finditer(text):
        at = run.start()
        while at < run.end():
            for end in range(min(run.end(), at + _JAPANESE_MAX), at, -1):
                gloss = _look_up("ja", text[at:end])
                if gloss:
                    yield at, end, f"{gloss} "
                    break
            else:
                end = at + 1
            at = end


@lru_cache(maxsize=20_000)
def _gloss(language: str, word: str) -> str | None:
    """The English for a word: as it stands, without its ending, or part by part; None where nothing is known."""
    if len(word) > _WORD_MAX:
        return None
    for form in _forms(language, word):
        gloss = _look_up(language, form)
        if gloss is not None:
            return gloss
    if _INSIDE.search(word):
        parts = [(part, _gloss(language, part)) for part in _INSIDE.split(word)]
        return " ".join(gloss or part for part, gloss in parts) if any(gloss for _, gloss in parts) else None
    return _compound(language, word) if language in _OF_PARTS else None


def _forms(language: str, word: str) -> Iterator[str]:
    """The word, and what it may be a form of, the likeliest first."""
    yield word
    if language == "de":
        yield word.replace("ae", "ä").replace("oe", "ö").replace("ue", "ü")
    if language == "ru":
        yield word.replace("ё", "е")
    for ending in _ENDINGS[language]:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _STEM_MIN:
            yield from (stem + other for other in _STEM_ENDINGS[language])


def _compound(language: str, word: str) -> str | None:
    """The longest first part that is known, with what the rest means."""
    for cut in range(len(word) - _PART_MIN, _PART_MIN - 1, -1):
        first = _first_part(language, word[:cut])
        rest = _gloss(language, word[cut:]) if first else None
        if first and rest:
            return f"{first} {rest}"
    return None


def _first_part(language: str, part: str) -> str | None:
    for link in _LINKS:
        stem = part.removesuffix(link) if link else part
        gloss = _look_up(language, stem) if (stem != part or not link) and len(stem) >= _STEM_MIN else None
        if gloss:
            return gloss
    return _look_up(language, part + "e") or _look_up(language, part + "en")
