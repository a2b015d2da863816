"""Unigram pieces of a SentencePiece model file, as numbers. Pure once the file is read.

Knows how a text is normalised by the table in the file and cut into the likeliest pieces. Pieces that mean something to
the model ("<s>" and its like) are never read out of a text: a memory that quotes them must not steer it."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from functools import lru_cache

UNKNOWN, START, END = 0, 1, 2  # fixed positions in the vocabulary
BLANK = "\u2581"  # stands before a word; no piece has it inside, so each word is cut for itself
CACHED_WORDS_MAX = 20_000
CACHED_WORD_CHARACTERS_MAX = 40  # longer ones are addresses, or Chinese and Japanese sentences: they do not repeat
CHARACTERS_PER_TOKEN_MAX = 32  # how far to read for one token of the limit; no piece is longer than 16
_NORMAL = 1  # the kind of a piece that stands for text
_UNKNOWN_BELOW = 10.0  # how much less likely an unknown character is than the least likely piece
_PIECES, _NORMALIZER = 1, 3  # fields of the file
_TEXT, _SCORE, _KIND, _TABLE = 1, 2, 3, 2  # fields of a piece, and of the normaliser
_LEAST = -1e38


class SentencePiece:
    """A tokenizer over one model file. Safe to share between threads."""

    def __init__(self, content: bytes) -> None:
        """Raises ValueError when the bytes are not such a file."""
        pieces: dict[str, int] = {}
        scores = array("f")
        table = b""
        try:
            for field, value in _fields(content):
                if field == _PIECES and isinstance(value, bytes):
                    inside = dict(_fields(value))
                    if inside.get(_KIND, _NORMAL) == _NORMAL:
                        pieces[str(inside[_TEXT], "utf-8")] = len(scores)  # type: ignore[arg-type]
                    scores.append(struct.unpack("<f", inside[_SCORE])[0])  # type: ignore[arg-type]
                elif field == _NORMALIZER and isinstance(value, bytes):
                    table = bytes(dict(_fields(value))[_TABLE])
            self._normalizer = _Normalizer(table)
        except (KeyError, IndexError, TypeError, struct.error) as error:
            raise ValueError(f"not a SentencePiece model: {error}") from error
        self._pieces, self._scores = pieces, scores
        self._unknown_score = min(scores) - _UNKNOWN_BELOW
        self._longest = max(map(len, pieces))
        self._cached = lru_cache(maxsize=CACHED_WORDS_MAX)(self._word_ids)

    def encode(self, text: str, *, tokens_max: int) -> list[int]:
        """Ids of the text between its two marks, cut to `tokens_max` in all."""
        room = tokens_max - 2
        ids: list[int] = []
        for word in self._normalizer.words(text[: room * CHARACTERS_PER_TOKEN_MAX]):
            ids += self._cached(word) if len(word) <= CACHED_WORD_CHARACTERS_MAX else self._word_ids(word)
            if len(ids) >= room:
                break
        return [START, *(ids[:room] or (UNKNOWN,)), END]

    def _word_ids(self, word: str) -> tuple[int, ...]:
        """The likeliest pieces that make up the word; a character that none has is unknown."""
        text = BLANK + word
        best = [0.0] + [_LEAST] * len(text)
        start_of, piece_of = [0] * len(best), [UNKNOWN] * len(best)
        get, scores = self._pieces.get, self._scores
        for start in range(len(text)):
            before = best[start]
            for end in range(start + 1, min(start + self._longest, len(text)) + 1):
                piece = get(text[start:end])
                if piece is not None and before + scores[piece] > best[end]:
                    best[end], start_of[end], piece_of[end] = before + scores[piece], start, piece
            after = start + 1
            if text[start] not in self._pieces and before + self._unknown_score > best[after]:
                best[after], start_of[after], piece_of[after] = before + self._unknown_score, start, UNKNOWN
        found: list[int] = []
        at = len(text)
        while at > 0:
            found.append(piece_of[at])
            at = start_of[at]
        return tuple(reversed(found))


class _Normalizer:
    """What stands for what, as a double-array trie over bytes followed by the replacements."""

    def __init__(self, table: bytes) -> None:
        size = int.from_bytes(table[:4], "little")
        self._units = struct.unpack_from(f"<{size // 4}I", table, 4)
        self._replacements = table[4 + size :]

    def words(self, text: str) -> list[str]:
        """The text as the model reads it, parted at blanks."""
        if not (text.isascii() and text.isprintable()):  # what is printable and ASCII stays as it is
            text = self._replace(text.encode("utf-8", "replace")).decode("utf-8", "replace")
        return [word for word in text.split(" ") if word]

    def _replace(self, raw: bytes) -> bytes:
        out = bytearray()
        at, length = 0, len(raw)
        while at < length:
            # Plain letters are replaced only together with a mark that follows them, and marks are not ASCII.
            if 0x20 <= raw[at] < 0x7F and (at + 1 == length or raw[at + 1] < 0x80):
                out.append(raw[at])
                at += 1
                continue
            end, value = self._longest(raw, at)
            if end > at:
                out += self._replacements[value : self._replacements.index(0, value)]
            else:
                end = at + 1
                while end < length and raw[end] & 0xC0 == 0x80:  # the rest of this character
                    end += 1
                out += raw[at:end]
            at = end
        return bytes(out)

    def _longest(self, raw: bytes, at: int) -> tuple[int, int]:
        """Where the longest known beginning ends, and where its replacement stands; `at` itself when none is known."""
        found, value = at, 0
        node = _offset(self._units[0])
        for position in range(at, len(raw)):
            node ^= raw[position]
            unit = self._units[node]
            if unit & 0x800000FF != raw[position]:
                break
            node ^= _offset(unit)
            if unit & 0x100:
                found, value = position + 1, self._units[node] & 0x7FFFFFFF
        return found, value


def _offset(unit: int) -> int:
    return (unit >> 10) << ((unit & 0x200) >> 6)


def _fields(content: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of one message of protocol buffers, with their values as they stand."""
    at = 0
    while at < len(content):
        key, at = _varint(content, at)
        match key & 7:
            case 0:
                value, at = _varint(content, at)
                yield key >> 3, value
                continue
            case 1:
                size = 8
            case 2:
                size, at = _varint(content, at)
            case 5:
                size = 4
            case kind:
                raise ValueError(f"not a SentencePiece model: a field of the unknown kind {kind}")
        yield key >> 3, content[at : at + size]
        at += size


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = content[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return value, at
