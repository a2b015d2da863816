"""How a text or a pair is laid out for the built-in classifier: word pieces, where each comes from, what it looks like.

The vocabulary knows no capitals, but "Hunter2" and "hunter" differ for what the classifier is asked, so each piece
carries the shape of the word it belongs to. Pure once the vocabulary is read. Training uses the same code."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum

from nightgarden.models.wordpiece import CLS, SEP, bert_uncased

# Words are runs between blanks; Chinese and Japanese characters stand alone, so that a part of a sentence can be named.
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
_WORD = re.compile(rf"[{_CJK}]|[^\s{_CJK}]+")
WORD_CHARS_MAX = 200  # what is longer is no word; its beginning tells as much


class Task(IntEnum):
    """What is asked of the classifier. Marks the first position, so that one encoder serves all questions."""

    MESSAGE = 20  # what in this message of a user is worth keeping
    PAIR = 21  # how a newer statement relates to an older one
    WRITE = 22  # may this be stored: a secret, chatter, or a statement
    TURN = 23  # does this memory help with this turn
    OCCASION = 24  # what kind of statement would help with this turn, and would any


SHAPES = 25


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoded:
    """One input: numbers for the network, and where the words of its second text stand."""

    ids: tuple[int, ...]
    segments: tuple[int, ...]
    shapes: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]  # start and end of each word of the second text that was read
    words: tuple[int, ...]  # for each position the number of its word in `spans`, or -1

    @property
    def complete(self) -> int:
        """How far the second text was read, in characters."""
        return self.spans[-1][1] if self.spans else 0


def encode(task: Task, first: str, second: str, *, first_max: int, tokens_max: int) -> Encoded:
    """Lays out both texts. The first keeps its end (the question stands last), the second its beginning."""
    left = _pieces(first[-first_max * 12 :], first_max * 4)[-first_max:] if first else []
    room = tokens_max - 3 - len(left)
    right = _pieces(second, room)
    spans: list[tuple[int, int]] = []
    words: list[int] = []
    for _, _, span in right:
        if not spans or spans[-1] != span:
            spans.append(span)
        words.append(len(spans) - 1)
    return Encoded(
        ids=(CLS, *(p[0] for p in left), SEP, *(p[0] for p in right), SEP),
        segments=(0,) * (len(left) + 2) + (1,) * (len(right) + 1),
        shapes=(int(task), *(p[1] for p in left), 0, *(p[1] for p in right), 0),
        spans=tuple(spans),
        words=(-1,) * (len(left) + 2) + tuple(words) + (-1,),
    )


def _pieces(text: str, count_max: int) -> list[tuple[int, int, tuple[int, int]]]:
    """Piece id, shape and place of the word, for as many pieces as there is room."""
    found: list[tuple[int, int, tuple[int, int]]] = []
    tokenizer = bert_uncased()
    for match in _WORD.finditer(text):
        word = match[0][:WORD_CHARS_MAX]
        shape = shape_of(word)
        for piece in tokenizer.word_ids(word):
            if len(found) >= count_max:
                return found
            found.append((piece, shape, match.span()))
    return found


_MARKS = "\"'`“”„«»()[]{}<>.,;:!?…—–"
_PATTERNS: tuple[tuple[int, re.Pattern[str]], ...] = (
    (13, re.compile(r"\w+://.*|[^@\s]+@[^@\s]+\.\w+")),
    (12, re.compile(r".*[/\\].*")),
    (5, re.compile(r"\d+")),
    (6, re.compile(r"[\d.,:%+-]*\d[\d.,:%+-]*")),
    (15, re.compile(r"(?=.*\d)[0-9a-f]{7,}")),
    (1, re.compile(r"[a-zà-ÿ']+")),
    (3, re.compile(r"[A-ZÀ-Þ]{2,}")),
    (2, re.compile(r"[A-ZÀ-Þ][a-zà-ÿ']*")),
    (4, re.compile(r"[A-Za-zÀ-ÿ']+")),
    (14, re.compile(r"[A-Za-zÀ-ÿ]+(?:[-_.][A-Za-zÀ-ÿ]+)+")),
    (16, re.compile(rf"[{_CJK}]+")),
    (17, re.compile(r"[^\W\d_]+")),
    (18, re.compile(r".{20,}")),
    (7, re.compile(r"[a-z0-9à-ÿ]+")),
    (8, re.compile(r"[A-Z0-9]+")),
    (9, re.compile(r"[A-Za-z0-9]+")),
    (10, re.compile(r".*\d.*")),
    (11, re.compile(r".*\w.*")),
)


def shape_of(word: str) -> int:
    """What a word looks like, as a small number; the marks around it do not count."""
    bare = word.strip(_MARKS)
    if not bare:
        return 0
    return next((number for number, pattern in _PATTERNS if pattern.fullmatch(bare)), 19)
