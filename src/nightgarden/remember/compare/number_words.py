"""Numbers in figures and in words of seven languages: "1,500", "twenty-three", "dreihundertzwanzig", "two and a half",
"twenty-seventeen", "a dozen". Pure; reads lower-case tokens and does not know what is counted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache

_THOUSANDS = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
# 0 to 19, then the tens. Left out (_) is what is a common word in another language: due, sei, null.
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
_HUNDREDS = {
    "doscientos": 200, "trescientos": 300, "cuatrocientos": 400, "quinientos": 500, "seiscientos": 600,
    "setecientos": 700, "ochocientos": 800, "novecientos": 900,
}  # fmt: skip
_ONE_AND_A_HALF = {"anderthalb": 1.5, "eineinhalb": 1.5, "zweieinhalb": 2.5, "dreieinhalb": 3.5, "viereinhalb": 4.5}
# Said of much that is not counted: they can agree with a number, and are none that could disagree.
LOOSE = {
    "zero": 0,
    **dict.fromkeys("one ones once single a an first ein eine einen einer einem eines eins erste ersten".split(), 1),
    **dict.fromkeys("erster un une una uno um uma een primer primero primera premier première".split(), 1),
    **dict.fromkeys("twice double second both zweite zweiten zweiter zweimal beide segundo segunda".split(), 2),
    **dict.fromkeys("third dritte dritten tercer tercero tercera thrice".split(), 3),
    "fourth": 4, "fifth": 5, "sixth": 6,
}  # fmt: skip
_JOINED_BY = frozenset(("and", "und", "et", "y", "e", "en"))
_HALVES = (("and", "a", "half"), ("und", "eine", "halbe"), ("und", "ein", "halbes"), ("et", "demi"), ("et", "demie"),
           ("y", "medio"), ("y", "media"))  # fmt: skip
_CENTURIES = (19, 20)
_FRENCH_UNITS = "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize".split()
# Counted in twenties: "soixante-dix", "quatre-vingt-dix-sept".
_FRENCH_TWENTIES = re.compile(
    rf"\b(?:(?P<eighty>quatre[- ]vingts?)|soixante(?=[- ](?:et[- ])?(?:dix|onze|douze|treize|quatorze|quinze|seize)\b))"
    rf"(?:[- ](?:et[- ])?(?P<teen>dix[- ](?=sept|huit|neuf))?(?P<unit>{'|'.join(_FRENCH_UNITS)})\b)?",
    re.IGNORECASE,
)
_TIMES_MIN = 1000  # from which on a multiplier ends a group: two thousand, three hundred


def with_french_figures(text: str) -> str:
    """The text with French numbers that are counted in twenties as figures."""
    return _FRENCH_TWENTIES.sub(_french_figure, text) if "vingt" in text or "soixante" in text else text


def _french_figure(match: re.Match[str]) -> str:
    unit = _FRENCH_UNITS.index(match["unit"].lower()) + 1 if match["unit"] else 0
    return str((80 if match["eighty"] else 60) + (10 if match["teen"] else 0) + unit)


def read_number(tokens: Sequence[str], at: int) -> tuple[float, int] | None:
    """The value that begins at a place, and where it ends; a version, a time or a date has none."""
    if at >= len(tokens):
        return None
    if not tokens[at][0].isdigit():
        return _spelled(tokens, at)
    value = _figure(tokens[at])
    if value is None:
        return None
    half = half_added(tokens, at + 1)
    return (value + 0.5, half) if half else (value, at + 1)


def _figure(token: str) -> float | None:
    if _THOUSANDS.fullmatch(token):
        return float(token.replace(",", "").replace(".", ""))
    try:
        return float(token.replace(",", "."))
    except ValueError:
        return None


def _spelled(tokens: Sequence[str], at: int) -> tuple[float, int] | None:
    if (word := tokens[at]) in _ONE_AND_A_HALF:
        return _ONE_AND_A_HALF[word], at + 1
    found = _whole(tokens, at)
    if found is None:
        return None
    value, end = found
    rest = _whole(tokens, end) if value in _CENTURIES and end < len(tokens) else None
    if rest is not None and 10 <= rest[0] < 100:  # twenty-seventeen
        return 100 * value + rest[0], rest[1]
    if tokens[end : end + 1] in (["dozen"], ["dutzend"]):
        return 12 * value, end + 1
    half = half_added(tokens, end)
    return (value + 0.5, half) if half else found


def half_added(tokens: Sequence[str], at: int) -> int:
    """Where "and a half" ends; 0 when it does not stand there."""
    return next((at + len(each) for each in _HALVES if tuple(tokens[at : at + len(each)]) == each), 0)


def _whole(tokens: Sequence[str], at: int) -> tuple[float, int] | None:
    total = current = 0
    below = _TIMES_MIN  # what may still be added: after "thirty" a unit, after "nine" nothing
    end = at
    while end < len(tokens):
        parts = _parts(tokens[end])
        if parts is None and end > at and tokens[end] in _JOINED_BY and end + 1 < len(tokens):
            parts, following = _parts(tokens[end + 1]), end + 2
        else:
            following = end + 1
        if parts is None or (len(parts) == 1 and _words().get(parts[0], -1) >= below):
            break
        for part in parts:
            if part not in _TIMES:
                current += _words()[part]
                below = _below(_words()[part])
            elif _TIMES[part] < _TIMES_MIN:
                current, below = (current or 1) * _TIMES[part], _TIMES[part]
            else:
                total, current, below = total + (current or 1) * _TIMES[part], 0, _TIMES_MIN
        end = following
    return (float(total + current), end) if end > at else None


def _below(value: int) -> int:
    """What a number may have after it: "three hundred" less than a hundred, "thirty" less than ten, "nine" nothing."""
    return 100 if value >= 100 else 10 if value >= 20 and value % 10 == 0 else 0


@cache
def _words() -> dict[str, int]:
    found = {word: value for line in _COUNTING for value, word in enumerate(line.split())}
    found |= {word: 10 * (at + 2) for line in _TENS for at, word in enumerate(line.split())}
    return {word: value for word, value in (found | _HUNDREDS).items() if word not in LOOSE and word != "_"}


@lru_cache(maxsize=16384)
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
