"""Whether a statement tells news that says little without what is known of it: something is over, begins, is allowed
again, or has another number than before. Pure.

Exact words in the languages that are read best; "CI is red now" tells no number, and is no news.
"""

from __future__ import annotations

import re

from nightgarden.domain.text import fold
from nightgarden.remember.compare.beside import allows_again
from nightgarden.remember.compare.ended import says_it_is_over
from nightgarden.remember.compare.entities import EntityKind
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.statement import read

_BEGINS = re.compile(
    r"\b(?:from (?:today|now) on|from today|as of (?:today|now)|starting today|ab (?:heute|sofort|jetzt)"
    r"|à partir d['’]aujourd['’]hui"
    r"|dès aujourd['’]hui|a partir de (?:hoy|ahora)|desde hoy|da oggi|a partir de hoje|vanaf vandaag)\b"
    r"|^(?:i|we|ich|wir|je|on|nous)\b[^.;!?\n]{1,60}\b(?:again|wieder|de nouveau)\b",
    re.IGNORECASE,
)
_SINCE = re.compile(
    r"\b(?:since (?:today|yesterday|this \w+|\w{3,6}day)|seit (?:heute|gestern|\w{4,8}tag|mittwoch|dieser woche)"
    r"|depuis (?:aujourd['’]hui|hier|ce matin|lundi|mardi|mercredi|jeudi|vendredi|cette semaine)"
    r"|desde (?:hoy|ayer|ontem|el (?:lunes|martes|miercoles|jueves|viernes)|esta (?:manana|semana)|segunda|sexta)"
    r"|da (?:oggi|ieri|stamattina|lunedi|martedi|mercoledi|giovedi|venerdi)|sinds (?:vandaag|gisteren"
    r"|vanochtend|\w{4,6}dag)"
    r"|od (?:dzis\w{0,3}|wczoraj|poniedziałku)|со? (?:вчерашнего|сегодняшнего|понедельника))\b",
    re.IGNORECASE,
)
# Stems of verbs that give a number another value, before "to", "auf" and the like; as `fold` leaves them.
_SETS = re.compile(
    r"\b(?:rais|lower|increas|decreas|reduc|bump|extend|shorten|mov|shift|push|chang|rais|cut|erhoh|gesenk"
    r"|verschob|verleg"
    r"|geander|angehob|herabgesetz|verkurz|verlanger|augment|baiss|releve|port|repouss|deplac|decal|chang|pass"
    r"|reduit|subi"
    r"|baj|aument|cambi|pas|movi|redu|ampli|alz|abbass|spost|ridott|elev|diminu|mud|verhoog|verlaag|verplaats|verzet"
    r"|podnie|zwieksz|zmniejsz|przesun|zmien|повыс|подня|сниз|увелич|перенес|измен)\w*\b[^.;!?\n]{0,60}?"
    r"\b(?:to|auf|a|au|de|para|por|su|op|naar|na|do|до|на|с)\s[^.;!?\n]{0,12}?\d"
    r"|\b(?:auf|naar|op)\s[^.;!?\n]{0,12}?\d[^.;!?\n]{0,20}?\b(?:erhoht|gesenkt|verschoben|verlegt|geandert|angehoben"
    r"|verkurzt|verlangert|gesetzt|umgestellt|verhoogd|verlaagd|verplaatst|verzet)\b"
    r"|(?:提高|降低|调整|改|移)到?[^。]{0,8}\d|(?:上げ|下げ|変更|引き)[^。]{0,8}",
    re.IGNORECASE,
)


def tells_news(said: str) -> bool:
    """Whether it says that something is otherwise than it was. Without what is known of that, it says little."""
    if says_it_is_over(said) or _BEGINS.search(said) is not None or allows_again(said):
        return True
    return _SETS.search(fold(said)) is not None or _now_has_a_number(said)


def tells_a_rename(said: str) -> bool:
    """Whether it says that something was moved or renamed: what is known of it has then changed."""
    return any(word.key in grammar.CHANGE_VERBS for word in read(said).words)


def _now_has_a_number(said: str) -> bool:
    statement = read(said)
    numbers = any(word.numeric and word.kind is not EntityKind.DATE for word in statement.content)
    return numbers and (not statement.lows.isdisjoint(grammar.CHANGE_MARKS) or _SINCE.search(fold(said)) is not None)
