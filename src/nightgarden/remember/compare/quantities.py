"""The numbers of a statement by value and unit, however they are written: "two hours" and "120 min", "half past seven"
and "19:30", "fortnightly" and "every two weeks", "£5,000" and "5k", "three quarters" and "75 %". Pure.

Does not read dates, what a noun counts ("a handful"), or that 85 % full is 15 % free.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from nightgarden.remember.compare.clock_times import HOUR, QUARTERS, clock_time, named_time
from nightgarden.remember.compare.number_words import LOOSE, half_added, read_number, with_french_figures
from nightgarden.remember.compare.quantity import Key, Quantity

_TOKEN = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+|[%$€£₦¥°]")
_MINUTE, _DAY = 60.0, 86400.0
_MONTH_DAYS = 30  # where months are compared with days
_UNIT_NAMES = {
    0.001: "ms milliseconds millisecond",
    1.0: "s sec secs second seconds sekunde sekunden seconde secondes segundo segundos secondi",
    _MINUTE: "min mins minute minutes minuten minuto minutos minuti",
    HOUR: "h hr hrs hour hours hourly stunde stunden stündlich heure heures hora horas ora ore uur",
    _DAY: "day days daily nightly tag tage tagen täglich jour jours día días diario diaria diariamente dia dias giorno"
    " giorni dag dagen night nights nacht nächte noche noches morning mornings",
    7 * _DAY: "week weeks weekly woche wochen wöchentlich semaine semaines semana semanas semanal semanalmente"
    " settimana settimane weken",
    14 * _DAY: "fortnight fortnights fortnightly biweekly quincena quincenal zweiwöchentlich",
}
_UNITS = {name: seconds for seconds, names in _UNIT_NAMES.items() for name in names.split()}
_MONTH_NAMES = {
    1: "month months monthly monat monate monaten monatlich mois mes meses mensual mensualmente mês mese mesi maand"
    " maanden",
    3: "quarter quarters quarterly quartal quartale trimestre trimestres trimestral",
    6: "halbjahr halbjährlich semestre semestral biannually semiannually",
    12: "year years yearly annually annual jahr jahre jahren jährlich ans année années año años anual anualmente ano"
    " anos anno anni jaar",
}
_MONTHS = {name: months for months, names in _MONTH_NAMES.items() for name in names.split()}
# What says how often by itself, without "every".
_PERIODS = frozenset(
    "hourly stündlich daily nightly täglich diario diaria diariamente weekly wöchentlich semanal semanalmente"
    " fortnightly biweekly zweiwöchentlich quincenal monthly monatlich mensual mensualmente quarterly trimestral"
    " halbjährlich biannually semiannually yearly annually annual jährlich anual anualmente fortnight".split()
)
_BYTE_NAMES = (
    "byte bytes",
    "kb kib kilobyte kilobytes",
    "mb mib meg megs megabyte megabytes",
    "gb gib gig gigs gigabyte gigabytes",
    "tb tib terabyte terabytes",
)
_BYTES = {name: power for power, names in enumerate(_BYTE_NAMES) for name in names.split()}
_SCALE_NAMES: dict[str, dict[float, str]] = {
    "grams": {
        1.0: "g gram grams gramm gramme grammes gramo gramos",
        1000.0: "kg kilo kilos kilogram kilograms kilogramm",
        1_000_000.0: "t tonne tonnes ton tons tonnen tonelada toneladas",
    },
    "millimetres": {
        1.0: "mm millimetre millimetres millimeter millimeters milímetros",
        10.0: "cm centimetre centimetres centimeter centimeters zentimeter centímetros",
        1000.0: "metre metres meter meters metro metros mètres",
        1_000_000.0: "km kilometre kilometres kilometer kilometers kilómetros kilómetro",
        25.4: "inch inches",
        304.8: "ft foot feet",
    },
    "millilitres": {
        1.0: "ml millilitre millilitres milliliter milliliters",
        1000.0: "l litre litres liter liters litro litros",
    },
}
_SCALES = {
    name: (kind, factor)
    for kind, by_factor in _SCALE_NAMES.items()
    for factor, names in by_factor.items()
    for name in names.split()
}
_MEASURES = {
    **dict.fromkeys(("%", "percent", "per cent", "prozent", "pct", "por ciento", "pour cent"), "%"),
    **dict.fromkeys(("$", "dollar", "dollars", "usd", "buck", "bucks"), "$"),
    **dict.fromkeys(("€", "euro", "euros", "eur"), "€"),
    **dict.fromkeys(("£", "pound", "pounds", "quid", "gbp"), "£"),
    "₦": "₦",
    "¥": "¥",
}
_MONEY = frozenset("$€£₦¥")
_PER = frozenset("a an per each every pro in je par por al alle jeden jede jedes the die der das im cada".split())
_TIMES_EACH = frozenset("times time mal x veces vez fois".split())
_COUNTED = {"once": 1, "einmal": 1, "twice": 2, "zweimal": 2, "thrice": 3, "dreimal": 3, "viermal": 4}
_FORTNIGHTS = frozenset(("fortnight", "fortnightly", "biweekly", "zweiwöchentlich", "quincenal"))
_STUNDE = {"viertelstunde": 900.0, "dreiviertelstunde": 2700.0}
_EVERY = frozenset("every each alle jede jeden jeder jedes cada chaque todos todas toutes tous".split())
_OTHER_ONE = frozenset("other second zweite zweiten zweiter zweites".split())
_WEEKDAYS = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri montag dienstag mittwoch donnerstag"
    " freitag samstag sonntag lunes martes miércoles jueves viernes sábado domingo".split()
)
_SINGLE = re.compile(
    r"\b(?:one|single|einzige[nrs]?|nur eine?[mnr]?|une? seule?|un[ao]? sol[ao]|un[ao]? únic[ao]|um[a]? s[óo]|maar één)"
    r"\s(?P<noun>[^\W\d_]{3,})"
)
_PLURALS = ("s", "es", "n", "en", "e", "ones")
_HALVES = frozenset(
    ("half", "halbe", "halben", "halbes", "halber", "media", "medio", "demi", "demie", "hälfte", "mitad")
)


def adds_a_number(older: str, newer: str) -> bool:
    """Whether the newer statement has a number that the older one has not."""
    gone, new = _unmatched(older, newer)
    return bool(new) or _becomes_one(gone, new, newer)


def tells_another_value(older: str, newer: str) -> bool:
    """Whether the two have one value of one kind each that the other has not: "at 1 am", "at 03:15"."""
    gone, new = _unmatched(older, newer)
    if len(gone) == len(new) == 1:
        return gone[0].comparable(new[0])
    return _becomes_one(gone, new, newer) or _becomes_one(new, gone, older)


def _unmatched(older: str, newer: str) -> tuple[list[Quantity], list[Quantity]]:
    """The numbers that only the older one has, and those that only the newer one has."""
    before, after = quantities(older), quantities(newer)
    return _without_match(before, after), _without_match(after, before)


def _becomes_one(counted: Sequence[Quantity], rest: Sequence[Quantity], said: str) -> bool:
    """ "Two approvals", and of the same thing "a single one": "one" is often said of what is not counted, so it needs
    the noun beside it."""
    if len(counted) != 1 or rest or not counted[0].counts:
        return False
    noun = counted[0].counts
    return any(_is_plural_of(noun, each["noun"]) for each in _SINGLE.finditer(said.lower()))


def _is_plural_of(many: str, one: str) -> bool:
    start = one.removesuffix("ón")
    return many.startswith(start) and many[len(start) :] in _PLURALS


def _without_match(of: Sequence[Quantity], among: Sequence[Quantity]) -> list[Quantity]:
    return [each for each in of if not each.loose and not any(map(each.agrees, among))]


@lru_cache(maxsize=1024)  # a statement is held against several others, and asked twice of each
def quantities(text: str) -> tuple[Quantity, ...]:
    """All numbers of a text, in order."""
    return tuple(_read(_TOKEN.findall(with_french_figures(text.lower()))))


def _read(tokens: Sequence[str]) -> Iterator[Quantity]:
    at = 0
    while at < len(tokens):
        for reader in _READERS:
            found = reader(tokens, at)
            if found is not None:
                quantity, at = found
                yield quantity
                break
        else:
            at += 1


def _part(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """ "half an hour", "a quarter of an hour", "three quarters", "half"."""
    if tokens[at] in _STUNDE:
        return _duration(_STUNDE[tokens[at]]), at + 1
    found = _share(tokens, at)
    if found is None:
        return None
    share, end = found
    skipped = end
    while tokens[skipped : skipped + 1] and tokens[skipped] in ("of", "an", "a", "de"):
        skipped += 1
    unit = tokens[skipped] if skipped < len(tokens) else ""
    if (unit in _UNITS or unit in _MONTHS) and unit not in _PERIODS:
        return _lasting(share, unit), skipped + 1
    if unit in ("dozen", "dutzend", "docena"):
        return Quantity(frozenset({("number", 12 * share)})), skipped + 1
    return Quantity(frozenset({("%", round(100 * share, 1))}), loose=True), end


def _share(tokens: Sequence[str], at: int) -> tuple[float, int] | None:
    word, following = tokens[at], tokens[at + 1] if at + 1 < len(tokens) else ""
    if word in _HALVES:
        return 0.5, at + 1
    if word in ("three", "drei", "tres") and following in ("quarters", "viertel", "cuartos"):
        return 0.75, at + 2
    if word in ("a", "one", "ein", "un") and following in QUARTERS:
        return 0.25, at + 2
    if word in QUARTERS and following in ("of", "hour"):
        return 0.25, at + 1
    return (1 / 3, at + 1) if word in ("third", "drittel", "tercio") else None


def _duration(seconds: float) -> Quantity:
    return Quantity(frozenset({("seconds", round(seconds, 3))}))


def _months(count: float) -> set[Key]:
    days = {count * _MONTH_DAYS, *((365.0 * count / 12,) if count % 12 == 0 else ())}
    return {("months", count), *(("seconds", each * _DAY) for each in days)}


def _how_often(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """ "twice a year", "six times per hour", "every other week", "jeden zweiten Dienstag", "fortnightly"."""
    if tokens[at] in _PERIODS:
        return _period(tokens[at], 1.0, loose=tokens[at] not in _FORTNIGHTS), at + 1
    return _every(tokens, at) if tokens[at] in _EVERY else _times_each(tokens, at)


def _every(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    word, following = (*tokens[at + 1 : at + 3], "", "")[:2]
    if word in _OTHER_ONE and following.removesuffix("s") in _WEEKDAYS:
        return _duration(14 * _DAY), at + 3
    if word in _OTHER_ONE and (following in _UNITS or following in _MONTHS):
        return _period(following, 2.0), at + 3
    if word == "second":  # of time, or of two
        return Quantity(frozenset({("seconds", 1.0), ("number", 2.0)}), loose=True), at + 2
    if word == "quarter" and following in ("of", "hour"):
        return None
    return (_period(word, 1.0, loose=True), at + 2) if word in _UNITS or word in _MONTHS else None


def _times_each(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    count, end = _COUNTED.get(tokens[at], 0), at + 1
    number = None if count else read_number(tokens, at)
    if number is not None and tokens[number[1] : number[1] + 1] and tokens[number[1]] in _TIMES_EACH:
        count, end = int(number[0]), number[1] + 1
    per, unit = (*tokens[end : end + 2], "", "")[:2]
    if not count or per not in _PER or not (unit in _UNITS or unit in _MONTHS):
        return None
    return _period(unit, 1.0 / count, count=count, loose=count == 1), end + 2


def _period(unit: str, factor: float, *, count: int = 0, loose: bool = False) -> Quantity:
    keys: set[Key] = set()
    if unit in _MONTHS:
        keys = _months(_MONTHS[unit] * factor)
    else:
        keys.add(("seconds", round(_UNITS[unit] * factor, 3)))
    accepts = frozenset({("number", float(count))}) if count else frozenset()
    return Quantity(frozenset(keys), accepts=accepts, loose=loose)


def _amount(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """A figure or a spelled number, with its unit."""
    found = read_number(tokens, at)
    if found is not None:
        return _measured(found[0], tokens, at, found[1])
    return (
        (Quantity(frozenset({("text", tokens[at])})), at + 1) if tokens[at][0].isdigit() else None
    )  # a version, a date


def _measured(value: float, tokens: Sequence[str], at: int, end: int) -> tuple[Quantity, int]:
    """With its unit, when one stands beside it: 2 hours are not 2 minutes, and 120 minutes are 2 hours."""
    if tokens[end : end + 1] == ["k"]:
        value, end = value * 1000, end + 1
    unit = tokens[end] if end < len(tokens) else ""
    money = _MEASURES.get(tokens[at - 1]) if at else None
    if (keys := _in_units(value, unit, money)) is not None:
        return Quantity(frozenset(keys)), end + 1
    if (unit in _UNITS or unit in _MONTHS) and unit not in _PERIODS:
        half = half_added(tokens, end + 1)
        return _lasting(value + 0.5 * bool(half), unit), half or end + 1
    measure = money or _MEASURES.get(unit) or _MEASURES.get(" ".join(tokens[end : end + 2]))
    if measure is not None:
        accepts: frozenset[Key] = frozenset({("number", value)}) if measure in _MONEY else frozenset()
        return Quantity(frozenset({(measure, value)}), accepts=accepts), end
    return _of_a_whole(value, tokens, end) or (Quantity(frozenset({("number", value)}), counts=unit), end)


def _in_units(value: float, unit: str, money: str | None) -> set[Key] | None:
    if unit in _BYTES:  # a kilobyte is 1,000 bytes to one and 1,024 to the other
        return {("bytes", value * kilo ** _BYTES[unit]) for kilo in (1000, 1024)}
    if unit in _SCALES:
        kind, factor = _SCALES[unit]
        return {(kind, round(value * factor, 3))}
    if unit == "m":  # metres, minutes or millions
        keys: set[Key] = {("millimetres", value * 1000), ("seconds", value * _MINUTE), ("number", value * 1e6)}
        return keys | {(money, value * 1e6)} if money else keys
    return None


def _of_a_whole(value: float, tokens: Sequence[str], end: int) -> tuple[Quantity, int] | None:
    """ "three out of four" is 75 % too."""
    if tokens[end : end + 2] == ["out", "of"]:
        whole = read_number(tokens, end + 2)
    else:
        whole = read_number(tokens, end + 1) if tokens[end : end + 1] in (["of"], ["in"], ["von"], ["de"]) else None
    if whole is None or not whole[0] > value > 0:
        return None
    numbers: frozenset[Key] = frozenset({("number", value), ("number", whole[0])})
    return Quantity(numbers, accepts=frozenset({("%", round(100 * value / whole[0], 1))})), whole[1]


def _lasting(value: float, unit: str) -> Quantity:
    if unit in _MONTHS:
        return Quantity(frozenset(_months(value * _MONTHS[unit])))
    return _duration(value * _UNITS[unit])


def _counted_loosely(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    token = tokens[at]
    if (named := named_time(token)) is not None:
        return named, at + 1
    if token in ("quarter", "quartal", "trimestre"):
        return _period(token, 1.0, loose=True), at + 1
    if token not in LOOSE:
        return None
    value = float(LOOSE[token])
    unit = tokens[at + 1] if at + 1 < len(tokens) else ""
    half = half_added(tokens, at + 2)
    if half and (unit in _UNITS or unit in _MONTHS):  # an hour and a half
        return _lasting(value + 0.5, unit), half
    if unit in ("dozen", "dutzend"):
        return Quantity(frozenset({("number", 12.0)})), at + 2
    keys: set[Key] = {("number", value)}
    if unit in _UNITS or unit in _MONTHS:
        keys |= _lasting(value, unit).keys
    return Quantity(frozenset(keys), loose=True), at + 1


_READERS: tuple[Callable[[Sequence[str], int], tuple[Quantity, int] | None], ...] = (
    clock_time,
    _part,
    _how_often,
    _amount,
    _counted_loosely,
)
