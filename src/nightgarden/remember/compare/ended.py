"""Whether a statement names the number it puts an end to, "from 10 to 20 seconds", "five seeds instead of three", or
says in plain words that something is over: "Slack is gone". Pure.

Exact, in English, German, Spanish and French. Does not see an end that is told without the old value ("Quickwit took
over"), and takes a range for none: "open from 10 to 18" ends nothing, "moved from 10 to 18" does.
"""

from __future__ import annotations

import re

from nightgarden.remember.compare.quantities import quantities

_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|in place of|anstatt|statt|en vez de|en lugar de|au lieu de)\s+"
    r"(?P<old>[^,.;:()!?\n]{1,40})",
    re.IGNORECASE,
)
# The new value follows; what moves stands before it.
_VALUE = r"[^,.;:()!?\n]{1,30}"
_FROM_TO = (
    re.compile(
        r"\b(?:rais|cut|lower|increas|decreas|reduc|chang|mov|bump|extend|shorten|switch|dropp?|shift|went|go|goes|gone"
        r"|grew|push|pull|sub|baj|cambi|pas|reduj|amplia|acort)\w*\b[^.;:!?\n]{0,50}?"
        rf"\b(?:from|de)\s+(?P<old>{_VALUE}?)\s+(?:down to|up to|over to|to|a)\s+(?P<new>{_VALUE})",
        re.IGNORECASE,
    ),
    re.compile(rf"\bvon\s+(?P<old>{_VALUE}?)\s+auf\s+(?P<new>{_VALUE})", re.IGNORECASE),  # a range goes "von bis"
)
_OVER = re.compile(
    r"\b(?:is|are|was|were|been|'s) (?:now |finally )?(?:gone|history|dead|retired|decommissioned|discontinued"
    r"|abolished"
    r"|shut down|switched off|phased out)\b|\bno longer (?:exists?|in use|used)\b"
    r"|\b(?:ist|sind|wurden?) (?:jetzt |nun |inzwischen )?(?:weg|geschichte|abgeschafft|abgeschaltet|eingestellt"
    r"|gekündigt)\b"
    r"|\bgibt(?: es|'s) (?:jetzt )?nicht mehr\b|\bya no (?:existen?|se usan?|usamos|tenemos)\b|\bse acab(?:ó|aron)\b"
    r"|\bn['’]existen?t? plus\b|\bc['’]est fini\b|\bnon esist(?:e|ono) più\b|\bnão existem? mais\b|\bbesta(?:at"
    r"|an) niet meer\b",
    re.IGNORECASE,
)
# From a part; "from our stack" is from everywhere.
_FROM_A_PLACE = re.compile(
    r"\s+(?:from|on|in|at|auf|aus|von|in|de|du|dans|sur|en|del?)\s+(?:the|our|my|der|dem|den|unserem|unserer|meinem|la|le"
    r"|notre|el|los|nuestr[oa])\s+(?!stack|code ?base|project|repo|setup|projekt|projet|proyecto|codigo)"
    r"(?:\w+\s)?(?P<place>[^\W\d_]{2,30})",
    re.IGNORECASE,
)
_NOT_OVER = re.compile(
    r"\b(?:not|never|\w{2,8}n['’]t) (?:yet |actually |really )?(?:replaced?|dropp(?:ed|ing)|drop|ditch(?:ed|ing)?"
    r"|removed?|abandon(?:ed)?|retired?|left|leaving|giv(?:en|ing) up|stopp(?:ed|ing) using|switch(?:ed|ing) away)\b"
    r"|\b(?:nicht|nie) (?:ersetzt|abgelöst|abgeschafft|abgeschaltet|aufgegeben|verlassen|gekündigt|entfernt)\b"
    r"|\b(?:pas|jamais) (?:encore )?(?:remplacé|abandonné|quitté|supprimé|lâché)\w{0,3}"
    r"|\b(?:no|nunca) (?:hemos|han|ha|he|habíamos) (?:reemplazado|sustituido|dejado|abandonado|quitado|eliminado)\b",
    re.IGNORECASE,
)
_OLD_WORDS_MAX = 4  # what follows "instead of" may run on


def names_what_it_ends(older: str, newer: str) -> bool:
    """Whether the newer statement names a number of the older one as what no longer holds. Things that are named so are
    as often part of an exception, or of another's plans: "the kiosk uses Arial instead of our font"."""
    for match in (match for pattern in _FROM_TO for match in pattern.finditer(newer)):
        unit = match["new"].split()[1:2]  # "from 10 to 20 seconds"
        if _has(older, match["old"], *(f"{match['old']} {each}" for each in unit)) and not _has(older, match["new"]):
            return True
    return any(_has(older, " ".join(match["old"].split()[:_OLD_WORDS_MAX])) for match in _INSTEAD.finditer(newer))


def says_it_is_over(said: str) -> bool:
    """Whether a statement says that something is no more: "Slack is gone"."""
    return _OVER.search(said) is not None


def is_over_elsewhere(known: str, said: str) -> bool:
    """Whether something is said to be gone from a place that the known statement does not name."""
    match = _OVER.search(said)
    where = _FROM_A_PLACE.match(said, match.end()) if match is not None else None
    return where is not None and where["place"].casefold() not in known.casefold()


def says_it_goes_on(said: str) -> bool:
    """Whether a statement denies that something has ended: "We haven't dropped Sentry"."""
    return _NOT_OVER.search(said) is not None


def denies_it(known: str, said: str) -> bool:
    """Whether a statement denies the very end that a known one tells."""
    match = _NOT_OVER.search(said)
    return match is not None and match[0].split()[-1].casefold() in known.casefold().split()


def _has(text: str, *values: str) -> bool:
    """Whether a text has the numbers of a value, in one of several forms."""
    known = quantities(text)
    forms = ([each for each in quantities(value) if not each.loose] for value in values)
    return any(form and all(any(map(each.agrees, known)) for each in form) for form in forms)
