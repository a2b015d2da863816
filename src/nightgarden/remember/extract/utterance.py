"""Reads one sentence of the user in its place: a request to remember, an item of a list to remember, or a correction.

Pure. The caller gives what the assistant said before. What is told without being asked for is for the networks to find.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nightgarden.domain.memory import Category
from nightgarden.remember.category import category_by_form, forbids
from nightgarden.remember.compare.two_clauses import second_clause
from nightgarden.remember.extract.clause_reading import ClauseReading, guards_of, holds_secret
from nightgarden.remember.extract.rewrite import mended, strip_filler
from nightgarden.remember.extract.sentences import Sentence
from nightgarden.remember.extract.short_answers import replaced_value
from nightgarden.remember.extract.short_corrections import read_short_correction
from nightgarden.remember.language import Guard, Lexicon, lexicon_of
from nightgarden.remember.language.english import ENGLISH

REQUESTED = 0.95  # the user asked for it to be kept; only a mishearing can be wrong
CORRECTED = 0.9  # the user rejected what was said and gave what is right
WORDS_MIN = 2  # "I'm vegetarian" is the shortest statement worth keeping

_RULES_HEADING = re.compile(
    r"\b(?:rules?|conventions?|guidelines?|preferences?|policy|policies|ground rules|standards?|setup"
    r"|environment|facts?|stack|remember|"
    r"keep in mind|always|never|for (?:future )?reference|how we work|regeln|konventionen|règles"
    r"|conventions|reglas|convenciones|merk dir|retiens|recuerda)\b",
    re.IGNORECASE,
)
_QUESTION_TAIL = re.compile(
    r"(?:[,;.–-]|(?<!\s))\s++(?:so |and |but |then )?(?:please )?(?:can|could|would|will|should|do|does|did|is|are"
    r"|what|how|why|where|which|kannst|könntest|peux|tu peux|pourrais|puedes|podrías"
    r"|me puedes)[\s-]+(?:you|we|i|it|this|that|there|the|about|du|wir|tu|me)\b[^?]*\?\W*$",
    re.IGNORECASE,
)
_AGREEABLE_TAG = re.compile(
    r"(?:,|(?<!\s))\s++(?:ok|okay|alright|got it|deal|understood|please|yeah|ja|d'accord|vale|verstanden)\s*+\?++\s*+$",
    re.IGNORECASE,
)
# Of an agent that says what it is about to set, before the value.
_SETS = re.compile(
    r"\b(?:set|default|limit|configure|cap|keep|retain|schedule|raise|lower|use)\w{0,3}\b[^.!?\n]{0,60}\d"
    r"|\b(?:setze|stelle|lege|nutze|begrenze)\b[^.!?\n]{0,60}\d|\b(?:mets|fixe|règle|utilise|limite)\b[^.!?\n]{0,60}\d"
    r"|\b(?:pongo|fijo|configuro|uso|dejo|limito|imposto|metto|defino|zet|stel)\b[^.!?\n]{0,60}\d",
    re.IGNORECASE,
)
_HOLDS_AGAINST_REQUEST = frozenset({Guard.SARCASTIC})
_HOLDS_AGAINST_ERRAND = frozenset({Guard.SARCASTIC, Guard.TRANSIENT, Guard.ONE_OFF})
_HOLDS_AGAINST_ITEM = frozenset({Guard.QUESTION, Guard.HYPOTHETICAL, Guard.SARCASTIC})
_ERRAND = re.compile(r"^to\s+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidStatement:
    """A lasting statement and how it came up."""

    reading: ClauseReading
    requested: bool = False
    corrected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SentencePlace:
    """Where a sentence stands: what came before it in its message, and what the assistant had said."""

    before: str = ""  # the user's sentence before it, in the same message
    refused_before: bool = False  # was that sentence a bare "no"?
    answered: str = ""  # the assistant's words this message answers; empty when there are none


def read_sentence(sentence: Sentence, lexicon: Lexicon, place: SentencePlace) -> list[SaidStatement]:
    """What a sentence asks to remember or puts right."""
    text = mended(_AGREEABLE_TAG.sub("", sentence.text), lexicon)
    if holds_secret(text):
        return []
    requested = _requested(text, lexicon, place)
    if requested is not None:
        return requested
    if sentence.heading:
        return _listed(text, sentence.heading, lexicon)
    if place.answered and (sentence.opens or place.refused_before):
        by_language = (_corrected(text, language, place) for language in dict.fromkeys((lexicon, ENGLISH)))
        return next(filter(None, by_language), [])
    return []


def is_bare_refusal(text: str, lexicon: Lexicon) -> bool:
    """Whether the sentence only says no, so that the next one says what is right."""
    match = lexicon.refusal.match(text)
    return match is not None and not text[match.end() :].strip(" .!,")


def _requested(text: str, lexicon: Lexicon, place: SentencePlace) -> list[SaidStatement] | None:
    for language in dict.fromkeys((lexicon, ENGLISH)):
        match = language.request.match(text)
        content = text[match.end() :] if match is not None else ""
        if match is None and (after := language.request_after.search(text)) is not None:
            match, content = after, text[: after.start()]
        if match is None:
            continue
        if language.pointer.match(content):
            content = place.before
        content = content.rstrip("? ")
        if not content:
            return []
        if content.endswith(":") or re.match(
            r"^(?:what|how|why|when we|wie|was|comment|cómo)\b", content, re.IGNORECASE
        ):
            return []
        return _asked_to_keep(content, language)
    return None


def _asked_to_keep(content: str, lexicon: Lexicon) -> list[SaidStatement]:
    holds = _HOLDS_AGAINST_ERRAND if _ERRAND.match(content) else _HOLDS_AGAINST_REQUEST
    parts = (strip_filler(part, lexicon) for part in _halves(_ERRAND.sub("", content)))
    return [
        _requested_statement(part, "the user asked to remember it")
        for part in parts
        if len(part.split()) >= WORDS_MIN and not guards_of(part, lexicon) & holds
    ]


def _halves(content: str) -> list[str]:
    """Two things that are told in one sentence can change one without the other."""
    cut = second_clause(content)
    return [content] if cut is None else [content[: cut[0]], *_halves(content[cut[1] :])]


def _requested_statement(text: str, reason: str) -> SaidStatement:
    category = category_by_form(text) or Category.FACT
    reading = ClauseReading(text=text, category=category, confidence=REQUESTED, reason=reason)
    return SaidStatement(reading=reading, requested=True)


def _listed(text: str, heading: str, lexicon: Lexicon) -> list[SaidStatement]:
    """An item of a list under a heading that asks to remember it."""
    asked = any(language.request.match(heading) for language in dict.fromkeys((lexicon_of(heading), ENGLISH)))
    if not asked or not _RULES_HEADING.search(heading) or guards_of(text, lexicon) & _HOLDS_AGAINST_ITEM:
        return []
    item = strip_filler(text, lexicon)
    return [_requested_statement(item, "the user listed it to be remembered")] if len(item.split()) >= WORDS_MIN else []


def _corrected(text: str, lexicon: Lexicon, place: SentencePlace) -> list[SaidStatement]:
    """What is right instead, when the sentence rejects the assistant's words."""
    if (short := _put_right(text, place)) is not None:
        return [short]
    match = lexicon.refusal.match(text)
    if lexicon.refusal_chatter.match(text) or (match is None and not place.refused_before):
        return []
    rest = strip_filler(text[match.end() :] if match is not None else text, lexicon)
    resolved = _resolved(rest, lexicon, place)
    if resolved is not None:
        return [resolved]
    right = strip_filler(_QUESTION_TAIL.sub("", rest), lexicon)
    amends = any(pattern.match(right) for pattern in lexicon.amendment)
    if not amends or len(right.split()) < WORDS_MIN or guards_of(right, lexicon):
        return []
    category = Category.NEGATIVE if forbids(right) else Category.CORRECTION
    reading = ClauseReading(
        text=right, category=category, confidence=CORRECTED, reason="the user corrected the assistant"
    )
    return [SaidStatement(reading=reading, corrected=True)]


def _put_right(text: str, place: SentencePlace) -> SaidStatement | None:
    """ "No wait, 8081", "make it 4". The latter asks for something; where that is no setting, it is an errand."""
    short = read_short_correction(text) if place.answered else None
    if short is None or (short.asked and _SETS.search(place.answered) is None):
        return None
    return _with_value(place, short.value, None)


def _resolved(rest: str, lexicon: Lexicon, place: SentencePlace) -> SaidStatement | None:
    value = lexicon.bare_value.match(rest)
    if value is None or guards_of(rest, lexicon):
        return None
    return _with_value(place, value["value"], value["old"])


def _with_value(place: SentencePlace, value: str, old: str | None) -> SaidStatement | None:
    claim = replaced_value(place.answered, value=value, old=old)
    if claim is None or holds_secret(claim):
        return None
    reading = ClauseReading(
        text=claim,
        category=Category.CORRECTION,
        confidence=CORRECTED,
        reason="the user corrected a value the assistant gave",
    )
    return SaidStatement(reading=reading, corrected=True)
