"""The assistant's account of a cause, when an error came before it and success was seen after that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nightgarden.domain.memory import Category
from nightgarden.domain.session import Message
from nightgarden.remember.draft import Draft
from nightgarden.remember.extract.clause_reading import ClauseReading, guards_of, holds_secret
from nightgarden.remember.extract.drafts import draft_of, from_assistant
from nightgarden.remember.extract.own_words import own_lines
from nightgarden.remember.extract.sentences import sentences
from nightgarden.remember.extract.utterance import SaidStatement
from nightgarden.remember.language import Guard, lexicon_of

VERIFIED = 0.5  # the assistant's words, a passing run
ERROR_REACH_MESSAGES = 12  # an explanation this far after an error is still about it; taste
_CAUSE = re.compile(
    r"\bturn(?:s|ed) out\b|\b(?:root|actual|real|underlying) (?:cause|reason|problem|issue) (?:was|is)\b"
    r"|\bthe (?:cause|reason|problem|issue|culprit|bug|fix|solution|failure|crash)(?: (?:here|was|is|for this))+\b"
    r"|\b(?:was|were|is|are) (?:actually )?(?:caused by|due to)\b|\b(?:failed|fails|broke|crashed|happened) because\b"
    r"|\b(?:ursache|grund|problem|fehler|lösung) (?:war|ist|lag)\b|\bes lag (?:daran|an)\b|\bstellte? sich heraus\b"
    r"|\b(?:cause|raison|problème|solution) (?:était|est|venait|vient)\b|\bc'était (?:à cause|dû)\b|\bil s'avère\b"
    r"|\b(?:causa|razón|problema|fallo|solución) (?:era|es|fue|estaba)\b|\bresulta que\b|\bfue porque\b",
    re.IGNORECASE,
)
_USER, _TOOL = "user", "tool"


def from_verified_fix(messages: Sequence[Message], index: int) -> Iterator[Draft]:
    """The assistant's account of a cause, when an error came before it and success was seen after that."""
    message = messages[index]
    error = _last_error(messages, index)
    if error is None or not _seen_fixed(messages, error=error, index=index):
        return
    lexicon = lexicon_of(message.text)
    doubts = {Guard.HYPOTHETICAL, Guard.QUESTION, Guard.REPORTED, Guard.SARCASTIC}
    for sentence in sentences(own_lines(message.text)):
        text = sentence.text
        if not _CAUSE.search(text) or guards_of(text, lexicon) & doubts or holds_secret(text):
            continue
        reading = ClauseReading(
            text=text,
            category=Category.GOTCHA,
            confidence=VERIFIED,
            reason="the assistant explained an error that was then gone",
        )
        draft = draft_of(SaidStatement(reading=reading), message, lexicon, None)
        if draft is not None:
            yield from_assistant(draft, first=messages[error], last=message, snippet="")
            return


def _last_error(messages: Sequence[Message], index: int) -> int | None:
    start = max(0, index - ERROR_REACH_MESSAGES)
    return next(
        (i for i in range(index - 1, start - 1, -1) if messages[i].role == _TOOL and messages[i].is_error), None
    )


def _seen_fixed(messages: Sequence[Message], *, error: int, index: int) -> bool:
    """A run without error between the error and its explanation, or the user's word right after it."""
    passed = any(m.role == _TOOL and not m.is_error for m in messages[error + 1 : index])
    reply = next((m for m in messages[index + 1 :] if m.role == _USER), None)
    if reply is None:
        return passed
    lexicon = lexicon_of(reply.text)
    if lexicon.refusal.match(reply.text.strip()):
        return False
    return passed or lexicon.success.search(reply.text) is not None
