"""Reads one sentence of the user in its place: a request to remember, a correction, a listed rule, or a plain clause.

Pure. The caller gives what the assistant said before; the answer is the lasting statements in the sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from nightgarden.domain.memory import Category
from nightgarden.remember.extract.clause_reading import ClauseReading, first_cue, guards_of, holds_secret, read_clause
from nightgarden.remember.extract.rewrite import mended, strip_filler
from nightgarden.remember.extract.sentences import Sentence, clauses, trim_conjunction
from nightgarden.remember.extract.short_answers import replaced_value
from nightgarden.remember.extract.short_corrections import read_short_correction
from nightgarden.remember.language import Guard, Lexicon
from nightgarden.remember.language.english import ENGLISH

REQUESTED = 0.95  # the user asked for it to be kept; only a mishearing can be wrong
CORRECTED = 0.9  # the user rejected what was said and gave what is right

_RULES_HEADING = re.compile(
    r"\b(?:rules?|conventions?|guidelines?|preferences?|policy|policies|ground rules|standards?|setup"
    r"|environment|facts?|stack|remember|"
    r"keep in mind|always|never|for (?:future )?reference|how we work|regeln|konventionen|règles"
    r"|conventions|reglas|convenciones|merk dir|retiens|recuerda)\b",
    re.IGNORECASE,
)
_TASK_HEADING = re.compile(
    r"\b(?:please|can you|could you|todo|to do|tasks?|fix|do the following|need to|next steps?|bugs?"
    r"|questions?|options?|ideas?|issues?|problems?|pros|cons|acceptance|"
    r"requirements?|changes|review comments?|plan|agenda|today|bitte|kannst|aufgaben|peux-tu|tâches"
    r"|puedes|tareas|haz)\b",
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
    """All lasting statements in one sentence."""
    text = mended(_AGREEABLE_TAG.sub("", sentence.text), lexicon)
    if holds_secret(text):
        return []
    requested = _requested(text, lexicon, place)
    if requested is not None:
        return requested
    if sentence.heading:
        return _listed(text, sentence.heading, lexicon)
    if place.answered and (sentence.opens or place.refused_before):
        corrected = _corrected(text, lexicon, place)
        if corrected is not None:
            return corrected
    return [SaidStatement(reading=reading) for reading in _plain(text, lexicon)]


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
    content = _ERRAND.sub("", content)
    said: list[SaidStatement] = []
    for clause in _joined(content, lexicon):
        text = strip_filler(clause, lexicon)
        if len(text.split()) < 2 or guards_of(text, lexicon) & holds:
            continue
        cue = first_cue(text, lexicon)
        category = cue.category if cue is not None else Category.FACT
        reading = ClauseReading(
            text=text, category=category, confidence=REQUESTED, reason="the user asked to remember it"
        )
        said.append(SaidStatement(reading=reading, requested=True))
    return said


def _joined(content: str, lexicon: Lexicon) -> list[str]:
    """Clauses that each say something; a clause without a cue of its own stays with the one before it."""
    parts: list[str] = []
    for clause in clauses(content, lexicon):
        if parts and first_cue(strip_filler(clause, lexicon), lexicon) is None:
            parts[-1] += clause
        else:
            parts.append(clause)
    return [trim_conjunction(part, lexicon) for part in parts]


def _listed(text: str, heading: str, lexicon: Lexicon) -> list[SaidStatement]:
    """A list item means what its heading says: rules are kept, errands are not."""
    if not _RULES_HEADING.search(heading) or (_TASK_HEADING.search(heading) and not lexicon.request.match(heading)):
        return []
    if heading.rstrip().endswith("?") or guards_of(text, lexicon) & {
        Guard.QUESTION,
        Guard.HYPOTHETICAL,
        Guard.SARCASTIC,
    }:
        return []
    clause = strip_filler(text, lexicon)
    if len(clause.split()) < 2:
        return []
    cue = first_cue(clause, lexicon)
    default = (
        Category.FACT
        if re.search(r"\b(?:setup|environment|facts?|stack)\b", heading, re.IGNORECASE)
        else Category.CONVENTION
    )
    reading = ClauseReading(
        text=clause,
        category=cue.category if cue is not None else default,
        confidence=0.85,
        reason="the user listed it among standing rules or facts",
    )
    return [SaidStatement(reading=reading, requested=lexicon.request.match(heading) is not None)]


def _corrected(text: str, lexicon: Lexicon, place: SentencePlace) -> list[SaidStatement] | None:
    """What is right instead, when the sentence rejects the assistant's words; None when it rejects nothing."""
    if (short := _put_right(text, place)) is not None:
        return [short]
    match = lexicon.refusal.match(text)
    if lexicon.refusal_chatter.match(text) or (match is None and not place.refused_before):
        return None
    rest = text[match.end() :] if match is not None else text
    rest = strip_filler(rest, lexicon)
    if not rest:
        return []
    resolved = _resolved(rest, lexicon, place)
    if resolved is not None:
        return [resolved]
    said: list[SaidStatement] = []
    for clause in _joined(_QUESTION_TAIL.sub("", rest), lexicon):
        amends = any(pattern.match(clause) for pattern in lexicon.amendment)
        reading = read_clause(strip_filler(clause, lexicon), lexicon)
        if reading is None and amends and len(clause.split()) >= 2 and not guards_of(clause, lexicon):
            reading = ClauseReading(text=clause, category=Category.CORRECTION, confidence=CORRECTED, reason="")
        if reading is None:
            continue
        category = reading.category if reading.category is Category.NEGATIVE else Category.CORRECTION
        reading = replace(reading, category=category, confidence=CORRECTED, reason="the user corrected the assistant")
        said.append(SaidStatement(reading=reading, corrected=True))
    return said or None


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


def _plain(text: str, lexicon: Lexicon) -> list[ClauseReading]:
    """Lasting statements in a sentence that is no request, list item or correction."""
    text = _QUESTION_TAIL.sub("", text)
    if not text:
        return []
    if Guard.SARCASTIC in guards_of(text, lexicon) or text.rstrip().endswith("?"):
        return []
    readings: list[ClauseReading] = []
    for clause in clauses(text, lexicon):
        whole = trim_conjunction(clause, lexicon)
        bare = strip_filler(whole, lexicon)
        reading = read_clause(bare, lexicon)
        if reading is None and lexicon is not ENGLISH:
            reading = read_clause(bare, ENGLISH)
        if reading is not None:
            readings.append(reading)
        elif readings and not guards_of(bare, lexicon):  # it says nothing lasting by itself: a reason, a detail
            readings[-1] = replace(readings[-1], text=f"{readings[-1].text}, {whole}")
    return readings
