"""The value in a message that does nothing but put something right: "no wait, 8081", "make it 4", "Tuesdays, sorry".
Pure.

Knows the closed set of words that lead in or follow such a value in ten languages, and no statement: whether the value
fits what was said before is for others to find out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CHARS_MAX = 80
_GAP = r"[\s,.!…:;–—-]+"
# Hesitation alone corrects nothing; a "no", a word for a mistake or an apology does.
_HESITATES = r"(?:hm+|u+h+m?|er+m?|oh|ah|ach|äh+m?|euh|eh|ehm|well|ok(?:ay)?|and|und)"
_CORRECTS = (
    r"(?:no+|nope|nah|wait|hold on|hang on|stop|sorry|oops|actually|correction|my bad|wrong|not quite"
    r"|that['’]s (?:wrong|not right)"
    r"|nein|nee|nö|(?:das )?stimmt (?:so )?(?:gar )?nicht|falsch|quatsch|unsinn|blödsinn|moment|warte|halt"
    r"|stopp|doch|vielmehr"
    r"|entschuldigung|korrektur|non|attends|pardon|désolée?|c['’]est faux|faux|en fait|plutôt|oups|espera"
    r"|perdón|mejor|en realidad"
    r"|corrección|ups|aspetta|scusa|anzi|sbagliato|não|espere|desculpa|aliás|na verdade|errado|niet|wacht"
    r"|klopt niet|fout"
    r"|eigenlijk|czekaj|chwila|przepraszam|właściwie|нет|подожди|стой|извини|точнее|вернее)"
)
_LEADS = (
    rf"(?:{_HESITATES}{_GAP}){{0,3}}(?:(?P<corrects>{_CORRECTS}){_GAP}(?:(?:{_HESITATES}|{_CORRECTS}){_GAP}){{0,3}})?"
)
_ASKS = (
    r"(?P<asks>(?:let['’]s )?make (?:it|that)(?: an?)?|let['’]s say|mach(?:en wir)?(?: lieber"
    r"| doch)?(?= .{1,20} d(?:a)?raus)"
    r"|sagen wir|disons|mets(?:-en)?|que sean|digamos|ponlo en|déjalo en|facciamo|diciamo|que sejam|deixa em"
    r"|maak (?:er|het)|zeg maar|niech będzie|пусть будет)\s+(?:lieber |doch |plutôt |mejor |um |liever )?"
)
_VALUE = r"(?P<value>[^\s,;.!?…][^,;!?…\n]{0,30}?)"
_TAIL = (
    r"(?:[\s,–—-]+(?:(?P<apology>sorry|i mean(?:t)?|my bad|pardon|(?:meine|meinte) ich|ich mein(?:e|te)"
    r"|je veux dire|désolée?|perdón"
    r"|quiero decir|digo|scusa|volevo dire|desculpa|quero dizer|bedoel ik|przepraszam|извини)|plutôt|lieber"
    r"|mejor|then|please|instead|d(?:a)?raus|van"
    r"|dann|bitte|alors|entonces|allora|então|dan)){0,3}"
)
_SHORT = re.compile(rf"{_LEADS}(?:{_ASKS})?{_VALUE}{_TAIL}[\s.!]*", re.IGNORECASE)
_VALUE_WORDS_MAX = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortCorrection:
    """What is right, as written. `asked`: what is to be set, and not that something else was wrong."""

    value: str
    asked: bool


def read_short_correction(text: str) -> ShortCorrection | None:
    """None for whatever says more than a value, or nothing of a mistake."""
    said = text.strip()
    if len(said) > CHARS_MAX or said.endswith(("?", "？")):
        return None
    match = _SHORT.fullmatch(said)
    if match is None or not (match["corrects"] or match["asks"] or match["apology"]):
        return None
    value = match["value"].strip("`\"' ")
    if not value or len(value.split()) > _VALUE_WORDS_MAX:
        return None
    return ShortCorrection(value=value, asked=match["asks"] is not None and match["corrects"] is None)
