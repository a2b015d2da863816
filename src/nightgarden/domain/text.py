"""How text is cut into searchable terms, and how two texts are compared word by word.

Both stores index the terms made here, so that they rank alike. Identifiers are kept whole and split:
`parse_config` gives parse_config, pars, config; `HTTPServer` gives httpserver, http, server. Han, kana and hangul,
which are written without spaces, become overlapping pairs of characters.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Protocol

_WORD = re.compile(r"[^\W_]+(?:[_'’.\-][^\W_]+)*", re.UNICODE)
_PIECE = re.compile(r"[^\W_]+", re.UNICODE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_SPACES = re.compile(r"\s+")
_MAX_TERM_CHARS = 64

STOP_WORDS = frozenset(
    """a about after again all also am an and any are as at be because been before being but by can could did do does
    doing done down for from further had has have having he her here hers herself him himself his how i if in into is
    it its itself just like me more most my myself no nor not now of off on once only or other our ours ourselves out
    over own same she should so some such than that the their theirs them themselves then there these they this those
    through to too under until up very was we were what when where which while who whom why will with would you your
    yours yourself yourselves s t d ll m re ve don didn doesn isn wasn aren weren won wouldn couldn shouldn hasn haven
    hadn let us""".split()
)


class Stem(Protocol):
    """Cuts a lower-case word down to its stem."""

    def __call__(self, word: str, /) -> str: ...


@lru_cache(maxsize=1)
def _english() -> Stem:
    import Stemmer  # 3 ms; commands that never touch text do without

    stem: Stem = Stemmer.Stemmer("english", 0).stemWord
    return stem


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """The stem of a lower-case word; words that are not plain ASCII letters stay as they are."""
    return _english()(word) if word.isascii() and word.isalpha() else word


def fold(text: str) -> str:
    """Compatibility-normalised and without accents; case is kept, because identifiers are split by it."""
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))


@lru_cache(maxsize=65536)
def _word_terms(word: str) -> tuple[str, ...]:
    """All terms of one word as written: whole, and in its parts when it has any."""
    if _UNSPACED.search(word):
        return tuple(_unspaced_terms(word))
    pieces = [part for piece in _PIECE.findall(word) for part in _CAMEL.split(piece) if part]
    parts = [stem(piece.lower()) for piece in pieces]
    if len(pieces) == 1:
        return (parts[0][:_MAX_TERM_CHARS],)
    if word.lower().endswith(("'s", "’s")) and len(pieces) == 2:
        return (parts[0][:_MAX_TERM_CHARS],)
    whole = word.lower().replace("’", "'")
    return tuple(dict.fromkeys(term[:_MAX_TERM_CHARS] for term in (whole, *parts)))


def _unspaced_terms(word: str) -> Iterator[str]:
    for run in re.findall(rf"{_UNSPACED.pattern}+|[^\W_]+?(?={_UNSPACED.pattern}|$)", word):
        if len(run) == 1 or not _UNSPACED.match(run):
            yield run.lower()
        else:
            yield from (run[i : i + 2] for i in range(len(run) - 1))


def terms(text: str) -> list[str]:
    """The terms to index `text` by, in order, with repetitions."""
    return [term for word in _WORD.findall(fold(text)) for term in _word_terms(word)]


def query_terms(text: str) -> list[str]:
    """The distinct terms to search for, in order; stop words are left out unless there is nothing else."""
    found: dict[str, None] = {}
    stopped: dict[str, None] = {}
    for word in _WORD.findall(fold(text)):
        kept = found if word.lower().replace("’", "'").removesuffix("'s") not in STOP_WORDS else stopped
        kept.update(dict.fromkeys(_word_terms(word)))
    return list(found or stopped)


def words(text: str) -> frozenset[str]:
    """The set of lower-case words, for comparing two texts."""
    return frozenset(word.lower() for word in _WORD.findall(fold(text)))


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Shared words over all words, 0 to 1."""
    if not one and not other:
        return 1.0
    return len(one & other) / len(one | other)


def squash(text: str) -> str:
    """One space between words, none at the ends."""
    return _SPACES.sub(" ", text).strip()


def dedupe_key(content: str) -> str:
    """Equal for texts that differ only in case, spacing, accents or closing punctuation."""
    plain = squash(fold(content).casefold()).rstrip(".!;, ")
    return hashlib.sha256(plain.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def tag_name(raw: str) -> str:
    """How a tag is written: lower case, folded, spaces as hyphens, without a leading #."""
    return re.sub(r"[^\w:./+-]+", "-", fold(raw).lower().strip().lstrip("#")).strip("-")


def tag_names(raw: Iterable[str]) -> tuple[str, ...]:
    """Normalised, unique, sorted; empty ones left out."""
    return tuple(sorted({name for name in map(tag_name, raw) if name}))
