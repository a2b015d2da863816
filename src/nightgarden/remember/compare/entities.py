"""Names and values in a text, found by their shape: paths, identifiers, versions, quantities, dates, names, tools.

Knows shapes and a list of tools; it does not know grammar, so a sentence's first word counts as a name only when the
list knows it or it is written like one elsewhere in the text. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from nightgarden.remember.compare.lexicon.technologies import tag_of


class EntityKind(StrEnum):
    """What a span of text names."""

    URL = "url"
    PATH = "path"
    DATE = "date"
    TIME = "time"
    VERSION = "version"
    PORT = "port"
    QUANTITY = "quantity"  # a number with its unit
    NUMBER = "number"
    IDENTIFIER = "identifier"
    TECHNOLOGY = "technology"
    NAME = "name"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """One span: `text[start:end]`, with the value it is compared by."""

    kind: EntityKind
    start: int
    end: int
    text: str
    value: str  # a tool's tag, a number's plain form, a name in lower case; identifiers and paths as written


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
)
_UNITS = {
    "ms": "ms millisecond milliseconds msec",
    "s": "s sec secs second seconds sekunden secondes segundos",
    "min": "min mins minute minutes minuten minutos",
    "h": "h hr hrs hour hours stunden heures horas",
    "d": "d day days tage jours dias",
    "w": "week weeks wochen semaines semanas",
    "mo": "month months monate mois meses",
    "y": "year years jahre ans anos",
    "b": "byte bytes",
    "kb": "kb kib kilobytes",
    "mb": "mb mib megabytes",
    "gb": "gb gib gigabytes",
    "tb": "tb tib terabytes",
    "%": "% percent pct prozent",
    "$": "$ usd dollar dollars",
    "eur": "€ eur euro euros",
    "gbp": "£ gbp pound pounds",
    "km": "km kilometer kilometers kilometre kilometres",
    "m": "m meter meters metre metres",
    "cm": "cm centimeter centimeters",
    "mi": "mile miles mi",
    "kg": "kg kilogram kilograms kilo kilos",
    "g": "g gram grams",
    "l": "l liter liters litre litres",
    "c": "°c celsius",
    "f": "°f fahrenheit",
    "px": "px pixel pixels",
    "char": "char chars character characters column columns zeichen",
    "x": "x times",
    "core": "core cores",
    "thread": "thread threads",
    "worker": "worker workers",
    "token": "token tokens",
    "line": "line lines",
}
_SECONDS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
_UNIT_OF = {form: unit for unit, forms in _UNITS.items() for form in forms.split()}
_UNIT = "|".join(sorted((re.escape(form) for form in _UNIT_OF), key=len, reverse=True))

_SUFFIX = (
    "py|pyi|js|jsx|tsx?|rs|go|java|kt|rb|php|c|h|cpp|hpp|cs|md|rst|txt|toml|ya?ml|json|ini|cfg|conf|lock|sh|sql|html"
    "|css|scss|csv|xml|env|log|ipynb"
)
_SHAPES = re.compile(
    rf"""
    (?P<url>\b(?:https?|ftp|ssh|git|file|postgres(?:ql)?|redis|wss?)://[^\s<>"']+)
  | (?P<path>(?<![\w/])(?:~|\.{{1,2}})?/(?:[\w.@+-]+/)*[\w.@+-]+/?
      | (?<![\w.@+/-])(?=\w)[\w.@+-]++(?:/[\w.@+-]++)*/[\w@+-]*+\.\w{{1,5}}\b
      | (?<![\w@+/-])(?=\w)(?:[\w@+-]++/){{2,}}[\w.@+-]*
      | \b[A-Za-z]:\\[\w.\\-]+
      | (?<![\w-])(?=\w)[\w-]++\.(?:{_SUFFIX})\b)
  | (?P<date>\b\d{{4}}-\d{{2}}(?:-\d{{2}})?\b
      | \b\d{{1,2}}[./]\d{{1,2}}[./]\d{{2,4}}\b
      | \b{_MONTH}\.?\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?\b
      | \b\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:of\s)?{_MONTH}\b(?:\s\d{{4}})?)
  | (?P<time>\b\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:\s?[ap]\.?m\b\.?)?
      | \b\d{{1,2}}\s?(?:[ap]m\b|[ap]\.m\.|uhr\b|o'clock\b))
  | (?P<port>(?<=localhost:)\d{{2,5}}\b)
  | (?P<version>\bv\d+(?:\.\d+)*(?:[-+.]?(?:rc|alpha|beta|a|b|dev|post)\.?\d*)?\b
      | \b\d+\.\d+\.\d+(?:[-+.]\w+)*\b
      | \b\d+\.(?:x|X)\b)
  | (?P<quantity>[$€£]\s?\d[\d,]*(?:\.\d+)?[kKmM]?\b|(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?[\s-]?(?:{_UNIT})(?!\w))
  | (?P<number>(?<![\w.])[-+]?\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th|k)?(?!\w)|\#\d+\b)
  | (?P<word>`[^`\n]+`|[^\W\d_][\w]*(?:[-.'’][\w]+|::\w+|\+\+|\#)*(?:\(\))?|[^\W\s]\w*)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_IDENTIFIER = re.compile(
    r"^(?:(?>\w*?_)\w++|[a-z]+[0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|\w+(?:\.\w+)+|\w+::\w[\w:]*|.*\(\)|[A-Z]{2,}-\d+)$"
)


def plain_number(text: str) -> str:
    """A number's value without grouping, signs of money or trailing zeros: `1,500.0` and `1500` are one."""
    digits = re.sub(r"[^\d.k-]", "", text.lower())
    if len(digits) > 15:  # more than a float can tell apart: account numbers, hashes
        return digits
    factor = 1000 if digits.endswith("k") else 1
    try:
        value = float(digits.rstrip("k")) * factor
    except ValueError:
        return text.lower()
    return f"{value:g}" if value < 1e6 else f"{value:.0f}"


def _quantity(text: str) -> str:
    named = re.sub(r"[\d\s.,+-]", "", text.lower())
    unit, number = _UNIT_OF.get(named, named), plain_number(re.sub(r"(?<![a-z%°-])[a-z%°-]++$", "", text.lower()))
    if unit in _SECONDS and len(number) <= 15:  # 60 minutes and 1 hour are one value
        return f"{float(number) * _SECONDS[unit]:g} s"
    return f"{number} {unit}"


def _time(text: str) -> str:
    hour, minute = [*re.findall(r"\d+", text), "0"][:2]
    late = "p" in text.lower() and int(hour) < 12
    midnight = re.search(r"a\.?m", text.lower()) and int(hour) == 12
    return f"{0 if midnight else int(hour) + 12 * late}:{int(minute):02d}"


def _date(text: str) -> str:
    lower = text.lower()
    month = re.search(r"[a-z]{3}", re.sub(r"\d(st|nd|rd|th)|\bof\b", " ", lower))
    numbers = re.findall(r"\d+", lower)
    if month and month.group() in _MONTHS:
        year = [number for number in numbers if len(number) == 4]
        day = [number for number in numbers if len(number) < 3]
        return "-".join([*year, f"{_MONTHS.index(month.group()) + 1:02d}", *(f"{int(each):02d}" for each in day)])
    if "-" in lower:
        return lower
    if "." in lower:  # 24.12.2026 is day first; 12/24/2026 month first
        numbers = [numbers[1], numbers[0], numbers[2]]
    return "-".join([numbers[2], f"{int(numbers[0]):02d}", f"{int(numbers[1]):02d}"])


def _value(kind: EntityKind, text: str) -> str:
    match kind:
        case EntityKind.QUANTITY:
            return _quantity(text)
        case EntityKind.NUMBER:
            return re.sub(r"(st|nd|rd|th)$", "", plain_number(text)) if text[-1:].lower() not in "tdh" else text.lower()
        case EntityKind.TIME:
            return _time(text)
        case EntityKind.DATE:
            return _date(text)
        case EntityKind.PORT:
            return re.sub(r"\D", "", text)
        case EntityKind.VERSION:
            return text.lower().lstrip("v")
        case EntityKind.PATH:
            return text.removeprefix("./").rstrip("/.")
        case _:
            return text.lower()


def scan(text: str) -> list[tuple[EntityKind | None, int, int, str]]:
    """All words and shapes in order: kind (None for a plain word), start, end, value."""
    found: list[tuple[EntityKind | None, int, int, str]] = []
    for match in _SHAPES.finditer(text):
        group = match.lastgroup or "word"
        if group == "word":
            found.append((_word_kind(match.group()), match.start(), match.end(), match.group().strip("`")))
        else:
            kind = EntityKind(group)
            if kind is EntityKind.NUMBER and _follows_port(text[max(0, match.start() - 20) : match.start()]):
                kind = EntityKind.PORT
            end = (
                match.end() - (len(match.group()) - len(match.group().rstrip(".,;:!?")))
                if group in ("url", "path")
                else match.end()
            )
            found.append((kind, match.start(), end, _value(kind, text[match.start() : end])))
    return found


def _follows_port(before: str) -> bool:
    return "port" in before.lower() and bool(
        re.search(r"\bports?(?:\s(?:number|is|to|was|changed|ist|moved))*\s*[=:]?\s*$", before, re.IGNORECASE)
    )


def _word_kind(word: str) -> EntityKind | None:
    bare = word.strip("`")
    if tag_of(bare):
        return EntityKind.TECHNOLOGY
    if word.startswith("`") or (len(bare) > 2 and _IDENTIFIER.match(bare) and not bare.endswith(("'s", "’s"))):
        return EntityKind.IDENTIFIER
    return None


def find_entities(text: str) -> tuple[Entity, ...]:
    """The entities of a text in order; spans never overlap."""
    found: list[Entity] = []
    previous_end = 0
    for kind, start, end, value in scan(text):
        as_written = text[start:end]
        if kind is None and as_written[:1].isupper() and len(as_written) > 1 and not _begins_sentence(text, start):
            kind = EntityKind.NAME
        if kind is not None:
            joined = (
                kind is EntityKind.NAME
                and found
                and found[-1].kind is EntityKind.NAME
                and found[-1].end == previous_end
            )
            if joined and text[previous_end:start] == " ":  # "Anna Schmidt" is one name
                last = found.pop()
                start, as_written = last.start, text[last.start : end]
            if kind is EntityKind.TECHNOLOGY:
                value = tag_of(as_written.strip("`")) or value
            elif kind is EntityKind.NAME:
                value = as_written.lower()
            found.append(Entity(kind=kind, start=start, end=end, text=as_written, value=value))
        previous_end = end
    return tuple(found)


def _begins_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\"'(*-•>")
    return not before or before[-1] in ".!?:\n"
