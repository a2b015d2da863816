"""What the classifier finds worth keeping in a user's message, as pieces that read as statements. Pure, given it.

The classifier scores words; people speak in sentences and clauses. A sentence most of whose words are kept is kept
whole; of another the clauses that carry the kept words. A piece that points back ("it", "that one") takes the sentence
before it along, and a bare answer the question it answers. What forbids something is a statement of its own, by the
exact rules: a guard reads it, and it must not fall with a fact that was said beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from nightgarden.domain.classify import CATEGORIES, MessageScores, WordScores
from nightgarden.domain.memory import Category
from nightgarden.remember.extract.answered_question import with_question
from nightgarden.remember.extract.references import ends_pointing_back, hangs_on_the_last, points_back, refers
from nightgarden.remember.extract.rewrite import asked_by_agent
from nightgarden.remember.language import lexicon_of
from nightgarden.remember.shape import infer_category

FRAGMENT_WORDS_MAX = 3  # of a sentence that says nothing without the one before it
WHOLE_SHARE = 0.4  # of a sentence's words, from which it is kept whole
BESIDE_BEST_MIN = 0.95  # of the best piece's mean, for another piece of the same message
# The same for what is kept only where it changes or repeats something known, and how much it must sound like a change.
NEWS_WORD_MIN, NEWS_SCORE_MIN, NEWS_CHANGE_MIN = 0.2, 0.3, 0.5
ASIDE_MAX = 0.3  # of every word of a clause at the end of a sentence, for it to be left out
WORDS_MIN = 3  # shorter pieces need the question they answer
CLAUSE_WORDS_MIN = 4  # of a part of a sentence
ANSWER_WORDS_MAX = 7  # a longer piece says what it is about
CHARS_MAX = 400
QUESTION_CHARS_MAX = 160

_END = re.compile(r"(?<![.!?…])[.!?…]++[\"')\]»”]*+(?=\s|$)|[。！？]|\n++")
_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|vs|etc|approx|no|nr|bzw|ca|usw|dr|mr|mrs|ms|st|inc|ltd|cf|min|max|sr|z\.b|d\.h|p\.ej)|\b\w"
    r"|\b(?:am|den|dem|der|vom|zum|bis|ab|seit|jeden) \d{1,2})\.$",
    re.I,
)
_CLAUSE = re.compile(
    r"[,;:，；、]\s*|\s[-–—]{1,2}\s|\s\(|\)\s?|\s(?=(?:and|but|so|because|und|aber|weil|et|mais|y|pero|porque|e|ma|maar|en|mas)\s)",
    re.I,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePiece:
    """A part of a message that says something lasting."""

    start: int
    end: int
    text: str  # as said, with what it points back to
    score: float
    category: Category
    personal: float
    change: float  # how much it sounds like news
    mean: float  # of what is said of its words


def find_pieces(
    text: str, read: MessageScores, *, previous: str, score_min: float, word_min: float
) -> list[MessagePiece]:
    """All pieces of a message that score high enough, in order. `read` is what the classifier says of its words."""
    found: list[MessagePiece] = []
    for left, right, before in _joined(text, read.words, word_min):
        inside = [word for word in read.words if word.start < right and word.end > left]
        score = score_of([word for word in inside if word.keep >= word_min] or inside, read.keeps)
        if score >= score_min:
            found.append(_piece(text, left, right, inside, score, before, previous))
    return [piece for piece in found if piece.text]


def clearest(pieces: Sequence[MessagePiece]) -> list[MessagePiece]:
    """Without those that are much weaker than the best of the message: where one sentence says something lasting, the
    others beside it gain by that without saying anything themselves."""
    best = max((piece.mean for piece in pieces), default=0.0)
    return [piece for piece in pieces if piece.mean >= BESIDE_BEST_MIN * best]


def find_news(text: str, read: MessageScores, *, previous: str) -> list[MessagePiece]:
    """Pieces that are too weak to be kept for themselves and speak of a change: news, if the matter is known."""
    weak = find_pieces(text, read, previous=previous, score_min=NEWS_SCORE_MIN, word_min=NEWS_WORD_MIN)
    return [piece for piece in weak if piece.change >= NEWS_CHANGE_MIN]


def _joined(text: str, words: Sequence[WordScores], word_min: float) -> Iterator[tuple[int, int, str]]:
    """Where kept parts stand, each with the sentence before it. Each sentence is a statement of its own, so that what
    is told later can end the one without the other; only what cannot stand alone goes with the sentence before it."""
    open_part: tuple[int, int, str] | None = None
    before = ""
    for start, end in sentence_spans(text):
        inside = [word for word in words if word.start < end and word.end > start]
        runs = list(_kept(text, inside, start, end, word_min))
        if runs:
            left, right = runs[0][0], runs[-1][1]
            if open_part is not None and _goes_on(text, open_part, left, right):
                open_part = (open_part[0], right, open_part[2])
            else:
                if open_part is not None:
                    yield open_part
                open_part = (left, right, before)
        elif open_part is not None:
            yield open_part
            open_part = None
        before = text[start:end].strip()
    if open_part is not None:
        yield open_part


def _goes_on(text: str, part: tuple[int, int, str], left: int, right: int) -> bool:
    """Whether a sentence needs the one before it: it points back, or is a mere fragment ("Still semicolons.")."""
    if right - part[0] > CHARS_MAX or text[left:right].rstrip().endswith("?"):
        return False
    following, known = text[left:right].strip(), text[part[0] : part[1]].strip()
    sentence_start = text[max(part[1], text.rfind("\n", 0, left) + 1) : right].strip()
    first_clause = sentence_start[: next(_clauses(sentence_start, 0, len(sentence_start)))[1]]
    if points_back(following) or refers(first_clause):
        return True
    if _forbids(following):
        return False
    if _forbids(known):  # why, or by whom instead: "The pipeline does that."
        return ends_pointing_back(following)
    return len(following.split()) <= FRAGMENT_WORDS_MAX


def _forbids(said: str) -> bool:
    return infer_category(said) is Category.NEGATIVE


def score_of(words: Sequence[WordScores], keeps: float) -> float:
    """How sure it is that these words say something lasting: the mean of what is said of them and of the message."""
    if not words:
        return 0.0
    mean = sum(word.keep for word in words) / len(words)
    return float((mean * keeps) ** 0.5)


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where sentences stand; a line end ends one."""
    start = 0
    for match in _END.finditer(text):
        if match[0] == "." and _ABBREVIATED.search(text[max(start, match.end() - 10) : match.end()]):
            continue
        if text[start : match.end()].strip():
            yield start, match.end()
        start = match.end()
    if text[start:].strip():
        yield start, len(text)


def _kept(text: str, words: Sequence[WordScores], start: int, end: int, word_min: float) -> Iterator[tuple[int, int]]:
    """The parts of a sentence to keep: all of it, or runs of clauses whose words are kept for the most part."""
    if not words:
        return
    kept = [word.keep >= word_min for word in words]
    if sum(kept) >= WHOLE_SHARE * len(words):
        yield _without_ends(text, words, start, end)
        return
    run: tuple[int, int] | None = None
    for left, right in _clauses(text, start, end):
        inside = [flag for word, flag in zip(words, kept, strict=True) if word.start < right and word.end > left]
        if inside and sum(inside) >= 0.5 * len(inside):
            run = (run[0] if run else left, right)
        elif run and inside:
            yield from _worded(text, run, start)
            run = None
    if run:
        yield from _worded(text, run, start)


def _worded(text: str, run: tuple[int, int], start: int) -> Iterator[tuple[int, int]]:
    """A part of a sentence, if it has words enough to say something: "for all analyses" has not. One that hangs on what
    stands before it ("such as …", "which …") is taken from the start of the sentence."""
    if hangs_on_the_last(text[run[0] : run[1]].lstrip(" ,;:-–—(")):
        yield start, run[1]
    elif len(text[run[0] : run[1]].split()) >= CLAUSE_WORDS_MIN or not text.isascii():
        yield run


def _without_ends(text: str, words: Sequence[WordScores], start: int, end: int) -> tuple[int, int]:
    """A sentence without the clauses before and after what it has to say: a request, a greeting, an aside."""
    clauses = list(_clauses(text, start, end))

    def says_nothing(clause: tuple[int, int]) -> bool:
        inside = [word.keep for word in words if word.start < clause[1] and word.end > clause[0]]
        return not inside or max(inside) < ASIDE_MAX

    while len(clauses) > 1 and says_nothing(clauses[0]):
        clauses.pop(0)
    while len(clauses) > 1 and says_nothing(clauses[-1]):
        clauses.pop()
    return clauses[0][0], clauses[-1][1]


def _clauses(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    left = start
    for match in _CLAUSE.finditer(text, start, end):
        yield left, match.start()
        left = match.end()
    yield left, end


def _piece(
    text: str, left: int, right: int, words: Sequence[WordScores], score: float, before: str, previous: str
) -> MessagePiece:
    said = text[left:right].strip(" ,;:-–—()\n\t")
    total = [sum(word.categories[n] for word in words) for n in range(len(CATEGORIES))]
    return MessagePiece(
        start=left,
        end=right,
        text=_standing(said, before, previous)[:CHARS_MAX],
        score=score,
        category=Category.NEGATIVE if _forbids(said) else CATEGORIES[max(range(len(total)), key=total.__getitem__)],
        personal=sum(word.personal for word in words) / len(words),
        change=max(word.change for word in words),
        mean=sum(word.keep for word in words) / len(words),
    )


def _standing(said: str, before: str, previous: str) -> str:
    """The piece with what it needs to be understood alone; empty when it cannot be."""
    short = len(said.split()) <= ANSWER_WORDS_MAX
    question = _last_question(previous) if short and not before else ""
    if question:
        return with_question(question, said)
    if points_back(said) and before and len(before) <= QUESTION_CHARS_MAX:
        return f"{before.rstrip('.')}. {said}"
    return said if len(said.split()) >= WORDS_MIN or not said.isascii() else ""


def _last_question(previous: str) -> str:
    tail = previous[-1000:]
    spoken = [tail[start:end].strip() for start, end in sentence_spans(tail)]
    question = next((each for each in reversed(spoken) if each.endswith(("?", "？"))), "")[-QUESTION_CHARS_MAX:]
    return asked_by_agent(question, lexicon_of(question))
