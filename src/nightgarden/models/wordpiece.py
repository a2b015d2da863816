"""WordPiece tokens of BERT's uncased vocabulary, as numbers. Pure once the vocabulary is read.

Knows how text becomes token ids, singly or as the pair a cross-encoder wants. Unlike the reference library it gives no
meaning to "[SEP]" and its like inside a text: a memory that quotes them must not steer the model."""

from __future__ import annotations

import gzip
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from importlib import resources

UNKNOWN, CLS, SEP = 100, 101, 102  # fixed positions in the vocabulary
WORD_CHARACTERS_MAX = 100  # longer words are unknown: BERT's own limit
CACHED_WORDS_MAX = 20_000  # about 3 MB; ten long conversations hold 11,000 different words
CACHED_WORD_CHARACTERS_MAX = 40  # longer ones are hashes and addresses, which do not repeat
# How far to read for one token of the limit. A word is at most 100 characters, so this only ever cuts text that is
# mostly blanks or unprintable; it keeps a 10 MB text from being normalised for its first 512 tokens.
CHARACTERS_PER_TOKEN_MAX = 128

# What BERT takes as blank: tab, line ends and the space separators. Other control characters are dropped, not blanks,
# so str.split() would cut words in the wrong places.
_WORD = re.compile(r"[^\t\n\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+")
_PLAIN = re.compile(r"[a-z0-9]+")
_PLAIN_PARTS = re.compile(r"[a-z0-9]+|[^a-z0-9]")  # of printable ASCII: runs of letters and digits, single marks
# Control, format, surrogate and private characters. Unassigned ones stay: which are unassigned depends on Python's age.
_DROPPED = frozenset({"Cc", "Cf", "Cs", "Co"})
# Chinese characters stand alone, without blanks around them; the blocks are those of BERT.
_CHINESE = re.compile(
    "([\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f\U0002b740-\U0002b81f"
    "\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f])"
)


class WordPiece:
    """A tokenizer over one vocabulary. Safe to share between threads."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        self._vocabulary = vocabulary
        self._cached = lru_cache(maxsize=CACHED_WORDS_MAX)(self._word_ids)

    def pieces(self) -> dict[str, int]:
        """The vocabulary: each piece and its id."""
        return dict(self._vocabulary)

    def encode(self, text: str, *, tokens_max: int) -> list[int]:
        """Ids of the text between its two marks, cut to `tokens_max` in all."""
        return [CLS, *self._ids(text, tokens_max - 2), SEP]

    def encode_pair(self, first: str, second: str, *, tokens_max: int) -> tuple[list[int], list[int]]:
        """Ids of both texts and, for each, which of the two it belongs to. The longer one gives way first."""
        room = tokens_max - 3
        left, right = self._ids(first, room), self._ids(second, room)
        left = left[: max(room // 2, room - len(right))]
        right = right[: room - len(left)]
        ids = [CLS, *left, SEP, *right, SEP]
        return ids, [0] * (len(left) + 2) + [1] * (len(right) + 1)

    def word_ids(self, word: str) -> tuple[int, ...]:
        """Ids of one word, which has no blanks inside."""
        return self._cached(word) if len(word) <= CACHED_WORD_CHARACTERS_MAX else self._word_ids(word)

    def _ids(self, text: str, count_max: int) -> list[int]:
        ids: list[int] = []
        for found in _WORD.finditer(text[: count_max * CHARACTERS_PER_TOKEN_MAX]):
            ids.extend(self.word_ids(found.group()))
            if len(ids) >= count_max:
                break
        return ids[:count_max]

    def _word_ids(self, word: str) -> tuple[int, ...]:
        return tuple(piece for part in _parts(word) for piece in self._pieces(part))

    def _pieces(self, part: str) -> list[int]:
        """The longest known beginning, then the longest known continuation, and so on; all or nothing."""
        whole = self._vocabulary.get(part)
        if whole is not None:
            return [whole]
        if len(part) > WORD_CHARACTERS_MAX:
            return [UNKNOWN]
        pieces: list[int] = []
        start = 0
        while start < len(part):
            for end in range(len(part), start, -1):
                piece = self._vocabulary.get(part[start:end] if start == 0 else "##" + part[start:end])
                if piece is not None:
                    pieces.append(piece)
                    start = end
                    break
            else:
                return [UNKNOWN]
        return pieces


def _parts(word: str) -> Iterator[str]:
    """The word in lower case without accents, split at each punctuation mark and Chinese character."""
    if word.isascii() and word.isprintable():
        lowered = word.lower()
        if _PLAIN.fullmatch(lowered):
            yield lowered
        else:
            yield from _PLAIN_PARTS.findall(lowered)
        return
    letters: list[str] = []
    for run in _normalise(word).split():
        for character in run:
            if _is_punctuation(character):
                if letters:
                    yield "".join(letters)
                    letters.clear()
                yield character
            else:
                letters.append(character)
        if letters:
            yield "".join(letters)
            letters.clear()


def _normalise(word: str) -> str:
    """Without unprintable characters and accents, in lower case, with blanks around Chinese characters."""
    kept = "".join(c for c in word if c != "\ufffd" and unicodedata.category(c) not in _DROPPED)
    spaced = _CHINESE.sub(r" \1 ", kept)
    bare = "".join(c for c in unicodedata.normalize("NFD", spaced) if unicodedata.category(c) != "Mn")
    # Letter by letter as the models were trained: Python would write a sigma at a word's end differently.
    return bare.replace("Σ", "σ").lower()


def _is_punctuation(character: str) -> bool:
    return (character.isascii() and not character.isalnum()) or unicodedata.category(character)[0] == "P"


@lru_cache(maxsize=1)
def bert_uncased() -> WordPiece:
    """The tokenizer of every model in the catalog, read on first use (13 ms)."""
    packed = resources.files("nightgarden.models").joinpath("data/bert-base-uncased-vocab.txt.gz").read_bytes()
    words = gzip.decompress(packed).decode("utf-8").split("\n")
    return WordPiece({word: number for number, word in enumerate(words) if word})
