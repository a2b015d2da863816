"""The time arm: which days a query speaks of, and how near an item is to them. Pure; the clock is passed in.

Knows dates and common relative expressions in English, German, French, Spanish, Italian and Portuguese. It does not
know holidays, nor events ("before the release"): those are found by their words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from nightgarden.domain.text import fold

_MONTHS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "january januar janvier enero gennaio janeiro jan",
            "february februar fevrier febrero febbraio fevereiro feb",
            "march marz mars marzo marco",
            "april avril abril aprile apr",
            "may mai mayo maggio maio",
            "june juni juin junio giugno junho jun",
            "july juli juillet julio luglio julho jul",
            "august aout agosto aug",
            "september septembre septiembre settembre setembro sept sep",
            "october oktober octobre octubre ottobre outubro oct okt",
            "november novembre noviembre novembro nov",
            "december dezember decembre diciembre dicembre dezembro dec dez",
        ),
        start=1,
    )
    for name in names.split()
}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_ISO = re.compile(r"\b(\d{4})-(\d{2})(?:-(\d{2}))?\b")
_DAY_MONTH = re.compile(
    rf"\b(?:(\d{{1,2}})(?:st|nd|rd|th|er|\.)?(?: of| de)? ?)?\b({_MONTH})\b\.?"
    r"(?: (\d{1,2})(?:st|nd|rd|th)?\b(?! ?(?:am|pm|:)))?(?:,? (?:of |de )?(\d{4})\b)?"
)
# 8.5.2023 is day first everywhere; 5/8/2023 is a day in August or in May, depending on the writer, and read as both.
_NUMERIC = re.compile(
    r"(?<![\w./-])(\d{1,2})([./])(\d{1,2})\2(\d{4})(?![\w/]|\.\d)|(?<![\w/])(\d{4})/(\d{1,2})/(\d{1,2})(?![\w/])"
)
_YEAR = re.compile(r"\b(?:in|during|since|of|im|jahr|en|nel|em) ((?:19|20)\d{2})\b")
# Month names that are common words as well: they count only next to a day, a year or a word of time.
_ALSO_WORDS = frozenset(
    {"may", "march", "mars", "mai", "marco", "sep", "jun", "dec", "jan", "nov", "oct", "apr", "aug"}
)
_TIME_WORD_BEFORE = re.compile(r"\b(?:in|on|last|this|since|during|until|by|early|late|of|im|en|nel|em)\s+$")

_NUMBER = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "couple": 2, "few": 3}
_AGO = re.compile(
    r"\b(\d{1,3}|a|one|two|three|four|five|six|couple|few)(?: of)? (day|week|month|year)s? (?:ago|back)\b"
    r"|\bvor (\d{1,3}) (tag|woche|monat|jahr)\w*|\b(?:hace|il y a) (\d{1,3}) (\w+)"
)
_LAST_N = re.compile(
    r"\b(?:last|past|previous|letzten|derniers|ultimos) (\d{1,3}) (day|week|month|year|tag|woche|monat)"
)
_UNIT_DAYS = {
    "day": 1, "week": 7, "month": 30, "year": 365, "tag": 1, "woche": 7, "monat": 30, "jahr": 365, "jour": 1,
    "jours": 1, "semaine": 7, "semaines": 7, "mois": 30, "an": 365, "ans": 365, "dia": 1, "dias": 1, "semana": 7,
    "semanas": 7, "mes": 30, "meses": 30, "ano": 365, "anos": 365,
}  # fmt: skip
# Days back from today where a relative expression starts and ends.
_RELATIVE: tuple[tuple[re.Pattern[str], int, int], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b"), start, end)
    for words, start, end in (
        ("today|this morning|tonight|heute|aujourd'hui|hoy|oggi|hoje", 0, 0),
        ("day before yesterday|vorgestern|avant-hier|anteayer", 2, 2),
        ("yesterday|last night|gestern|hier|ayer|ieri|ontem", 1, 1),
        ("this week|diese woche|cette semaine|esta semana|questa settimana", 7, 0),
        ("last week|past week|letzte woche|semaine derniere|semana pasada|settimana scorsa|semana passada", 14, 1),
        ("this month|diesen monat|ce mois|este mes|questo mese", 31, 0),
        ("last month|past month|letzten monat|mois dernier|mes pasado|mese scorso|mes passado", 62, 1),
        ("last year|letztes jahr|annee derniere|ano pasado|anno scorso|ano passado", 730, 1),
        ("recently|lately|the other day|kurzlich|neulich|recemment|recientemente|di recente", 21, 0),
    )
)
_WEEKDAYS: dict[str, int] = {
    name: number
    for number, names in enumerate(
        (
            "monday montag lundi lunes lunedi segunda-feira",
            "tuesday dienstag mardi martes martedi terca-feira",
            "wednesday mittwoch mercredi miercoles mercoledi quarta-feira",
            "thursday donnerstag jeudi jueves giovedi quinta-feira",
            "friday freitag vendredi viernes venerdi sexta-feira",
            "saturday samstag samedi sabado sabato",
            "sunday sonntag dimanche domingo domenica",
        )
    )
    for name in names.split()
}
_WEEKDAY = re.compile(
    rf"\b(?:on|last|this|past|since|am|letzten|letzter|seit|el|le|no|na|lo) ({'|'.join(_WEEKDAYS)})\b"
)
# "May I deploy on Friday?" asks of any Friday, or of the next one; "what did we do on Friday?" of the last.
_MAY = re.compile(r"\b(?:can|may|should|shall|must|could|will|would) (?:i|we|you|one|it|they|he|she)\b")
_PAST = re.compile(r"\b(?:did|was|were|had|said|told|went|made|\w{2,30}ed)\b")
# People tell of a day on it or within days, so nearness halves in three days, or in the window's own length.
NEAR_DAYS = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """From `start` up to, but without, `end`. A yearly span comes back each year: "in May"."""

    start: datetime
    end: datetime
    words: str  # as written in the query
    yearly: bool = False

    def nearness(self, moment: datetime) -> float:
        """1 inside, halved for each length of the span (at least three days) away from it."""
        if not self.yearly:
            return self._nearness(moment)
        shifts = (self.shifted(moment.year - self.start.year + k) for k in (-1, 0, 1))
        return max(span._nearness(moment) for span in shifts)

    def shifted(self, years: int) -> Span:
        """The same days in another year; 29 February becomes the 28th where there is none."""
        return Span(start=_add_years(self.start, years), end=_add_years(self.end, years), words=self.words)

    def _nearness(self, moment: datetime) -> float:
        if self.start <= moment < self.end:
            return 1.0
        away = self.start - moment if moment < self.start else moment - self.end
        near = max(NEAR_DAYS, (self.end - self.start).total_seconds() / 86400.0)
        nearness: float = 2.0 ** (-away.total_seconds() / 86400.0 / near)
        return nearness


def read_spans(text: str, now: datetime) -> tuple[Span, ...]:
    """The spans a query speaks of, in the order written; none when it does not speak of time."""
    plain = fold(text).lower().replace("’", "'")
    found: list[tuple[int, Span]] = []
    for match in _ISO.finditer(plain):
        span = _dated(int(match[1]), int(match[2]), int(match[3]) if match[3] else None, match[0], now)
        found += [(match.start(), span)] if span else []
    for match in _NUMERIC.finditer(plain):
        found += [(match.start(), span) for span in _numeric(match, now)]
    for match in _DAY_MONTH.finditer(plain):
        day = match[1] or match[3]
        if match[2] in _ALSO_WORDS and not (day or match[4] or _TIME_WORD_BEFORE.search(plain[: match.start(2)])):
            continue
        year = int(match[4]) if match[4] else None
        span = _dated(year, _MONTHS[match[2]], int(day) if day else None, match[0].strip(), now)
        found += [(match.start(), span)] if span else []
    if not found:
        for match in _YEAR.finditer(plain):
            start = datetime(int(match[1]), 1, 1, tzinfo=UTC)
            found.append((match.start(), Span(start=start, end=_add_years(start, 1), words=match[1])))
    found += _relative(plain, now)
    return tuple(span for _, span in sorted(found, key=lambda pair: (pair[0], pair[1].start)))


def nearness(spans: tuple[Span, ...], *moments: datetime | None) -> float:
    """How near the nearest moment is to the nearest span, 0 to 1."""
    return max((span.nearness(moment) for span in spans for moment in moments if moment is not None), default=0.0)


def _relative(plain: str, now: datetime) -> list[tuple[int, Span]]:
    today = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    found: list[tuple[int, Span]] = []
    for pattern, back_start, back_end in _RELATIVE:
        match = pattern.search(plain)
        if match and not any(start <= match.start() < start + len(span.words) for start, span in found):
            found.append((match.start(), _back(today, back_start, back_end, match[0])))
    asks_leave = _MAY.search(plain) is not None and _PAST.search(plain) is None
    for match in _WEEKDAY.finditer(plain):
        if asks_leave and match[0].startswith("on "):
            continue
        ago = (today.weekday() - _WEEKDAYS[match[1]]) % 7 or 7  # said today, it means the one a week ago
        found.append((match.start(), _back(today, ago, ago, match[0])))
    for match in _AGO.finditer(plain):
        count, unit = next((match[i], match[i + 1]) for i in (1, 3, 5) if match[i])
        days = (_NUMBER.get(count) or int(count)) * _UNIT_DAYS.get(unit, 0)
        if days:
            slack = _UNIT_DAYS[unit] // 2  # "three weeks ago" is said of anything near three weeks
            found.append((match.start(), _back(today, days + slack, max(0, days - slack), match[0])))
    for match in _LAST_N.finditer(plain):
        found.append((match.start(), _back(today, int(match[1]) * _UNIT_DAYS[match[2]], 0, match[0])))
    return found


def _back(today: datetime, start: int, end: int, words: str) -> Span:
    return Span(start=today - timedelta(days=start), end=today - timedelta(days=end - 1), words=words)


def _numeric(match: re.Match[str], now: datetime) -> list[Span]:
    """The days a date in figures can mean: one, two, or none that a calendar has."""
    if match[5]:
        read = [(match[5], match[6], match[7])]
    else:
        read = [(match[4], match[3], match[1])]
        read += [(match[4], match[1], match[3])] if match[2] == "/" and match[1] != match[3] else []
    spans = (_dated(int(year), int(month), int(day), match[0], now) for year, month, day in read)
    return [span for span in spans if span]


def _dated(year: int | None, month: int, day: int | None, words: str, now: datetime) -> Span | None:
    """A day or a month; None for a day that no calendar has."""
    try:
        start = datetime(year or now.year, month, day or 1, tzinfo=UTC)
        end = start + timedelta(days=1) if day is not None else (start + timedelta(days=32)).replace(day=1)
    except (ValueError, OverflowError):
        return None
    return Span(start=start, end=end, words=words, yearly=year is None)


def _add_years(moment: datetime, years: int) -> datetime:
    year = min(max(moment.year + years, 1), 9999)
    try:
        return moment.replace(year=year)
    except ValueError:
        return moment.replace(year=year, day=28)
