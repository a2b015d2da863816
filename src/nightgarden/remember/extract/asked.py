"""What of the agent's words a message answers: its last questions, or its last sentence where it asked nothing.

What it reported before them ("Sure. Done, I've added the test.") says nothing of the answer, and the networks take a
report before a short answer as a sign that the answer is about that piece of work alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from nightgarden.domain.secrets import find_secrets
from nightgarden.domain.taint import instruction_like
from nightgarden.remember.extract.rewrite import said_by_agent
from nightgarden.remember.extract.spans import sentence_spans
from nightgarden.remember.language import lexicon_of

TAIL_CHARS = 1_000  # of what the agent said, in which the last question is looked for
SENTENCES = 2  # that are read where it asked nothing
QUESTION_CHARS_MAX = 160
NOD_CHARS_MAX = 4  # of an "Ok." or "Ja.", after which the networks take whatever is said for a passing word
TOLD_WORDS_MIN = 4  # of a sentence that tells what a reply is about; "All done." tells nothing
SHORT_WORDS_MAX = 4  # of a question that needs the sentence before it: "Which one is right?"

_ROW = "|"  # of a table; a question mark in it asks nobody
_QUESTION_MARKS = ("?", "？")
_POINTS = re.compile(
    r"\b(?:that|this|it|those|these|das|dies\w*|es|so|ça|cela|c'est|eso|esto|así|questo|quello|così|isso|isto|assim|dat|dit"
    r"|zo)\b",
    re.IGNORECASE,
)
# How one says yes before asking back. What else stands before a question may be what it is about.
_AGREES = re.compile(
    r"(?:(?:sure(?: thing)?|ok|okay|of course|certainly|gladly|happy to help|glad to help|no problem|got it|great|done"
    r"|noted|perfect|alright|thanks|thank you|klar|gerne?|natürlich|alles klar|verstanden|erledigt|danke|bien sûr"
    r"|d'accord|entendu|parfait|merci|volontiers|claro(?: que s[íi]m?)?|por supuesto|vale|entendido|perfecto|gracias"
    r"|hecho|listo|certo|va bene|certamente|perfetto|grazie|fatto|com certeza|perfeito|obrigad[oa]|feito|natuurlijk"
    r"|prima|graag|bedankt|gedaan|jasne|oczywiście|dobrze|dziękuję|gotowe|конечно|хорошо|понятно|спасибо|готово)"
    r" ?[,.!:;–—-]+ +|(?:好的|当然|没问题|明白了|はい|もちろん(?:です)?|承知しました|了解です)[，、,。！! ]+)+",
    re.IGNORECASE,
)


def last_asked(previous: str) -> str:
    """What stands before a message when it is read: the agent's last questions and what follows them, or its last
    sentences."""
    spoken = _spoken(previous)
    begin, end = _questions(spoken)
    if begin is None:
        begin = max(0, len(spoken) - SENTENCES)
    elif begin and _is_short(" ".join(spoken[begin:end])):
        begin -= 1
    said = _asking(" ".join(spoken[begin:]))
    return said if len(said) > NOD_CHARS_MAX or said.endswith(_QUESTION_MARKS) else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentWords:
    """What a message replies to: what the agent asked last or, if nothing, what it told."""

    asked: str = ""
    told: str = ""

    @classmethod
    def of(cls, previous: str) -> AgentWords:
        return cls(asked=last_questions(previous), told=last_told(previous))


def last_questions(previous: str) -> str:
    """The agent's last questions, as they can stand before the answer; empty where it asked nothing."""
    spoken = _spoken(previous)
    begin, end = _questions(spoken)
    if begin is None:
        return ""
    if begin and end - begin == 1 and _leans(spoken[begin]):
        begin -= 1
    asked = _asking(" ".join(spoken[begin:end]))
    if len(asked) > QUESTION_CHARS_MAX:
        asked = _asking(spoken[end - 1])[-QUESTION_CHARS_MAX:]
    return said_by_agent(asked, lexicon_of(asked))


def last_told(previous: str) -> str:
    """The agent's last sentence, where it asked nothing, as it can stand before a reply that says nothing without it.
    The agent may have read it somewhere, so nothing that gives orders or a credential away."""
    spoken = _spoken(previous)
    if not spoken or _questions(spoken)[0] is not None:
        return ""
    told = _asking(spoken[-1]).rstrip(" .!")
    if len(told.split()) < TOLD_WORDS_MIN or len(told) > QUESTION_CHARS_MAX or told.endswith(":"):
        return ""
    return "" if instruction_like(told) or find_secrets(told) else said_by_agent(told, lexicon_of(told))


def _spoken(previous: str) -> list[str]:
    tail = previous[-TAIL_CHARS:]
    said = (tail[start:end].strip() for start, end in sentence_spans(tail))
    return [sentence for sentence in said if not sentence.startswith(_ROW)]


def _questions(spoken: list[str]) -> tuple[int | None, int]:
    """From where to where its last questions stand, one after the other."""
    asks = [sentence.endswith(_QUESTION_MARKS) for sentence in spoken]
    if True not in asks:
        return None, 0
    end = len(asks) - asks[::-1].index(True)
    begin = end - 1
    while begin and asks[begin - 1]:
        begin -= 1
    return begin, end


def _is_short(asked: str) -> bool:
    return len(asked.split()) <= SHORT_WORDS_MAX


def _leans(asked: str) -> bool:
    """Whether a question, such as "Is that right?", asks about what stands before it."""
    return _is_short(asked) and _POINTS.search(asked) is not None


def _asking(said: str) -> str:
    asked = _AGREES.sub("", said, count=1)
    return asked[:1].upper() + asked[1:] if asked else said
