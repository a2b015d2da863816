"""Whether a statement tells something that is not so, or not yet: asked, wished for, weighed, planned, announced for
later, for a while only, or nearly done. Pure.

Knows the closed set of words by which eleven languages say so, next to "we" and "I" where they mean something else
elsewhere. What is dated ("from 1 December") may have begun, and what is told without such a word is taken as said.
"""

from __future__ import annotations

import re
from functools import lru_cache

from nightgarden.domain.text import fold

# All as `fold` leaves a text, which takes accents off Cyrillic letters too.
_WISHED = re.compile(
    r"\b(?:i|we) (?:\w+ )?(?:wish|hope)(?:ed)?\b|\bif only\b|\b(?:i|we)(?:['’]d| would) (?:really )?(?:love"
    r"|like|prefer) to\b"
    r"|\b(?:ich|wir) wunsch\w{2,4}|\b(?:ich|wir) (?:\w+ )?(?:hatten?|wurden?|fande) (?:\w+ )?(?:gern|lieber"
    r"|am liebsten"
    r"|schon)|\bware (?:schon|besser|toll)\b|\bhoffentlich\b"
    r"|\bj['’]aimerais (?:bien )?(?:qu|\w+(?:er|ir|re)\b)|\b(?:je|on|nous) (?:voudrai\w{1,3}|aimeri?on\w)\b"
    r"|\bon aimerait\b|\bsi seulement\b"
    r"|\bojala\b|\bme gustaria\b|\bnos gustaria\b|\b(?:quisiera|quisieramos)\b"
    r"|\bvorrei\b|\bvorremmo\b|\b(?:mi|ci) piacerebbe\b|\bmagari\b"
    r"|\bquem dera\b|\boxala\b|\btomara\b|\bgostari(?:a|amos)\b"
    r"|\b(?:ik|we|wij) (?:wou|wilde|zouden?) (?:dat|graag|liever)\b|\bhad(?:den)? (?:ik|we) maar\b"
    r"|\bchcial(?:a|by)?(?:bym|bysmy)\b|\bchciał\w{0,3}bym\b|\bchcieliby\w{2,3}\b|\boby\b|\bszkoda, ze\b"
    r"|\bхотел\w{0,3} бы\b|\bхотелось бы\b|\bвот бы\b|\bжаль, что\b|希望|要是|但愿|たらいい|ならいい|(?:欲"
    r"|ほ)しい|たいな",
    re.IGNORECASE,
)
_TO_CHANGE = (
    r"(?:use|try|adopt|replace|switch|move|migrate|drop|change|swap|retire|rename|raise|lower|increase|reduce"
    r"|rewrite)"
)
_WEIGHED = re.compile(
    r"\b(?:we|i|they) (?:really |probably |maybe |also )?(?:should|ought to|could|might)"
    rf" (?:really |probably |maybe |also |just )?{_TO_CHANGE}\b"
    r"|\b(?:consider|debat|discuss|evaluat)(?:ed|ing)\b|\bthinking (?:of|about)\b|\bthought about\b|\btoying with\b"
    r"|\bjust an idea\b|\bmaybe we\b"
    r"|\b(?:wir (?:sollten|konnten|mussten)|(?:sollten|konnten|mussten) wir)\b|\buberlegen\b|\berwagen\b"
    r"|\b(?:reine|nur eine|blosse) idee\b"
    r"|\b(?:on|nous) (?:devrai\w{1,2}|devrions|pourrai\w{1,2}|pourrions)\b|\breflechi\w{0,6} a\b"
    r"|\b(?:deberiamos|podriamos|habria que|estamos (?:pensando|considerando|evaluando|valorando))\b"
    r"|\b(?:dovremmo|potremmo|stiamo (?:pensando|valutando))\b|\b(?:deveriamos|poderiamos|estamos (?:pensando"
    r"|avaliando))\b"
    r"|\b(?:we|wij) (?:zouden? (?:moeten|kunnen)|overwegen|denken erover)\b"
    r"|\b(?:powinnismy|moglibysmy|rozwazamy|zastanawiamy)\b|\b(?:надо бы|могли бы|рассматриваем|думаем)\b"
    r"|考虑|是不是该|検討|考えて|べきか",
    re.IGNORECASE,
)
_PLANNED = re.compile(
    r"\b(?:we|i|they|it)(?:['’]ll| will| shall)\b|\bwill be (?:replaced|moved|renamed|dropped|retired|switched"
    r"|migrated)\b"
    r"|\bplan(?:s|ning)? (?:to|on)\b|\bintend(?:s|ing)? to\b|\b(?:going|about|want|wants|hoping) to (?!be able)"
    r"|\b(?:wir planen|planen wir|haben (?:\w+ )?vor|wir wollen|wollen wir|wir werden(?! von)|werden wir(?! von))\b"
    r"|\b(?:on va|nous allons|on veut|nous voulons|on compte|nous comptons|on prevoit|nous prevoyons|on envisage"
    r"|nous envisageons|nous \w{3,12}rons)\b"
    r"|\b(?:vamos a|queremos|planeamos|pensamos|pretendemos|planejamos|\w{3,12}(?:aremos|eremos|iremos))\b"
    r"|\bvamos (?:trocar|mudar|usar|migrar|substituir|passar)\b"
    r"|\b(?:vogliamo|intendiamo|pensiamo di|abbiamo in programma|contiamo di)\b"
    r"|\b(?:we (?:gaan|willen|zullen)|gaan we|zijn van plan)\b"
    r"|\b(?:planujemy|zamierzamy|chcemy|bedziemy)\b|\b(?:планируем|собираемся|хотим|будем)\b|打算|计划"
    r"|准备(?=换|改|用|迁)"
    r"|予定|つもり",
    re.IGNORECASE,
)
# When something begins that has not begun. "In future" and "from now on" are now.
_LATER = re.compile(
    r"\b(?:from|starting|as of|beginning|by|in|until|effective)(?: the)? next (?:week|month|quarter|year|sprint"
    r"|release"
    r"|version|spring|summer|autumn|fall|winter|\w{3,6}day)\b|^next (?:week|month|quarter|year|spring|summer|autumn"
    r"|fall|winter|\w{3,6}day)\b|\bnext (?:week|month|quarter|year|spring|summer|autumn|fall|winter)\W*$"
    r"|\b(?:from|starting|as of|until) tomorrow\b|\btomorrow\W*$|\b(?:soon|eventually|some ?day)\b"
    r"|\blater this (?:week|month|quarter|year)\b"
    r"|\b(?:nachste[nmrs]?|kommende[nmrs]?) (?:jahr\w{0,2}|monats?|wochen?|quartals?|sprints?|version|montag|dienstag"
    r"|mittwoch|donnerstag|freitag|mal)\b|\bab morgen\b|\b(?:bald|demnachst|irgendwann)\b"
    r"|\b(?:semaine|mois|annee|an|trimestre|sprint|lundi|mardi|mercredi|jeudi|vendredi) prochaine?\b"
    r"|\bprochaine?s? (?:semaine|mois|annee|trimestre|sprint|version)\b|\b(?:des|a partir de) demain\b|\bbientot\b"
    r"|\b(?:ano|mes|semana|trimestre|sprint|lunes|martes|miercoles|jueves|viernes) que vi?ene?m?\b"
    r"|\bproxim[oa]s? (?:ano|mes|semana|trimestre|sprint|version|versao|lunes|martes|jueves|viernes|segunda|sexta)\b"
    r"|\b(?:desde|a partir de) (?:manana|amanha)\b|\bem breve\b"
    r"|\b(?:anno|mese|settimana|trimestre|sprint) prossim[oa]\b|\bprossim[oa] (?:anno|mese|settimana|trimestre"
    r"|sprint)\b"
    r"|\bda domani\b|\b(?:volgend|komend)e? (?:week|maand|jaar|kwartaal|sprint)\b|\bvanaf morgen\b|\bbinnenkort\b"
    r"|\b(?:od|w) (?:przyszł|nastepn|kolejn)\w{2,4}\b|\bod jutra\b|\bwkrotce\b"
    r"|\b(?:со?|в) следующ\w{2,4}\b|\bс завтрашнего\b|\bскоро\b|明年|下(?:个)?(?:月|周|星期|季度|年)|从明天"
    r"|即将|来年|来月|来週|明日から",
    re.IGNORECASE,
)
# "Almost every test" and "fast alle" tell how many, and "casi siempre" how often.
_NEARLY = re.compile(
    r"\b(?:almost|nearly) (?!all|always|every|each|any|no|never|none|half|certain|as\b|the\b|a\b|\d)\w+(?:ed|t"
    r"|n|ne|nt|ot)\b"
    r"|\b(?:hatten?|ware\w?|waren?) (?:\S+ ){0,6}?(?:fast|beinahe|um ein haar)\b|\bbeinahe (?!all|imm|jed)"
    r"|\b(?:a|ai|ont|avons|avait) (?:bien )?failli\b"
    r"|\b(?:casi|por poco) (?!tod|siempre|nunca|nad|cada|la\b|el\b|\d)\w+(?:mos|on|o|e)\b"
    r"|\bquase (?!tod|sempre|nunca|nad|cada|\d)\w+(?:mos|ou|am)\b|\bper poco\b"
    r"|\b(?:bijna|haast) (?!all|altijd|ied|elk|geen)\w+\b|\bo mało\b|\bчуть не\b|\bедва не\b|差点|もう少しで",
    re.IGNORECASE,
)
_FOR_A_WHILE = re.compile(
    r"\b(?:for (?:now|the moment|the time being)|temporarily|(?:just|only) (?:for )?(?:today|this once|this week)"
    r"|exceptionally|vorubergehend|vorerst|ausnahmsweise|nur (?:heute|diese woche)|pour (?:l['’]instant|le moment)"
    r"|temporairement|exceptionnellement|por (?:ahora|el momento|enquanto)|de momento|temporalmente|temporariamente"
    r"|excepcionalmente|per (?:ora|il momento)|temporaneamente|eccezionalmente|voorlopig|tijdelijk|bij uitzondering"
    r"|na razie|tymczasowo|wyjatkowo|пока что|временно)\b|暂时|临时|一時的",
    re.IGNORECASE,
)
_HOLDS_NOW = re.compile(
    r"\b(?:from now on|as of now|as of today|ab (?:sofort|jetzt|heute)|desormais|dorenavant|a partir de (?:ahora|hoy"
    r"|agora|hoje|maintenant)|desde (?:ahora|hoy)|d['’]ora in poi|da oggi|vanaf nu|od teraz|od dzis\w{0,3}|отныне"
    r"|с сегодняшнего)\b|今后|今後",
    re.IGNORECASE,
)
# What stands before a question may be told: "we moved to NATS in June, could you look for leftovers?"
_CLAUSE = re.compile(r"[,;:.!]\s|\s[–—-]\s")
_TELLING_WORDS = 4


@lru_cache(maxsize=1024)
def is_unreal(text: str) -> bool:
    """Whether what it tells has not happened, as far as it says."""
    plain = fold(text).strip()
    if plain.endswith(("?", "？")) and not _tells_before_it_asks(plain):
        return True
    if any(said.search(plain) for said in (_WISHED, _LATER, _NEARLY, _WEIGHED, _FOR_A_WHILE)):
        return True
    return _PLANNED.search(plain) is not None and _HOLDS_NOW.search(plain) is None


def _tells_before_it_asks(plain: str) -> bool:
    *told, _ = _CLAUSE.split(plain)
    return sum(len(part.split()) for part in told) >= _TELLING_WORDS
