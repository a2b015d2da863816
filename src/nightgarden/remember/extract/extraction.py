"""Reads memories out of a session's messages, without a model. Pure: same messages, same drafts.

The user's own words first. The assistant's words count only when the user confirmed them, or when they explain an
error that was then seen to be gone. Tool output and pasted text are never read.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from nightgarden.domain.classify import Classifier, MessageScores
from nightgarden.domain.memory import Category
from nightgarden.domain.session import Message
from nightgarden.domain.text import dedupe_key, jaccard, words
from nightgarden.remember.category import category_by_words, category_of, forbids
from nightgarden.remember.draft import SNIPPET_CHARS_MAX, Draft
from nightgarden.remember.extract.answered_question import needs_question, with_question
from nightgarden.remember.extract.antecedents import named
from nightgarden.remember.extract.asked import last_asked, last_questions
from nightgarden.remember.extract.clause_reading import ClauseReading, holds_secret
from nightgarden.remember.extract.drafts import draft_of, from_assistant
from nightgarden.remember.extract.learned import MessagePiece, find_news, read_in_place, read_pieces
from nightgarden.remember.extract.own_words import own_lines
from nightgarden.remember.extract.retraction import (
    Retraction,
    SessionReading,
    TakenBack,
    kept_instead,
    noted,
    retraction,
)
from nightgarden.remember.extract.sentences import Sentence, sentences
from nightgarden.remember.extract.short_answers import confirmed_statement, last_words
from nightgarden.remember.extract.utterance import SaidStatement, SentencePlace, is_bare_refusal, read_sentence
from nightgarden.remember.extract.verified_fix import from_verified_fix
from nightgarden.remember.language import Lexicon, lexicon_of
from nightgarden.remember.personal_scope import PERSONAL_MIN
from nightgarden.remember.shape import parse_procedure, shaped

SAME_JACCARD = 0.85  # near-duplicate by words
# Of the classifier, the small network alone or both; chosen on writers it was not trained on: docs/why/classifier.md.
SCORE_MIN, SCORE_MIN_BOTH = 0.62, 0.67
WORD_MIN, WORD_MIN_BOTH = 0.5, 0.35
SAME_SHARE = 0.6  # of the shorter one's words
CONFIRMED = 0.6  # the assistant's words, the user's yes
ERRAND_MAX = 0.65  # below what is promoted at once
_CHANGING = frozenset(("edit", "write", "multiedit", "notebookedit", "apply_patch", "patch"))  # tools of the clients
_RULES = frozenset((Category.CONVENTION, Category.DECISION))
_USER = "user"
_ASSISTANT = "assistant"
_TOOL = "tool"


def extract(
    messages: Sequence[Message],
    *,
    known: Sequence[str] = (),
    classifier: Classifier | None = None,
    tentative: bool = False,
) -> list[Draft]:
    """Drafts in the order they were said, each once. Without a classifier only what the user asks
    to remember, puts right or tells in steps. `tentative` adds those
    that are too weak to be kept for themselves and may be news of something known.

    `known` are statements this session gave already (an earlier extraction, a tool call): what says the same is left
    out, so that a session read in pieces does not count as being seen twice.
    """
    return list(read_session(messages, known=known, classifier=classifier, tentative=tentative).drafts)


def read_session(
    messages: Sequence[Message],
    *,
    known: Sequence[str] = (),
    classifier: Classifier | None = None,
    tentative: bool = False,
) -> SessionReading:
    """The same, with what the user took back."""
    kept: list[Draft] = []
    seen = [(dedupe_key(text), words(text)) for text in known]
    standing, taken_back = _standing(messages, classifier, tentative)
    for draft in standing:
        key, bag = dedupe_key(draft.content), words(draft.content)
        if any(key == other or jaccard(bag, theirs) >= SAME_JACCARD for other, theirs in seen):
            continue
        seen.append((key, bag))
        kept.append(draft)
    return SessionReading(drafts=tuple(kept), taken_back=tuple(taken_back))


def _standing(
    messages: Sequence[Message], classifier: Classifier | None, tentative: bool
) -> tuple[list[Draft], list[TakenBack]]:
    """What the messages give, without what a later one takes back; and that."""
    said: list[tuple[int, Draft]] = []
    taken_back: list[TakenBack] = []
    before = -1
    for index, message in enumerate(messages):
        if message.role == _USER and not message.pasted:
            found = _retraction(messages, index, said, before)
            if found is not None:
                taken_back.append(noted(found, message, said))
            said = _after(messages, index, said, found, classifier, tentative)
            before = index
        elif message.role == _ASSISTANT and not message.pasted:
            said += [(index, draft) for draft in from_verified_fix(messages, index)]
    return [draft for _, draft in said], taken_back


def _retraction(
    messages: Sequence[Message], index: int, said: Sequence[tuple[int, Draft]], before: int
) -> Retraction | None:
    """What a message takes back, if anything, in the user's own lines of it."""
    answered = _answered(messages, index)
    return retraction(
        "\n".join(own_lines(messages[index].text)).strip(),
        said,
        position=index,
        before=before,
        answered=answered.text if answered is not None else "",
    )


def _after(
    messages: Sequence[Message],
    index: int,
    said: Sequence[tuple[int, Draft]],
    found: Retraction | None,
    classifier: Classifier | None,
    tentative: bool,
) -> list[tuple[int, Draft]]:
    """What stands after a message of the user: what stood before, put right, and what the message itself gives."""
    if found is None:
        return [*said, *((index, draft) for draft in _from_user(messages, index, classifier, tentative))]
    left = [pair for number, pair in enumerate(said) if number not in found.gone]
    message = messages[index]
    if found.correction is not None:
        right = replace(found.correction, message_range=(message.id, message.id))
        left.append((index, shaped(right, lexicon_of(right.content))))
    rest = list(messages)
    rest[index] = replace(message, text=found.rest)
    given = [(index, draft) for draft in _from_user(rest, index, classifier, tentative)] if found.rest else []
    if not given and (reading := kept_instead(found)) is not None:
        draft = draft_of(SaidStatement(reading=reading, corrected=True), message, lexicon_of(reading.text), None)
        given = [(index, shaped(draft))] if draft is not None else []
    return [*left, *given]


def _from_user(
    messages: Sequence[Message], index: int, classifier: Classifier | None, tentative: bool
) -> Iterator[Draft]:
    message = messages[index]
    answered = _answered(messages, index)
    lines = named("\n".join(own_lines(message.text))).split("\n")
    lexicon = lexicon_of(" ".join(lines))
    found = parse_procedure("\n".join(lines))
    if found is not None and not holds_secret(found.text):
        reading = ClauseReading(
            text=found.text, category=Category.PROCEDURE, confidence=0.85, reason="the user described the steps"
        )
        draft = draft_of(SaidStatement(reading=reading), message, lexicon, answered)
        if draft is not None:
            yield shaped(draft, lexicon)
        lines = [line for number, line in enumerate(lines) if number not in found.lines]
    spoken = sentences(lines)
    if answered is not None and spoken and lexicon.assent.match(message.text.strip()):
        confirmed = _confirmed(message, answered, lexicon, classifier)
        if confirmed is not None:
            yield confirmed
        return
    asked = _from_sentences(spoken, message, lexicon, answered)
    if classifier is None:
        yield from asked
        return
    carried_out = _carried_out(messages, index)
    yield from _with_networks(list(asked), "\n".join(lines), message, answered, classifier, tentative, carried_out)


def _carried_out(messages: Sequence[Message], index: int) -> bool:
    """Whether files were changed in answer to a message: it gave the agent something to do."""
    turn = itertools.takewhile(lambda message: message.role != _USER, messages[index + 1 :])
    return any(message.role == _TOOL and message.tool_name.lower() in _CHANGING for message in turn)


def _errand(draft: Draft) -> Draft:
    """Of a message that was carried out: "add a route for reports" reads like a rule, and is done with. What only seems
    to be one stays a candidate, until it is said again."""
    return replace(draft, confidence=min(draft.confidence, ERRAND_MAX)) if draft.category in _RULES else draft


def _with_networks(
    asked: Sequence[Draft],
    text: str,
    message: Message,
    answered: Message | None,
    classifier: Classifier,
    tentative: bool,
    carried_out: bool,
) -> Iterator[Draft]:
    """What the user asked to keep or put right, and what the classifier finds besides."""
    previous = last_asked(answered.text) if answered is not None else ""
    read = read_in_place(text, classifier, previous=previous)
    score_min, word_min = (SCORE_MIN_BOTH, WORD_MIN_BOTH) if classifier.deep else (SCORE_MIN, WORD_MIN)
    pieces = read_pieces(text, classifier, read, previous=previous, score_min=score_min, word_min=word_min)
    news = find_news(text, read, previous=previous) if tentative else []
    yield from (_as_read(draft, text, read) for draft in asked)
    taken = [words(draft.content) for draft in asked]
    known = [*taken, *(words(piece.text) for piece in pieces)]
    found = [(piece, False) for piece in pieces if not _is_within(piece, taken)]
    found += [(piece, True) for piece in news if not _is_within(piece, known)]
    for piece, weak in found:
        draft = _learned(piece, message, answered)
        if draft is not None:
            draft = replace(draft, tentative=weak)
            yield _errand(draft) if carried_out else draft


def _as_read(draft: Draft, text: str, read: MessageScores) -> Draft:
    """What the user asked to keep, with its kind, and whether it is about the user as a person."""
    bag = words(draft.content)
    inside = [word for word in read.words if words(text[word.start : word.end]) & bag]
    category = category_by_words(inside, draft.content) if draft.category is Category.FACT else draft.category
    personal = bool(inside) and sum(word.personal for word in inside) >= PERSONAL_MIN * len(inside)
    return shaped(replace(draft, category=category, personal=personal))


def _learned(piece: MessagePiece, message: Message, answered: Message | None) -> Draft | None:
    if holds_secret(piece.text):
        return None
    lexicon = lexicon_of(piece.text)
    reading = ClauseReading(
        text=piece.text, category=piece.category, confidence=piece.score, reason="it reads as something lasting"
    )
    draft = draft_of(SaidStatement(reading=reading), message, lexicon, answered)
    if draft is None:
        return None
    return replace(shaped(draft, lexicon), personal=piece.personal >= PERSONAL_MIN, news=piece.change)


def _is_within(piece: MessagePiece, taken: Sequence[frozenset[str]]) -> bool:
    """Whether it shares most words of the shorter text with one of those that were taken."""
    bag = words(piece.text)
    return any(len(bag & other) >= SAME_SHARE * max(1, min(len(bag), len(other))) for other in taken)


def _from_sentences(
    spoken: list[Sentence], message: Message, lexicon: Lexicon, answered: Message | None
) -> Iterator[Draft]:
    place = SentencePlace(answered=answered.text if answered is not None else "")
    question = last_questions(place.answered)
    for sentence in spoken:
        local = lexicon if len(sentence.text) < 40 else lexicon_of(sentence.text)
        found = _answers(read_sentence(sentence, local, place), sentence, question)
        drafts = (draft_of(said, message, local, answered) for said in found)
        yield from (shaped(draft, local) for draft in drafts if draft is not None)
        place = SentencePlace(
            answered=place.answered,
            before=sentence.text,
            refused_before=any(said.corrected for said in found)
            or forbids(sentence.text)
            or (sentence.opens and is_bare_refusal(sentence.text, local)),
        )


def _answers(found: list[SaidStatement], sentence: Sentence, question: str) -> list[SaidStatement]:
    """What a no to a question says, with the question where it does not say by itself what it is about."""
    if not question or not sentence.opens or [said.corrected for said in found] != [True]:
        return found
    reading = found[0].reading
    if not needs_question(sentence.text, reading.text):
        return found
    text = with_question(question, sentence.text, first_sentence=sentence.text)
    return [replace(found[0], reading=replace(reading, text=text))]


def _answered(messages: Sequence[Message], index: int) -> Message | None:
    """The assistant's message that this one answers, tool messages between them left aside."""
    for message in reversed(messages[:index]):
        if message.role == _USER:
            return None
        if message.role == _ASSISTANT and message.text.strip():
            return message
    return None


def _confirmed(message: Message, answered: Message, lexicon: Lexicon, classifier: Classifier | None) -> Draft | None:
    asked_to_keep = not lexicon.assent.sub("", message.text) and len(message.text.split()) > 2
    statement = confirmed_statement(answered.text, lexicon_of(answered.text), asked_to_keep=asked_to_keep)
    if statement is None or holds_secret(statement):
        return None
    language = lexicon_of(statement)
    reading = ClauseReading(
        text=statement,
        category=category_of(statement, classifier),
        confidence=CONFIRMED,
        reason="the assistant put it so and the user confirmed it",
    )
    draft = draft_of(SaidStatement(reading=reading, requested=asked_to_keep), answered, language, None)
    if draft is None:
        return None
    return shaped(
        from_assistant(
            draft, first=answered, last=message, snippet=last_words(answered.text, chars_max=SNIPPET_CHARS_MAX)
        ),
        language,
    )
