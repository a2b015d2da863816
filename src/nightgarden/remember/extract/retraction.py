"""A user who takes back or puts right what they said before in the same conversation. Pure.

What is taken back is what was said about the topic that is named, or else the last message that gave something. Where
the right value follows, the statement is kept with it. The words for taking back: domain/taking_back.py.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from nightgarden.domain.memory import Category, Provenance
from nightgarden.domain.session import Message
from nightgarden.domain.taking_back import (
    TakingBack,
    gives_reason_elsewhere,
    read_taking_back,
    share_named,
    was_elsewhere,
)
from nightgarden.domain.text import query_terms
from nightgarden.remember.draft import Draft
from nightgarden.remember.extract.clause_reading import ClauseReading, guards_of, holds_secret
from nightgarden.remember.extract.correction import corrected
from nightgarden.remember.extract.references import points_back, refers
from nightgarden.remember.extract.rewrite import strip_filler
from nightgarden.remember.extract.short_corrections import read_short_correction
from nightgarden.remember.language import ALL, Guard, lexicon_of

REACH_MESSAGES = 8  # what was said longer ago is taken back only by naming it
NAMED_SHARE_MIN = 0.5  # of a topic, for a statement that alone fits it best
SHORT_WORDS_MAX = 12  # of a message that corrects without saying what: a longer one is about something else
WORDS_MIN = 3  # of a statement that is kept in place of another
TYPED_CHARS_MAX = 400  # a request to forget is a sentence or two; in a longer one it may be pasted text that says so
_PUT_RIGHT = "the user put right what they had said"
CORRECTED = 0.9  # as of a user who corrects the assistant

_MEANT = re.compile(
    r"^(?:(?:sorry|oops|oh|no|wait|hm+|pardon|désolée?|non|perdón|no|ups|nein|äh|ach|entschuldigung"
    r"|quatsch)[,.! ]+){0,3}"
    r"(?:i meant(?: to (?:say|write))?|make that|correction:|ich meinte|ich meine|gemeint war|je voulais dire"
    r"|je veux dire"
    r"|quise decir|quería decir|digo)[,:]?\s+",
    re.IGNORECASE,
)
_NEVER_MIND = re.compile(
    r"^(?:(?:hm+|oh|ah|wait|no|actually)[,.! ]+){0,3}never ?mind[,.:;–— -]+"
    r"(?=(?:we|they|[\w-]+ are what we|[\w-]+ is what we) (?:do|in fact|actually)\b|[\w-]+ (?:are"
    r"|is) what we (?:do )?use\b)",
    re.IGNORECASE,
)
_HESITATES = re.compile(r"^\s*(?:(?:actually|wait|hm+|oh|ah|ach|euh|eh)[,.! ]+){1,3}", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9]{1,7}\b")
_REASON = re.compile(
    r"^(?:i (?:mixed|confused|misread|misremembered|was|got)|we never|we don't|ich (?:habe?|war|hab)"
    r"|je (?:confond|me suis)|me (?:confundí|equivoqué|he)"
    r"|my (?:bad|mistake)|sorry|thanks|danke|gracias|merci)\b",
    re.IGNORECASE,
)


_CLAIMS = re.compile(
    r"(?:we|our|the|all|every|wir|unser\w*|der|die|das|alle|notre|nos|nous|on|le|la|les|el|los|las|nuestr\w+|usamos"
    r"|tenemos|[A-Z]\S+)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Retraction:
    """What a message takes back."""

    gone: frozenset[int]  # places among what was said
    correction: Draft | None = None  # what takes their place
    rest: str = ""  # what else the message says
    words: TakingBack | None = None  # the plain words for it; None when the message only corrects


@dataclass(frozen=True, slots=True, kw_only=True)
class TakenBack:
    """A message in which the user took back something they had said: here, or in an earlier conversation."""

    message_id: str
    contents: tuple[str, ...] = ()  # what they had said in this session
    topic: frozenset[str] = frozenset()  # what their own words were about; empty when they named nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReading:
    """What the messages of a session give."""

    drafts: tuple[Draft, ...]  # in the order they were said, each once
    taken_back: tuple[TakenBack, ...] = ()


def retraction(
    text: str, said: Sequence[tuple[int, Draft]], *, position: int, before: int, answered: str
) -> Retraction | None:
    """What the message at `position` takes back of `said` (drafts, each with the position of its message). `before` is
    the position of the user's message before it, and `answered` the assistant's words in between."""
    if any(Guard.SARCASTIC in guards_of(text, lexicon) for lexicon in dict.fromkeys((lexicon_of(text), ALL[0]))):
        return None
    words = read_taking_back(text)
    if words is not None:
        gone = _named(words, said) if words.topic else _last(said, position)
        return _taken_back(words, said, gone)
    last = frozenset(number for number, (place, _) in enumerate(said) if place == before)
    if not last or len(text.split()) > SHORT_WORDS_MAX or answered.rstrip().endswith("?"):
        return None
    if was_elsewhere(text):
        return Retraction(gone=last)
    return _put_right(text, said, last, answered) if len(last) == 1 else None


def noted(found: Retraction, message: Message, said: Sequence[tuple[int, Draft]]) -> TakenBack:
    """What others than the reader have to know of it."""
    own = found.words is not None and found.words.own_words and len(message.text) <= TYPED_CHARS_MAX
    return TakenBack(
        message_id=message.id,
        contents=tuple(said[number][1].content for number in sorted(found.gone)),
        topic=found.words.topic if own and found.words is not None else frozenset(),
    )


def kept_instead(found: Retraction) -> ClauseReading | None:
    """What the user says in place of what they took back, where it says what it is about."""
    if not found.gone or found.correction is not None or not _stands_alone(found.rest):
        return None
    lexicon = lexicon_of(found.rest)
    said = strip_filler(found.rest, lexicon)
    if guards_of(said, lexicon) or holds_secret(said):
        return None
    return ClauseReading(text=said, category=Category.CORRECTION, confidence=CORRECTED, reason=_PUT_RIGHT)


def _stands_alone(said: str) -> bool:
    """Whether it names what it is about and says something of it: one plain clause."""
    if len(said.split()) < WORDS_MIN or points_back(said) or refers(said) or said.rstrip().endswith("?"):
        return False
    return _CLAIMS.match(said) is not None and any(p.match(said) for lexicon in ALL for p in lexicon.amendment)


def _named(words: TakingBack, said: Sequence[tuple[int, Draft]]) -> frozenset[int]:
    """All that is about the topic; else the one statement that is nearest to it, if it is near enough."""
    shares = [share_named(words.topic, draft.content) for _, draft in said]
    best = max(shares, default=0.0)
    fitting = frozenset(number for number, share in enumerate(shares) if share == best)
    return fitting if best == 1.0 or (best >= NAMED_SHARE_MIN and len(fitting) == 1) else frozenset()


def _last(said: Sequence[tuple[int, Draft]], position: int) -> frozenset[int]:
    near = [place for place, _ in said if position - place <= REACH_MESSAGES]
    return frozenset(n for n, (place, _) in enumerate(said) if near and place == max(near))


def _taken_back(words: TakingBack, said: Sequence[tuple[int, Draft]], gone: frozenset[int]) -> Retraction:
    rest = _without_reasons(words.after)
    kept = None
    if len(gone) == 1 and words.after:
        (number,) = gone
        kept = _put_instead(said[number][1], words)
    rest = "\n".join(part for part in (words.before, "" if kept else rest) if part)
    return Retraction(gone=gone, correction=kept, rest=rest, words=words)


def _put_right(text: str, said: Sequence[tuple[int, Draft]], last: frozenset[int], answered: str) -> Retraction | None:
    """A correction of what was said just before, without words for taking it back."""
    (number,) = last
    draft = said[number][1]
    contrast = _NEVER_MIND.match(text)
    if contrast is not None and set(query_terms(text[contrast.end() :])) & set(query_terms(draft.content)):
        return Retraction(gone=last, rest=text[contrast.end() :])
    meant = _MEANT.match(text)
    if meant is not None:
        kept = _replaced(draft, text[meant.end() :], meant=True)
        return Retraction(gone=last, correction=kept) if kept is not None else None
    short = read_short_correction(text)
    kept = _replaced(draft, short.value) if short is not None else None
    if kept is not None and not _about_the_answer(draft.content, answered):
        return Retraction(gone=last, correction=kept)
    for lexicon in ALL:
        said_no = _HESITATES.sub("", text)
        match = lexicon.refusal.match(said_no)
        if match is None or lexicon.refusal_chatter.match(said_no):
            continue
        kept = _replaced(draft, said_no[match.end() :])
        if kept is not None and not _about_the_answer(draft.content, answered):
            return Retraction(gone=last, correction=kept)
    return None


def _about_the_answer(statement: str, answered: str) -> bool:
    """Whether a "no" may mean a figure that the assistant brought up."""
    return not set(_NUMBER.findall(answered)) <= set(_NUMBER.findall(statement))


def _replaced(draft: Draft, said: str, *, wrong: str = "", meant: bool = False) -> Draft | None:
    content = corrected(draft.content, said, wrong=wrong, meant=meant)
    if content is None or holds_secret(content) or draft.procedure is not None:
        return None
    return replace(
        draft,
        content=content,
        provenance=Provenance.USER_CORRECTED,
        confidence=CORRECTED,
        confidence_reason=_PUT_RIGHT,
        trigger_patterns=(),
        tentative=False,
        news=None,
    )


def _put_instead(draft: Draft, words: TakingBack) -> Draft | None:
    """The statement with what follows the words for taking it back, or with one clause of that."""
    parts = [words.after, *(part for part in re.split(r"[,;.]\s+|\s[–—-]\s", words.after) if part != words.after)]
    found = (_replaced(draft, part, wrong=words.named) for part in parts if part)
    kept = next((each for each in found if each is not None), None)
    wrong, right = _ACRONYM.findall(words.named), _ACRONYM.findall(words.after)
    if kept is None and len(wrong) == len(right) == 1:  # "forget the CSV thing, they deliver XML"
        return _replaced(draft, right[0], wrong=wrong[0], meant=True)
    return kept


def _without_reasons(said: str) -> str:
    """What follows a retraction, without clauses that only tell why, or that speak of what is gone."""
    parts = re.split(r"(?<=[.!?])\s+|[,;]\s+|\s[–—-]\s", said)
    while parts and (gives_reason_elsewhere(parts[0]) or points_back(parts[0]) or _REASON.match(parts[0])):
        said = said[said.find(parts[0]) + len(parts[0]) :].lstrip(" ,.;!–—-")
        parts = parts[1:]
    return said
