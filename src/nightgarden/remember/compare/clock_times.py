"""Times of day, in figures and in words: "19:30", "8.30 am", "10h30", "half past nine", "quarter to ten", "halb acht",
"las siete y media", "noon". Pure; reads lower-case tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence

from nightgarden.remember.compare.number_words import read_number
from nightgarden.remember.compare.quantity import Key, Quantity

QUARTERS = frozenset(("quarter", "viertel", "cuarto", "quart"))
_FIGURES = re.compile(r"(\d{1,2})[:.](\d{2})")
_MORNING = frozenset("am morning morgens früh vormittags mañana matin".split())
_EVENING = frozenset("pm evening afternoon tonight abends nachmittags tarde noche soir night nachts".split())
_PAST = frozenset(("past", "after", "nach"))
_TO = frozenset(("to", "til", "till", "vor"))
_MINUTES_TOLD = (5, 10, 15, 20, 25, 30)  # before or after an hour; "from eight to ten" is a range
_NAMED = {
    **dict.fromkeys(("noon", "midday", "mittag", "mediodía"), 12),
    **dict.fromkeys(("midnight", "mitternacht", "medianoche"), 0),
}
_SAID_AFTER = (["am"], ["pm"], ["a"], ["p"], ["in"], ["uhr"], ["de"])
HOUR = 3600.0  # in seconds


def clock_time(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """The time that begins at a place, and where it ends."""
    if tokens[at][0].isdigit() and (found := _in_figures(tokens, at)) is not None:
        return found
    return _from_the_hour(tokens, at) or _on_the_hour(tokens, at)


def named_time(token: str) -> Quantity | None:
    """Noon and midnight."""
    if token not in _NAMED:
        return None
    keys: set[Key] = {("time", _NAMED[token] * 60.0), ("number", float(_NAMED[token]))}
    return Quantity(frozenset(keys), loose=True)


def _in_figures(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    following = tokens[at + 1] if at + 1 < len(tokens) else ""
    match = _FIGURES.fullmatch(tokens[at])
    if match is not None and int(match[1]) <= 24 and int(match[2]) <= 59:
        plain = _time(int(match[1]), int(match[2]), tokens, at + 1, figures=True)
        if ":" in tokens[at] or following in ("am", "pm", "uhr", "h") or _halved(tokens, at + 1):
            return plain, at + 1
        return Quantity(frozenset({("number", float(tokens[at]))}), accepts=plain.keys), at + 1  # 15.15, a time or not
    if following != "h" or not tokens[at].isdigit() or int(tokens[at]) > 24:
        return None
    minutes = tokens[at + 2] if at + 2 < len(tokens) else ""
    if len(minutes) == 2 and minutes.isdigit() and int(minutes) <= 59:
        return _time(int(tokens[at]), int(minutes), tokens, at + 3, figures=True), at + 3
    hour = _time(int(tokens[at]), 0, tokens, at + 2, figures=True)
    lasting: Key = ("seconds", int(tokens[at]) * HOUR)  # "10 h" is a time or how long something takes
    return Quantity(hour.keys | {lasting}, accepts=hour.accepts), at + 2


def _from_the_hour(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """ "half past nine", "a quarter to ten", "ten past ten", "halb acht"."""
    at += tokens[at] == "a" and tokens[at + 1 : at + 2] == ["quarter"]
    if tokens[at] == "halb":
        hour = _hour(tokens, at + 1)
        return None if hour is None else (_time(hour[0] - 1, 30, tokens, hour[1]), hour[1])
    minutes: tuple[float, int] | None
    if tokens[at] == "half" or tokens[at] in QUARTERS:
        minutes = (30 if tokens[at] == "half" else 15, at + 1)
    else:
        minutes = read_number(tokens, at)
    if minutes is None or minutes[0] not in _MINUTES_TOLD:
        return None
    end = minutes[1] + (tokens[minutes[1] : minutes[1] + 1] in (["minutes"], ["minuten"]))
    way = tokens[end] if end < len(tokens) else ""
    hour = _hour(tokens, end + 1) if way in _PAST or way in _TO else None
    if hour is None:
        return None
    if way in _PAST:
        return _time(hour[0], int(minutes[0]), tokens, hour[1]), hour[1]
    return _time(hour[0] - 1, 60 - int(minutes[0]), tokens, hour[1]), hour[1]


def _on_the_hour(tokens: Sequence[str], at: int) -> tuple[Quantity, int] | None:
    """ "9 o'clock", "8 am", "ten in the morning", "siete y media", "ocho menos cuarto"."""
    number = read_number(tokens, at)
    if number is None or not 1 <= number[0] <= 24:
        return None
    hour, end = int(number[0]), number[1]
    if number[0] != hour:  # two and a half of something is no time
        said = number[0] % 1 == 0.5 and at > 0 and tokens[at - 1] in ("las", "la")
        return (_time(hour, 30, tokens, end), end) if said else None
    following = tokens[end : end + 2]
    if following == ["y", "cuarto"]:
        return _time(hour, 15, tokens, end + 2), end + 2
    if following == ["menos", "cuarto"]:
        return _time(hour - 1, 45, tokens, end + 2), end + 2
    if following == ["o", "clock"]:
        return _time(hour, 0, tokens, end + 2), end + 2
    part_of_day = following in (["in", "the"], ["de", "la"]) and set(tokens[end + 2 : end + 3]) & (_MORNING | _EVENING)
    if part_of_day or following[:1] in (["am"], ["pm"], ["uhr"]) or _halved(tokens, end):
        return _time(hour, 0, tokens, end, figures=tokens[at][0].isdigit()), end
    return None


def _halved(tokens: Sequence[str], at: int) -> bool:
    return tokens[at : at + 2] in (["a", "m"], ["p", "m"])


def _hour(tokens: Sequence[str], at: int) -> tuple[int, int] | None:
    if tokens[at : at + 1] in (["eins"], ["one"], ["una"]):
        return 1, at + 1
    found = read_number(tokens, at)
    return (int(found[0]), found[1]) if found is not None and 1 <= found[0] <= 24 else None


def _time(hour: int, minute: int, tokens: Sequence[str], end: int, *, figures: bool = False) -> Quantity:
    """In words it may be before or after noon, unless that is said; in figures the day has 24 hours."""
    after = tokens[end : end + 4]
    if figures and after[:1] not in _SAID_AFTER:
        after = []
    if _halved(after, 0):
        after = [f"{after[0]}m"]
    said = {*after[:1], *(each for each in after[1:] if each != "am")}  # "at four I am out"
    hour %= 24
    if said & _EVENING and hour < 12:
        hours = {hour + 12}
    elif said & _MORNING or hour > 12 or figures:
        hours = {0 if hour == 12 and said & _MORNING else hour}
    else:
        hours = {hour, (hour + 12) % 24}
    plain = set() if minute else {float(each) for one in hours for each in (one, one - 12 if one > 12 else one)}
    return Quantity(
        frozenset(("time", float(one * 60 + minute)) for one in hours),
        accepts=frozenset(("number", each) for each in plain),
    )
