"""Where the user stopped an agent or set it right while it worked, and what they said then. Pure.

Looks at what follows an interruption, and at words of the user that come in between tool calls or begin with a no.
Does not judge whether the user was right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from nightgarden.domain.ledger import Source
from nightgarden.domain.session import Message, Session, Signal
from nightgarden.learn.capture.lessons import lessons_in
from nightgarden.learn.capture.taking import CapturedItem

ANSWER_WITHIN = 3  # messages after an interruption, in which the user says why
_TEXT_CHARS_MAX = 2_000  # more is a new task, not a correction
_NO = re.compile(
    r"\s*(?:no\b|nope\b|stop\b|wait\b|don't\b|do not\b|wrong\b|not like (?:this|that)|that's (?:not|wrong)"
    r"|that is (?:not|wrong)|actually\b|instead\b|please don't|nein\b|nicht so|halt\b|non\b|arrête|para\b|así no)",
    re.IGNORECASE,
)


def corrections_in(session: Session, *, known: frozenset[str]) -> list[CapturedItem]:
    """What the user said when they stopped or corrected the agent; messages in `known` gave memories already."""
    items = []
    for message, source in _moments(session.messages):
        if message.id in known:
            continue
        stopped = source is Source.INTERRUPTION
        for place, lesson in enumerate(lessons_in(message.text, strong=stopped)):
            items.append(
                CapturedItem(
                    source=source,
                    key=f"{session.id}:{message.id}:{place}",
                    text=lesson.text,
                    category=lesson.category,
                    confidence=lesson.confidence,
                    at=message.at,
                    outside=False,
                    reason="the user stopped the agent" if stopped else "the user corrected the agent at work",
                    session_id=session.id,
                    message_id=message.id,
                )
            )
    return items


def _moments(messages: Sequence[Message]) -> Iterator[tuple[Message, Source]]:
    for place, message in enumerate(messages):
        if message.role != "user" or message.pasted or message.signal is not Signal.NONE:
            continue
        if not message.text.strip() or len(message.text) > _TEXT_CHARS_MAX:
            continue
        before = messages[max(0, place - ANSWER_WITHIN) : place]
        if any(each.signal is Signal.INTERRUPTED for each in before):
            yield message, Source.INTERRUPTION
        elif _NO.match(message.text) and any(each.role == "tool" for each in messages[:place]):
            yield message, Source.CORRECTION
