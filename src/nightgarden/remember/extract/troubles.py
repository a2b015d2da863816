"""Whether a sentence tells of a trouble that is known and stays: "the printer jams when you print A3". Pure.

A report of a fault is mostly about today, and the networks learned to leave it. What has been so "for ages", or happens
"every time", to whoever does it, is worth knowing until it is fixed. Words for that in ten languages; whether it is a
trouble at all is not looked at. What the speaker met or asks to be fixed is left to the networks.
"""

from __future__ import annotations

import re

from nightgarden.remember.extract.spans import is_worded

WORDS_MIN = 4
SUBJECT_WORDS_MIN = 2  # before "has been for ages"

_EVER_SINCE = re.compile(
    r"\b(?:(?:has|have|'s|'ve) (?:been|done|had)(?: \w+){0,3} (?:for (?:ages|years|months|weeks|as long as)"
    r"|since (?:forever|day one|the beginning))|always (?:has|have)(?: been| done)?(?! \w)"
    r"|seit (?:jahren|monaten|wochen|ewigkeiten|jeher|langem|anfang an)|schon immer|von anfang an"
    r"|depuis (?:toujours|longtemps|le début|des (?:années|mois|semaines|lustres))"
    r"|desde (?:siempre|el principio|hace (?:años|meses|semanas|mucho|siglos))|da (?:sempre|anni|mesi|settimane)"
    r"|desde sempre|há (?:anos|meses|semanas|séculos)|al (?:jaren|maanden|weken|eeuwen|tijden)"
    r"|od (?:zawsze|lat|miesięcy|dawna|wieków)|уже давно|годами|всегда так|с самого начала)\b"
    r"|一直(?:都|以来|这样|如此)|多年来|昔から|何年も前から|以前からずっと",
    re.IGNORECASE,
)
_WHENEVER = re.compile(
    r"\b(?:(?:when(?:ever)?|if|once|as soon as) (?:you|one|someone|somebody|anyone|the|two|more than)|every time"
    r"|each time|(?:wenn|sobald) (?:man|jemand|der|die|das)|jedes ?mal|(?:quand|dès qu'|lorsqu'|si) ?(?:on|le|la|les)"
    r"|à chaque fois|(?:cuando|si) (?:se|uno|alguien|el|la|los|las)|cada vez|siempre que|(?:quando|se) si|ogni volta"
    r"|sempre che|sempre que|toda vez|(?:als|zodra) (?:je|men|de|het)|elke keer|za każdym razem|zawsze gdy|каждый раз"
    r"|всякий раз)\b|每次|每当|たびに|毎回",
    re.IGNORECASE,
)
# Of the speaker alone, of what is asked for, or of what may be.
_OF_THE_SPEAKER = re.compile(
    r"\b(?:i|i'm|i've|me|ich|mich|mir|je|j'\w+|yo|mi|io|eu|ik|ja|mnie|я|мне|please|bitte|s'il te plaît|por favor|could"
    r"|can you|would|should|maybe|perhaps|might|vielleicht|peut-être|quizás?|forse|talvez|misschien|może)\b"
    r"|[?？]|我|私|俺|僕",
    re.IGNORECASE,
)


def is_long_standing(said: str) -> bool:
    """Whether it has been so for long: "the test is flaky, has been for ages"."""
    since = _EVER_SINCE.search(said)
    return since is not None and _says_something(said) and is_worded(said[: since.start()], SUBJECT_WORDS_MIN)


def happens_each_time(said: str) -> bool:
    """Whether it happens whenever anybody does something."""
    return _says_something(said) and _WHENEVER.search(said) is not None


def _says_something(said: str) -> bool:
    return is_worded(said, WORDS_MIN) and _OF_THE_SPEAKER.search(said) is None
