"""Whether a number is said to be the least or the most there may be: "at least 5", "höchstens 5". Pure.

Knows the closed set of such phrases in eleven languages, and that a denial turns a comparative round ("no more than
5"). Does not see which of several numbers a phrase belongs to: a statement with both ends says neither.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from functools import lru_cache

from nightgarden.domain.text import fold
from nightgarden.remember.compare.quantities import adds_a_number, quantities


class Bound(Enum):
    """Which end of a range a number is."""

    LEAST = auto()
    MOST = auto()


# All as `fold` leaves a text, which takes accents off Cyrillic letters too.
_LEAST = re.compile(
    r"\b(?:at least|minimum|min(?=\.? ?\d)|mindest\w*|wenigstens|minimal\w{0,2}|au moins|au minimum|al menos"
    r"|(?:por lo|cuando) menos|minim[oa]s?|pelo menos|almeno|minstens|(?:ten|op zijn) minste|tenminste"
    r"|co najmniej|przynajmniej|minimalnie|как минимум|минимум|минимальн\w{2,3})\b|至少|最少|最低|最小"
    r"|少なくとも|以上",
    re.IGNORECASE,
)
_MOST = re.compile(
    r"\b(?:at most|up to(?= \d)|maximum|max(?=\.? ?\d)|hochstens|hochst(?:zahl|wert|dauer|lange|grenze|ma(?:ss|ß))"
    r"|maximal\w{0,2}"
    r"|(?:tout )?au plus|au maximum|como (?:mucho|maximo)|a lo sumo|maxim[oa]s?|al massimo|al piu|massim[oa]"
    r"|hoogstens|(?:ten|op zijn) hoogste|maximaal|co najwyzej|maksymalnie|maksimum|maksymaln\w{1,3}|максимум"
    r"|максимальн\w{2,3})\b|最多|至多|最大|最高|以下|以内|多くとも",
    re.IGNORECASE,
)
_DENIED = (
    r"(?P<denied>\b(?:no|not|never|\w{2,8}n['’]t|nicht|nie|niemals|kein\w{0,2}|pas|jamais|nunca|non|mai|nao"
    r"|niet|nooit"
    r"|geen|nie|не|никогда)\s(?:\w+\s){0,3}?|不)?"
)
_DENIES_LATER = re.compile(
    r"\b(?:not|never|\w{2,8}n['’]t|no|nicht|nie|kein\w{0,2}|pas|jamais|nunca|non|mai|nao|niet|geen|nie|не|нельзя"
    r"|rejected|refused|abgelehnt|refuse\w?|rechaza\w{0,3})\b|不|拒",
    re.IGNORECASE,
)
_MORE = re.compile(
    _DENIED + r"(?:\b(?:more|longer|larger|bigger|greater|higher|later|older) than\b|\bmehr als\b|\blanger als\b"
    r"|\bplus d[e'’](?= ?\d)|\bmas de\b|\bpiu di\b|\bmais (?:de|do que)\b|\b(?:meer|langer) dan\b|\bwiecej niz\b"
    r"|\bdłuzej niz\b|\b(?:более|больше|дольше)\b|超过|超え)",
    re.IGNORECASE,
)
_LESS = re.compile(
    _DENIED + r"(?:\b(?:less|fewer|shorter|smaller|lower|earlier|younger) than\b|\b(?:weniger|kurzer) als\b"
    r"|\bmoins d[e'’](?= ?\d)|\bmenos de\b|\bmeno di\b|\bmenos do que\b|\b(?:minder|korter) dan\b|\bmniej niz\b"
    r"|\bkrocej niz\b|\b(?:менее|меньше)\b|少于|未満|不足)",
    re.IGNORECASE,
)


@lru_cache(maxsize=1024)
def bound_of(text: str) -> Bound | None:
    """Which end a statement gives; None when it gives none, both, or no number."""
    plain = fold(text)
    if not quantities(text) and re.search(r"[\d一二两三四五六七八九十百千万]", plain) is None:
        return None
    found = {bound for bound, named in ((Bound.LEAST, _LEAST), (Bound.MOST, _MOST)) if named.search(plain) is not None}
    for compared, plainly, turned in ((_MORE, Bound.LEAST, Bound.MOST), (_LESS, Bound.MOST, Bound.LEAST)):
        for match in compared.finditer(plain):
            if match["denied"]:
                found.add(turned)
            elif _DENIES_LATER.search(plain, match.end()) is None:  # "fewer than 14 are not accepted" is the least
                found.add(plainly)
    return found.pop() if len(found) == 1 else None


def are_opposite_bounds(one: str, other: str) -> bool:
    """Whether one says the least and the other the most."""
    ends = {bound_of(one), bound_of(other)}
    return ends == {Bound.LEAST, Bound.MOST}


def share_a_number(one: str, other: str) -> bool:
    """Whether neither has a number that the other has not."""
    return not adds_a_number(one, other) and not adds_a_number(other, one)


def leave_no_room(one: str, other: str) -> bool:
    """Of two opposite bounds: whether the least is more than the most, so that one of the two is over."""
    values = {bound_of(text): _only_value(text) for text in (one, other)}
    least, most = values.get(Bound.LEAST), values.get(Bound.MOST)
    return any(least[kind] > most[kind] for kind in least.keys() & most.keys()) if least and most else False


def _only_value(text: str) -> dict[str, float]:
    """By kind; empty where there are several numbers."""
    found = [each for each in quantities(text) if not each.loose]
    if len(found) != 1:
        return {}
    return {kind: value for kind, value in found[0].keys if isinstance(value, float)}
