"""The numbers of a statement by value and unit, however they are written: "two hours", "120 min", "10 a.m.", "£5,000",
"dreihundert". Pure.

Reads figures, and words of seven languages for numbers. Does not read fractions in words, dates, or what a noun counts
("a dozen", "fortnight").
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+|[%$€£°]")
_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
# Words for numbers: 0 to 19, then the tens. Left out (_) is what is a common word in another language: due, sei, null.
_COUNTING = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
_ eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn
zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dixsept dixhuit dixneuf
cero uno dos tres cuatro cinco seis siete ocho nueve diez _ doce trece catorce quince dieciséis diecisiete dieciocho diecinueve
zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito dezenove
zero uno _ tre quattro cinque _ sette otto nove dieci undici dodici tredici quattordici quindici sedici diciassette diciotto diciannove
nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien
""".strip().splitlines()  # noqa: E501
_TENS = """
twenty thirty forty fifty sixty seventy eighty ninety
zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig
vingt trente quarante cinquante soixante _ _ _
veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa
vinte trinta quarenta cinquenta sessenta setenta oitenta noventa
venti trenta quaranta cinquanta sessanta settanta ottanta novanta
twintig dertig veertig vijftig zestig zeventig tachtig negentig
""".strip().splitlines()
_TIMES = {
    "hundred": 100, "thousand": 1000, "million": 1_000_000, "hundert": 100, "tausend": 1000, "mille": 1000,
    "cien": 100, "ciento": 100, "mil": 1000, "cem": 100, "cento": 100, "honderd": 100, "duizend": 1000,
}  # fmt: skip
# Said of much that is not counted: they can agree with a number, and are none that could disagree.
_LOOSE = {
    **dict.fromkeys("one ones once a an first ein eine einen einer einem eins un une una uno um uma een".split(), 1),
    **dict.fromkeys("twice double second both".split(), 2),
    "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "noon": 12, "midnight": 0,
}  # fmt: skip
_JOINED_BY = frozenset(("and", "und", "et", "y", "e", "en"))
_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
_UNIT_NAMES = {
    0.001: "ms milliseconds millisecond",
    1.0: "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondi",
    _MINUTE: "min mins minute minutes minuten minuto minutos minuti",
    _HOUR: "h hr hrs hour hours stunde stunden heure heures hora horas ora ore uur",
    _DAY: "day days tag tage tagen jour jours día días dia dias giorno giorni dag dagen",
    7 * _DAY: "week weeks woche wochen semaine semaines semana semanas settimana settimane weken",
    30 * _DAY: "month months monat monate monaten mois mes meses mês mese mesi maand maanden",
    365 * _DAY: "year years jahr jahre jahren ans année années año años ano anos anno anni jaar",
}
_UNITS = {name: seconds for seconds, names in _UNIT_NAMES.items() for name in names.split()}
_EVERY = {
    "hourly": _HOUR, "stündlich": _HOUR, "daily": _DAY, "täglich": _DAY, "weekly": 7 * _DAY, "wöchentlich": 7 * _DAY,
    "monthly": 30 * _DAY, "monatlich": 30 * _DAY, "quarter": 90 * _DAY, "quarterly": 90 * _DAY, "yearly": 365 * _DAY,
}  # fmt: skip
_BYTE_NAMES = (
    "byte bytes",
    "kb kib kilobyte kilobytes",
    "mb mib meg megs megabyte megabytes",
    "gb gib gig gigs gigabyte gigabytes",
    "tb tib terabyte terabytes",
)
_BYTES = {name: power for power, names in enumerate(_BYTE_NAMES) for name in names.split()}
_WEIGHT_NAMES = {
    1.0: "g gram grams gramm gramme grammes gramo gramos",
    1000.0: "kg kilo kilos kilogram kilograms kilogramm",
    1_000_000.0: "t tonne tonnes ton tons tonnen tonelada toneladas",
}
_WEIGHTS = {name: grams for grams, names in _WEIGHT_NAMES.items() for name in names.split()}
_MEASURES = {
    **dict.fromkeys(("%", "percent", "per cent", "prozent", "pct"), "%"),
    **dict.fromkeys(("$", "dollar", "dollars", "usd"), "$"),
    **dict.fromkeys(("€", "euro", "euros", "eur"), "€"),
    **dict.fromkeys(("£", "pound", "pounds", "quid", "gbp"), "£"),
}  # fmt: skip
Key = tuple[str, float | str]


@dataclass(frozen=True, slots=True)
class Quantity:
    """One number. Two agree when they have a key in common, or one is what the other accepts."""

    keys: frozenset[Key]
    accepts: frozenset[Key] = frozenset()
    loose: bool = False

    def agrees(self, other: Quantity) -> bool:
        return bool(self.keys & (other.keys | other.accepts) or self.accepts & other.keys)


def adds_a_number(older: str, newer: str) -> bool:
    """Whether the newer statement has a number that the older one has not."""
    known = _quantities(older)
    return any(not each.loose and not any(map(each.agrees, known)) for each in _quantities(newer))


@cache
def _words() -> dict[str, int]:
    found = {word: value for line in _COUNTING for value, word in enumerate(line.split())}
    found |= {word: 10 * (at + 2) for line in _TENS for at, word in enumerate(line.split())}
    return {word: value for word, value in found.items() if word not in _LOOSE and word != "_"}


def _quantities(text: str) -> tuple[Quantity, ...]:
    tokens = _TOKEN.findall(text.lower())
    return tuple(_read(tokens))


def _read(tokens: list[str]) -> Iterator[Quantity]:
    at = 0
    while at < len(tokens):
        token = tokens[at]
        before = tokens[at - 1] if at else ""
        if token[0].isdigit():
            at += 1
            yield _measured(_figure(token), token, before, tokens[at : at + 3])
        elif (spelled := _spelled(tokens, at)) is not None:
            value, at = spelled
            yield _measured(float(value), "", before, tokens[at : at + 3])
        elif token in _LOOSE or token in _EVERY:
            at += 1
            yield _loose(token, tokens[at : at + 1])
        else:
            at += 1


def _figure(token: str) -> float | None:
    if _THOUSANDS.fullmatch(token):
        return float(token.replace(",", "").replace(".", ""))
    try:
        return float(token.replace(",", "."))
    except ValueError:
        return None  # a version, a time, a date


def _measured(value: float | None, token: str, before: str, after: list[str]) -> Quantity:
    """With its unit, when one stands beside it: 2 hours are not 2 minutes, and 120 minutes are 2 hours."""
    if value is None:
        hour, _, minute = token.partition(":")
        if minute.isdigit() and hour.isdigit():
            return _clock(int(hour), int(minute), after)
        return Quantity(frozenset({("text", token)}))
    if after[:1] == ["k"]:
        value, after = value * 1000, after[1:]
    unit = after[0] if after else ""
    if unit in _BYTES:  # a kilobyte is 1,000 bytes to one and 1,024 to the other
        return Quantity(frozenset(("bytes", value * kilo ** _BYTES[unit]) for kilo in (1000, 1024)))
    if unit in _WEIGHTS:
        return Quantity(frozenset({("grams", round(value * _WEIGHTS[unit], 3))}))
    if unit in _UNITS:
        return Quantity(frozenset({("seconds", round(value * _UNITS[unit], 3))}))
    measure = _MEASURES.get(before) or _MEASURES.get(unit) or _MEASURES.get(" ".join(after[:2]))
    if measure is not None:
        return Quantity(frozenset({(measure, value)}))
    if value == int(value) and value <= 24 and unit in ("am", "pm", "a", "p", "uhr") and _is_clock(after):
        return _clock(int(value), 0, after)
    return Quantity(frozenset({("number", value)}))


def _is_clock(after: list[str]) -> bool:
    return after[0] in ("am", "pm", "uhr") or after[1:2] == ["m"]


def _clock(hour: int, minute: int, after: list[str]) -> Quantity:
    hour = hour + 12 if after[:1] in (["pm"], ["p"]) and hour < 12 else hour
    plain = () if minute else (hour, hour - 12 if hour > 12 else hour)
    keys: set[Key] = {("time", hour * 60 + minute)}
    return Quantity(frozenset(keys), accepts=frozenset(("number", float(each)) for each in plain))


def _loose(token: str, after: list[str]) -> Quantity:
    if token in _EVERY:
        return Quantity(frozenset({("seconds", _EVERY[token])}), loose=True)
    value = float(_LOOSE[token])
    keys: set[Key] = {("number", value)}
    if after and after[0] in _UNITS:
        keys.add(("seconds", value * _UNITS[after[0]]))
    if token in ("noon", "midnight"):
        keys.add(("time", value * 60))
    return Quantity(frozenset(keys), loose=True)


def _spelled(tokens: list[str], at: int) -> tuple[int, int] | None:
    """The number that begins at a place, and where it ends."""
    total = current = 0
    end = at
    words = _words()
    while end < len(tokens):
        parts = _parts(tokens[end])
        if parts is None:
            joins = tokens[end] in _JOINED_BY and end > at and end + 1 < len(tokens) and tokens[end + 1] in words
            if not joins:
                break
            end += 1
            continue
        for part in parts:
            if part in _TIMES:
                current = (current or 1) * _TIMES[part]
                if _TIMES[part] >= 1000:
                    total, current = total + current, 0
            else:
                current += words[part]
        end += 1
    return (total + current, end) if end > at else None


@cache
def _parts(token: str) -> tuple[str, ...] | None:
    """A word for a number, or the words that a compound such as "dreihundertzwanzig" is made of."""
    if token in _words() or token in _TIMES:
        return (token,)
    if len(token) < 7 or len(token) > 40:
        return None
    found: list[str] = []
    rest = token
    while rest:
        names = (w for w in (*_words(), *_TIMES, "und", "ein") if rest.startswith(w))
        longest = max(names, key=len, default="")
        if not longest:
            return None
        if longest not in ("und", "ein"):
            found.append(longest)
        rest = rest[len(longest) :]
    return tuple(found) if len(found) > 1 else None
