"""From a statement that was said to the draft that the write pipeline takes. Pure."""

from __future__ import annotations

import re

from nightgarden.domain.memory import Category, Importance, Provenance
from nightgarden.domain.session import Message
from nightgarden.remember.draft import SNIPPET_CHARS_MAX, Draft
from nightgarden.remember.extract.rewrite import stand_alone
from nightgarden.remember.extract.short_answers import last_words
from nightgarden.remember.extract.utterance import SaidStatement
from nightgarden.remember.language import Lexicon

WORDS_MIN = 2
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]{4}")  # Chinese, Japanese: a sentence is one word
# "Good that you", "Even the user can": the end is missing.
_CUT_OFF_WORDS_MAX = 4
_CUT_OFF = re.compile(
    r"\b(?:you|i|we|they|he|she|the user|to|the|a|an|of|and|or|but|because|that|which|can|could|will|would|should"
    r"|must)\Z",
    re.IGNORECASE,
)
_WEIGHTY = {Category.NEGATIVE, Category.DECISION, Category.GOTCHA, Category.CONVENTION, Category.CORRECTION}


def draft_of(said: SaidStatement, message: Message, lexicon: Lexicon, answered: Message | None) -> Draft | None:
    """The draft of what the user said, or none where too little is left of it."""
    content = stand_alone(said.reading.text, lexicon)
    if len(content.split()) < WORDS_MIN and _UNSPACED.search(content) is None:
        return None
    if lexicon.code == "en" and len(content.split()) <= _CUT_OFF_WORDS_MAX and _CUT_OFF.search(content) is not None:
        return None
    weighty = said.requested or said.corrected or said.reading.category in _WEIGHTY
    return Draft(
        content=content,
        category=said.reading.category,
        provenance=Provenance.USER_CORRECTED if said.corrected else Provenance.USER_STATED,
        confidence=said.reading.confidence,
        confidence_reason=said.reading.reason,
        importance=Importance.HIGH if weighty else Importance.MEDIUM,
        message_range=(message.id, message.id),
        context_snippet=last_words(answered.text, chars_max=SNIPPET_CHARS_MAX) if answered is not None else "",
    )


def from_assistant(draft: Draft, *, first: Message, last: Message, snippet: str) -> Draft:
    """The same of what the assistant said, and the user or a run bore out."""
    return Draft(
        content=draft.content,
        category=draft.category,
        provenance=Provenance.EXTRACTED,
        confidence=draft.confidence,
        confidence_reason=draft.confidence_reason,
        importance=Importance.MEDIUM,
        message_range=(first.id, last.id),
        context_snippet=snippet,
        tainted=True,  # the assistant had read files and tool output by then
    )
