"""What the classifier finds worth keeping in a user's message, as pieces that read as statements. Pure, given it.

The classifier scores words; people speak in sentences and clauses. A sentence most of whose words are kept is kept
whole; of another the clauses that carry the kept words. A piece that points back ("it", "that one") takes the sentence
before it along, and a bare answer the question it answers. What forbids something is a statement of its own, by the
exact rules: a guard reads it, and it must not fall with a fact that was said beside it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from nightgarden.domain.classify import Classifier, MessageScores, WordScores
from nightgarden.domain.memory import Category
from nightgarden.domain.taking_back import read_taking_back
from nightgarden.remember.category import category_by_words, forbids
from nightgarden.remember.compare.news import tells_news
from nightgarden.remember.compare.two_clauses import second_clause, stands
from nightgarden.remember.compare.unreal import is_unreal
from nightgarden.remember.extract.answered_question import (
    begins_with_value,
    is_yes_or_no,
    replies,
    says_yes_or_no,
    with_question,
    with_told,
    without_yes_or_no,
)
from nightgarden.remember.extract.asked import QUESTION_CHARS_MAX, AgentWords, last_questions
from nightgarden.remember.extract.clause_reading import guards_of
from nightgarden.remember.extract.clauses import BELONGS_MIN, belonging, clause_spans
from nightgarden.remember.extract.references import (
    ends_pointing_back,
    goes_on_with_a_noun,
    hangs_on_the_last,
    points_back,
    refers,
)
from nightgarden.remember.extract.segments import segments
from nightgarden.remember.extract.spans import is_worded, sentence_spans
from nightgarden.remember.extract.troubles import happens_each_time, is_long_standing
from nightgarden.remember.language import Guard, lexicon_of

FRAGMENT_WORDS_MAX = 3  # of a sentence that says nothing without the one beside it
FRAGMENT_CHARS_MAX = 40  # of the same: in Chinese and Japanese a sentence is one word
WHOLE_SHARE = 0.4  # of a sentence's words, from which it is kept whole
ALONE_SHARE = 0.5  # of what a piece says read alone, in what it scores; the rest is what it says in its message
CANDIDATE_SHARE = 0.5  # of what a piece must score, from which it is read once more, alone
EACH_TIME_SCORE_MIN = 0.36  # of what happens whenever anybody does something: a known trouble, not a fault of today
LONG_STANDING_SCORE = 0.65  # of what has been so for ages, whatever the networks say: below what is promoted at once
# The same for what is kept only where it changes or repeats something known, and how much it must sound like a change.
NEWS_WORD_MIN, NEWS_SCORE_MIN, NEWS_CHANGE_MIN = 0.2, 0.3, 0.5
WORDS_MIN = 3  # shorter pieces need the question they answer
CLAUSE_WORDS_MIN = 4  # of a part of a sentence
ANSWER_WORDS_MAX = 7  # a longer piece says what it is about
ANSWER_CHARS_MAX = 60  # the same where there are no blanks between words
CHARS_MAX = 400
REPLY_CHARS_MAX = 150  # of what stands behind the agent's words, so that both are kept whole
LONG_WORDS_MIN = 25  # of a message with more to hide a statement behind
APART_SCORE_MIN, APART_SCORE_MIN_SHORT = 0.8, 0.85  # of a part that is read apart as well

# "Never to files": where or when not, of what stands before it.
_NEVER_WHERE = re.compile(
    r"(?:but )?(?:never|not|nie|niemals|nicht|jamais|pas|nunca|no) (?:to|on|in|at|from|into|via|by|under|over|before"
    r"|after"
    r"|zu|zum|in|im|auf|am|an|vor|nach|über|dans|sur|en|le|avant|après|a|los|antes|después)\b(?: \S+){0,2}[.!]?\Z",
    re.IGNORECASE,
)
_DOUBTFUL = frozenset({Guard.QUESTION, Guard.HYPOTHETICAL, Guard.REPORTED, Guard.SARCASTIC})
_DOUBTS = re.compile(
    r"\s*(?:actually|wait|no|nope|hm+|oh|ah|oops|sorry|ach|nein|moment|quatsch|euh|non|attends|espera|perdón|aspetta|wacht"
    r"|nee)\b[,.! ]",
    re.IGNORECASE,
)
_BEFORE_A_CLAUSE = " ,;:-–—()"
_OPENS = re.compile(r"\s*[:;–—-]\s")  # marks after which a clause stands by itself


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


def read_in_place(text: str, classifier: Classifier, *, previous: str) -> MessageScores:
    """What the classifier says of a message. A short answer is read as the statement that it makes with its question
    too: "the page size of lists: 50" says more than "50" does."""
    read = classifier.read_message(text, previous=previous)
    question = last_questions(previous)
    if not question or len(text.split()) > ANSWER_WORDS_MAX or len(text) > ANSWER_CHARS_MAX:
        return read
    matter = question.rstrip(" ?？") + ": "
    told = classifier.read_message(matter + text, previous="")
    answer = [word for word in told.words if word.start >= len(matter)]
    if score_of(answer, told.keeps) <= score_of(read.words, read.keeps):
        return read
    moved = (replace(word, start=word.start - len(matter), end=word.end - len(matter)) for word in answer)
    return MessageScores(keeps=told.keeps, words=tuple(moved))


def find_pieces(
    text: str, read: MessageScores, *, previous: str, score_min: float, word_min: float
) -> list[MessagePiece]:
    """All pieces of a message that score high enough, in order. `read` is what the classifier says of its words."""
    found: list[MessagePiece] = []
    agent = AgentWords.of(previous)
    for left, right, before in _joined(text, read.words, word_min, answers=bool(agent.asked)):
        inside = [word for word in read.words if word.start < right and word.end > left]
        score = score_of([word for word in inside if word.keep >= word_min] or inside, read.keeps)
        if score >= score_min:
            found.append(_piece(text, left, right, inside, score, before, agent))
    return [piece for piece in found if piece.text]


def read_pieces(
    text: str, classifier: Classifier, read: MessageScores, *, previous: str, score_min: float, word_min: float
) -> list[MessagePiece]:
    """The pieces of a message that are worth keeping by themselves too. Where one sentence says something lasting, the
    others beside it gain by that without saying anything; so each is read once more, alone."""
    candidates = find_pieces(text, read, previous=previous, score_min=CANDIDATE_SHARE * score_min, word_min=word_min)
    found: list[MessagePiece] = []
    for piece in candidates:
        said = trimmed(text[piece.start : piece.end])
        alone = read if said == trimmed(text) else classifier.read_message(said, previous=previous)
        score = piece.score ** (1.0 - ALONE_SHARE) * alone.keeps**ALONE_SHARE
        known_trouble = piece.category is Category.GOTCHA and happens_each_time(said)
        if score >= (EACH_TIME_SCORE_MIN if known_trouble else score_min):
            found += _one_or_two(text, replace(piece, score=score), read, classifier, previous, score_min)
    more = _read_apart(text, classifier, read, found, previous=previous, word_min=word_min)
    return sorted((*found, *more), key=lambda piece: piece.start)


def _one_or_two(
    text: str, piece: MessagePiece, read: MessageScores, classifier: Classifier, previous: str, score_min: float
) -> Iterator[MessagePiece]:
    """A piece, or its two main clauses, if each is worth keeping by itself."""
    said = trimmed(text[piece.start : piece.end])
    cut = second_clause(said) if said == piece.text else None
    if cut is None:
        yield piece
        return
    halves = said[: cut[0]], said[cut[1] :]
    if min(classifier.read_message(half, previous=previous).keeps for half in halves) < score_min:
        yield piece
        return
    at = text.index(said, piece.start)
    for left, right in ((at, at + cut[0]), (at + cut[1], at + len(said))):
        inside = [word for word in read.words if word.start < right and word.end > left]
        yield _piece(text, left, right, inside, piece.score, piece.text, AgentWords())


def _read_apart(
    text: str,
    classifier: Classifier,
    read: MessageScores,
    known: Sequence[MessagePiece],
    *,
    previous: str,
    word_min: float,
) -> list[MessagePiece]:
    """The parts of a message that are worth keeping by themselves. Read as a whole, a paragraph of requests, code and
    reasons hides what is told on the way, and a single request may hide the statement before it."""
    long = len(text.split()) >= LONG_WORDS_MIN
    score_min = APART_SCORE_MIN if long else APART_SCORE_MIN_SHORT
    found: list[MessagePiece] = []
    for start, end in _parts_apart(text) if long else _sentences_apart(text):
        said = trimmed(text[start:end])
        if not _worded(said) or len(said) > CHARS_MAX or points_back(said):
            continue
        if any(piece.start < end and piece.end > start for piece in (*known, *found)):
            continue
        alone = read if said == trimmed(text) else classifier.read_message(said, previous=previous)
        if is_long_standing(said):
            trouble = _piece(said, 0, len(said), alone.words, LONG_STANDING_SCORE, "", AgentWords())
            found.append(replace(trouble, start=start, end=end, category=Category.GOTCHA))
            continue
        for piece in find_pieces(said, alone, previous="", score_min=score_min, word_min=word_min):
            found.append(replace(piece, start=start + piece.start, end=start + piece.end))
    return found


def _parts_apart(text: str) -> Iterator[tuple[int, int]]:
    """Of a long message what asks for nothing."""
    for start, end in sentence_spans(text):
        yield from ((part.start, part.end) for part in segments(text, start, end) if not part.asks)


def _sentences_apart(text: str) -> Iterator[tuple[int, int]]:
    """Of a short message the sentences that ask for nothing, and clauses that can stand alone; nothing that the next
    sentence doubts."""
    if read_taking_back(text) is not None:
        return
    for start, end in sentence_spans(text):
        if _DOUBTS.match(text, end) is not None:
            continue
        if [part.asks for part in segments(text, start, end)] == [False]:
            yield start, end
        clauses = list(clause_spans(text, start, end))
        if len(clauses) > 1 and not text[start:end].rstrip().endswith(("?", "？")):
            yield from ((left, right) for left, right in clauses if stands(text[left:right].strip()))


def trimmed(said: str) -> str:
    """A part of a message without the marks that set it apart."""
    plain = said.strip(" ,;:-–—()\n\t")
    closed = f"{plain})"
    return closed if plain.count("(") > plain.count(")") and closed in said else plain


def find_news(text: str, read: MessageScores, *, previous: str) -> list[MessagePiece]:
    """Pieces that are too weak to be kept for themselves and speak of a change: news, if the matter is known."""
    weak = find_pieces(text, read, previous=previous, score_min=NEWS_SCORE_MIN, word_min=NEWS_WORD_MIN)
    found = [piece for piece in weak if piece.change >= NEWS_CHANGE_MIN]
    return [*found, *_news_by_rule(text, found)]


def _news_by_rule(text: str, known: Sequence[MessagePiece]) -> Iterator[MessagePiece]:
    """Sentences that say in plain words that something has another value: "the stand-up is at 10 now"."""
    for start, end in sentence_spans(text):
        said = trimmed(text[start:end])
        if len(said) > CHARS_MAX or not tells_news(said) or is_unreal(said) or points_back(said):
            continue
        if _DOUBTFUL & guards_of(said, lexicon_of(said)) or any(p.start < end and p.end > start for p in known):
            continue
        yield MessagePiece(
            start=start, end=end, text=said, score=NEWS_SCORE_MIN, category=Category.FACT, personal=0.0, change=1.0
        )


def _joined(
    text: str, words: Sequence[WordScores], word_min: float, *, answers: bool
) -> Iterator[tuple[int, int, str]]:
    """Where kept parts stand, each with the sentence before it. Each sentence is a statement of its own, so that what
    is told later can end the one without the other; only what cannot stand alone goes with the sentence before it, and
    a bare answer with the one after it."""
    open_part: tuple[int, int, str] | None = None
    before = ""
    for start, end in _saying_spans(text, words, word_min):
        inside = [word for word in words if word.start < end and word.end > start]
        kept = _kept(text, inside, start, end, word_min) if inside else None
        if kept is not None:
            left, right = kept
            if open_part is not None and _goes_on(text, open_part, left, right, answers=answers and not open_part[2]):
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


def _saying_spans(text: str, words: Sequence[WordScores], word_min: float) -> Iterator[tuple[int, int]]:
    """The sentences of a message, cut where the user asks for something in between: "I've never used Zotero, so how do
    I get started, given that we write in LaTeX?" says two things. What reads like a question and is to be kept
    nevertheless ("could you always put the unit first") stays."""
    for start, end in sentence_spans(text):
        left: int | None = None
        right, cut = start, False
        for part in segments(text, start, end):
            scores = [word.keep for word in words if word.start < part.end and word.end > part.start]
            if part.asks and sum(scores) < word_min * max(1, len(scores)):
                if left is not None:
                    yield left, right
                left, cut = None, True
            else:
                left, right = (part.start if left is None else left), part.end
        if left is not None:  # the question mark is that of the question before it
            yield left, left + len(text[left:right].rstrip(" ?？\n") if cut else text[left:right])


def _goes_on(text: str, part: tuple[int, int, str], left: int, right: int, *, answers: bool) -> bool:
    """Whether a sentence needs the one before it: it points back, or is a mere fragment, or that one is and answers a
    question."""
    if right - part[0] > CHARS_MAX or text[left:right].rstrip().endswith("?"):
        return False
    following, known = text[left:right].strip(), text[part[0] : part[1]].strip()
    sentence_start = text[max(part[1], text.rfind("\n", 0, left) + 1) : right].strip()
    first_clause = sentence_start[: next(clause_spans(sentence_start, 0, len(sentence_start)))[1]]
    if points_back(following) or refers(first_clause):
        return True
    if forbids(following):
        return _NEVER_WHERE.match(following) is not None
    if forbids(known):  # why, or by whom instead: "The pipeline does that."
        return ends_pointing_back(following)
    return _is_fragment(following) or (answers and _is_fragment(known))


def _is_fragment(said: str) -> bool:
    """Whether it says nothing without the sentence beside it: "Still semicolons"."""
    return len(said.split()) <= FRAGMENT_WORDS_MAX and len(said) <= FRAGMENT_CHARS_MAX


def score_of(words: Sequence[WordScores], keeps: float) -> float:
    """How sure it is that these words say something lasting: the mean of what is said of them and of the message."""
    if not words:
        return 0.0
    mean = sum(word.keep for word in words) / len(words)
    return float((mean * keeps) ** 0.5)


def _kept(text: str, words: Sequence[WordScores], start: int, end: int, word_min: float) -> tuple[int, int] | None:
    """The part of a sentence to keep, if any: from the first to the last clause that belongs to what it has to say."""
    clauses = list(clause_spans(text, start, end))
    likely = belonging(text, words, clauses) if len(clauses) > 1 else [1.0]
    belong = [number for number, each in enumerate(likely) if each >= BELONGS_MIN]
    if not belong:
        return None
    left, right = _begin(text, clauses, belong[0]), clauses[belong[-1]][1]
    kept = [word.keep >= word_min for word in words if word.start < right and word.end > left]
    if text[right : right + 1] == ")" and text.count("(", left, right) > text.count(")", left, right):
        right += 1
    whole = (left, right) == (start, end)
    if not kept or sum(kept) < WHOLE_SHARE * len(kept) or not (whole or _worded(text[left:right])):
        return None
    return left, right


def _worded(part: str) -> bool:
    """Whether a part of a sentence has words enough to say something: "for all analyses" has not."""
    return is_worded(part, CLAUSE_WORDS_MIN)


def _begin(text: str, clauses: Sequence[tuple[int, int]], number: int) -> int:
    """Where what is kept of a sentence begins, if this clause is kept: there, or at the next one before it that a
    statement may begin with. It may not with "who is 45", "Jamaica" or "and staff training", unless after a colon."""
    while number and not _begins_a_statement(text[clauses[number - 1][1] : clauses[number][1]]):
        number -= 1
    return clauses[number][0]


def _begins_a_statement(clause: str) -> bool:
    """Of a clause with the mark before it."""
    said = clause.lstrip(_BEFORE_A_CLAUSE)
    if not _worded(said):
        return False
    return _OPENS.match(clause) is not None or not (hangs_on_the_last(said) or goes_on_with_a_noun(said))


def _piece(
    text: str, left: int, right: int, words: Sequence[WordScores], score: float, before: str, agent: AgentWords
) -> MessagePiece:
    if (agent.asked or agent.told) and is_yes_or_no(text[:left]):  # of what it answers, the rest is only a part
        left = 0
    said = trimmed(text[left:right])
    return MessagePiece(
        start=left,
        end=right,
        text=_standing(said, before, agent)[:CHARS_MAX],
        score=score,
        category=Category.NEGATIVE if forbids(said) else category_by_words(words, said),
        personal=sum(word.personal for word in words) / len(words),
        change=max(word.change for word in words),
    )


def _standing(said: str, before: str, agent: AgentWords) -> str:
    """The piece with what it needs to be understood alone; empty when it cannot be."""
    first = said[: next(sentence_spans(said), (0, 0))[1]]
    short = len(first.split()) <= ANSWER_WORDS_MAX or says_yes_or_no(first) or begins_with_value(first)
    if agent.asked and not before and short:
        return with_question(agent.asked, said, first_sentence=first)
    if agent.told and not before and len(said) <= REPLY_CHARS_MAX and replies(first):
        return with_told(agent.told, said)
    if points_back(said) and before and len(before) <= QUESTION_CHARS_MAX:
        return f"{before.rstrip('.')}. {said}"
    counted = said.replace("'", " ").replace("’", " ")  # "I'm vegetarian" says something
    return without_yes_or_no(said) if is_worded(counted, WORDS_MIN) else ""
