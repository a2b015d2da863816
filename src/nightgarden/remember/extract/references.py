"""Whether a sentence or a clause needs what was said before it. Knows words of four languages, no grammar."""

from __future__ import annotations

import re

_POINTS_BACK = re.compile(
    r"^(?:and |but |so |also |und |aber |et |mais |y |pero )?"
    r"(?:(?:it|its|it's|that|that's|this|they|them|those|these|he|she|there|es|dies|dort|sie|ça|c'est|il|elle|cela|eso"
    r"|esto|ese|está|lo)\b|(?:das|die|der) (?:ist|sind|war|wird|werden|hat|haben|kann|können|muss|müssen|soll|sollen"
    r"|darf|gilt|gelten|geht|läuft|laufen|kommt|macht|machen|bleibt|braucht|steht|liegt|heißt)\b)",  # else an article
    re.I,
)
_HANGS = re.compile(
    r"(?:and |but |so )?(?:like|such as|which|who|whose|where|because|since|especially|including|even|than|as|while"
    r"|though|considering|now that|it|he|she|they|them|that|this|those|these|der|die|das|dass|daß|welche|wobei|weil"
    r"|damit|como|que|porque|aunque|comme|qui|dont)\b",
    re.I,
)
# "and staff training": a second noun or verb of the clause before; "and our floor is 1.80" says something of its own.
_NOUN_AFTER_AND = re.compile(
    r"(?:and|und|y|et|e|en) (?!(?:we|i|our|my|the|this|these|those|every|all|no|never|always|only|wir|ich|unser\w*"
    r"|mein\w*|die|der|das|kein\w*|nie|immer|nosotros|yo|nuestr\w+|mi|el|la|los|las|nunca|siempre|nous|je|notre|nos|le|les)\b"
    r"|[A-ZÀ-Þ])",
)
_REFERS = re.compile(
    r"\b(?:he|him|his|she|her|hers|they|them|same|else|otherwise|ihm|ihn|ihr|ihnen|dort|sonst|dafür|davon"
    r"|dazu|ello|ella|ellos|ellas|allí|demás|lui|leur|elle|elles)\b",
    re.I,
)
_ENDS_POINTING_BACK = re.compile(r"\b(?:that|this|it|them|those|so)[.!]?\Z", re.IGNORECASE)


def points_back(said: str) -> bool:
    """A sentence that begins with what only the one before it names: "It must run as root"."""
    return _POINTS_BACK.match(said) is not None


def hangs_on_the_last(clause: str) -> bool:
    """A clause that says nothing without the one before it: "such as …", "which …"."""
    return _HANGS.match(clause) is not None


def goes_on_with_a_noun(clause: str) -> bool:
    """A clause that is only the second half of "X and Y"."""
    return _NOUN_AFTER_AND.match(clause) is not None


def refers(first_clause: str) -> bool:
    """A sentence about somebody or something named before it: "Questions go to her"."""
    return _REFERS.search(first_clause) is not None


def ends_pointing_back(said: str) -> bool:
    """ "The pipeline does that." """
    return _ENDS_POINTING_BACK.search(said) is not None
