"""Whether a season is now: months, quarters, times of the year and of the week, and those that the user names. Pure.

A season that the calendar does not know, such as "release-week", is now when the user's settings say so, or when what
is being worked on names it. Times of the year are those of the northern half.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterable
from datetime import datetime, timedelta

from nightgarden.domain.text import fold

_MONTHS = {name.lower(): number for number, name in enumerate(calendar.month_name) if name}
_MONTHS |= {name.lower(): number for number, name in enumerate(calendar.month_abbr) if name}
_DAYS = {name.lower(): number for number, name in enumerate(calendar.day_name)}
_YEAR = {"winter": (12, 1, 2), "spring": (3, 4, 5), "summer": (6, 7, 8), "autumn": (9, 10, 11), "fall": (9, 10, 11)}
_QUARTERS = {f"q{quarter}": tuple(range(3 * quarter - 2, 3 * quarter + 1)) for quarter in range(1, 5)}
_DAYS_AROUND = 5  # the end of a month or a year, in days
_WORD = re.compile(r"[a-z0-9]+")


def in_season(season: str, now: datetime, *, named: Iterable[str] = (), about: str = "") -> bool:
    """Whether it is now. `named` are the seasons that the user says are now, `about` is what is being worked on."""
    words = _words(season)
    if not words:
        return True
    if any(_words(each) == words for each in named):
        return True
    by_calendar = _by_calendar(words, now)
    if by_calendar is not None:
        return by_calendar
    return set(words) <= set(_words(about))


def _by_calendar(words: list[str], now: datetime) -> bool | None:
    """None: the calendar does not know it."""
    month = next((word for word in words if word in _MONTHS), None)
    if month is not None:
        return now.month == _MONTHS[month]
    for table in (_YEAR, _QUARTERS):
        if (word := next((word for word in words if word in table), None)) is not None:
            return now.month in table[word]
    if (day := next((word for word in words if word.removesuffix("s") in _DAYS), None)) is not None:
        return now.weekday() == _DAYS[day.removesuffix("s")]
    if "weekend" in words or "weekends" in words:
        return now.weekday() >= 5
    if "end" in words and "month" in words:
        return (now + timedelta(days=_DAYS_AROUND)).month != now.month
    if "end" in words and "year" in words:
        return (now + timedelta(days=_DAYS_AROUND)).year != now.year
    if "christmas" in words or "holidays" in words:
        return (now.month, now.day) >= (12, 20) or (now.month, now.day) <= (1, 2)
    return None


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text).lower())
