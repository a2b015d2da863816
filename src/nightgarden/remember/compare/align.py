"""Lays two statements side by side: which words they share, and what stands in each other's place. Pure.

The longest common run of content words, in order, is the frame; words shared out of order are noted as moved; what is
left between two frame words on either side is a gap. Knows words, not what a difference means.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from nightgarden.remember.compare.entities import EntityKind
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.lexicon.alike import alike
from nightgarden.remember.compare.lexicon.opposites import opposed
from nightgarden.remember.compare.quantities import quantities
from nightgarden.remember.compare.statement import Statement, Word


@dataclass(frozen=True, slots=True)
class AlignmentGap:
    """Content words (as positions) that only one side has, between the same two shared words."""

    old: tuple[int, ...]
    new: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """Positions are indexes into `Statement.content`."""

    pairs: tuple[tuple[int, int], ...]  # shared, in order
    moved: tuple[tuple[int, int], ...]  # shared, out of order
    gaps: tuple[AlignmentGap, ...]


_CELLS_MAX = 1600  # forty words against forty; about a millisecond
_REACH = 12  # how far the next equal word may be, so that one stray match does not skip half the text
_UNITLESS = frozenset({EntityKind.NUMBER, EntityKind.PORT})


def agree(one: Word, other: Word) -> bool:
    """Do two words say the same: equal, synonyms, or an opposite that is denied ("not open", "closed")?"""
    if one.key == other.key:
        return True
    if one.numeric or other.numeric:
        # "port 8080" and "8080", "3.8" and "3.8 %": one side leaves the unit out
        loose = one.kind in _UNITLESS or other.kind in _UNITLESS
        if one.kind is other.kind is EntityKind.QUANTITY:
            return _are_one_amount(one.text, other.text)
        return loose and one.numeric and other.numeric and one.key.split(" ")[0] == other.key.split(" ")[0]
    if one.denied != other.denied and opposed(one.key, other.key):
        return one.key not in grammar.BEINGS  # "no man" is not "a woman"
    return alike(one.key, other.key) and not opposed(one.key, other.key)


@lru_cache(maxsize=4096)
def _are_one_amount(one: str, other: str) -> bool:
    """ "2 GB" and "2048 MB"."""
    first, second = quantities(one), quantities(other)
    return len(first) == len(second) == 1 and first[0].agrees(second[0])


def align(old: Statement, new: Statement) -> Alignment:
    left, right = old.content, new.content
    pairs = _common(left, right)
    in_old, in_new = {i for i, _ in pairs}, {j for _, j in pairs}
    moved: list[tuple[int, int]] = []
    for i, word in enumerate(left if len(left) * len(right) <= _CELLS_MAX else ()):
        if i in in_old:
            continue
        for j, other in enumerate(right):
            if j not in in_new and agree(word, other):
                moved.append((i, j))
                in_old.add(i)
                in_new.add(j)
                break
    gaps = _gaps(pairs, len(left), len(right), in_old, in_new)
    return Alignment(tuple(pairs), tuple(moved), tuple(gaps))


def _gaps(
    pairs: list[tuple[int, int]], old_size: int, new_size: int, in_old: set[int], in_new: set[int]
) -> list[AlignmentGap]:
    found = []
    i = j = 0
    for next_i, next_j in (*pairs, (old_size, new_size)):
        only_old = tuple(at for at in range(i, next_i) if at not in in_old)
        only_new = tuple(at for at in range(j, next_j) if at not in in_new)
        if only_old or only_new:
            found.append(AlignmentGap(only_old, only_new))
        i, j = next_i + 1, next_j + 1
    return found


def _equal_runs(left: tuple[Word, ...], right: tuple[Word, ...], start: int, end: int) -> list[tuple[int, int]]:
    """For long texts: equal words only, each taken at its next place. Linear; enough to see a changed value."""
    places: dict[str, list[int]] = {}
    for j in range(start, len(right) - end):
        places.setdefault(right[j].key, []).append(j)
    found: list[tuple[int, int]] = []
    last = start - 1
    for i in range(start, len(left) - end):
        after = next((j for j in places.get(left[i].key, ()) if last < j <= last + _REACH), None)
        if after is not None:
            found.append((i, after))
            last = after
    return found


def _common(left: tuple[Word, ...], right: tuple[Word, ...]) -> list[tuple[int, int]]:
    """The longest common subsequence; equal beginnings and ends first: most pairs differ in one place."""
    start = 0
    while start < min(len(left), len(right)) and left[start].key == right[start].key:
        start += 1
    end = 0
    while end < min(len(left), len(right)) - start and left[-1 - end].key == right[-1 - end].key:
        end += 1
    rows, columns = len(left) - start - end, len(right) - start - end
    head = [(i, i) for i in range(start)]
    tail = [(len(left) - end + k, len(right) - end + k) for k in range(end)]
    if not rows or not columns:
        return head + tail
    if rows * columns > _CELLS_MAX:
        return head + _equal_runs(left, right, start, end) + tail
    best = [[0] * (columns + 1) for _ in range(rows + 1)]
    same = [[agree(left[start + i], right[start + j]) for j in range(columns)] for i in range(rows)]
    for i in range(rows - 1, -1, -1):
        below, row, equal = best[i + 1], best[i], same[i]
        for j in range(columns - 1, -1, -1):
            row[j] = below[j + 1] + 1 if equal[j] else max(below[j], row[j + 1])
    middle: list[tuple[int, int]] = []
    i = j = 0
    while i < rows and j < columns:
        if same[i][j] and best[i][j] == best[i + 1][j + 1] + 1:
            middle.append((start + i, start + j))
            i, j = i + 1, j + 1
        elif best[i + 1][j] >= best[i][j + 1]:
            i += 1
        else:
            j += 1
    return head + middle + tail
