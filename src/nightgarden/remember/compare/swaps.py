"""Whether two statements with the same words say them of exchanged sides: "A before B", "B before A". Pure."""

from __future__ import annotations

from enum import StrEnum

from nightgarden.remember.compare.align import Alignment
from nightgarden.remember.compare.lexicon import grammar
from nightgarden.remember.compare.lexicon.alike import lemma
from nightgarden.remember.compare.lexicon.opposites import opposed
from nightgarden.remember.compare.statement import Statement


class Swap(StrEnum):
    """What became of the two sides."""

    NONE = "none"
    ORDERED = "ordered"  # around before, than, from … to: the two exclude each other
    ROLES = "roles"  # around a verb: who does it to whom
    UNDONE = "undone"  # exchanged twice: "A before B", "B after A"; or active and passive


def find_swap(old: Statement, new: Statement, laid: Alignment) -> Swap:
    """Looks for two shared words that change sides around a third shared one."""
    # In long sentences whole clauses change places; only short ones are one claim about two sides (taste: ten words).
    if not laid.moved or max(len(old.content), len(new.content)) > 10:
        return Swap.NONE
    spots_old, spots_new = _spots(old), _spots(new)
    shared = [(spots_old[i], spots_new[j]) for i, j in (*laid.pairs, *laid.moved)]
    if {"from", "to"} <= old.lows and {"from", "to"} <= new.lows:
        pivot = (_last(old, "to"), _last(new, "to"))
        if _changes_sides(shared, pivot):
            return Swap.ORDERED
    for low in grammar.ORDER_WORDS & old.lows & new.lows:
        pivot = (_last(old, low), _last(new, low))
        if _changes_sides(shared, pivot):
            return Swap.ORDERED
    for one in old.lows & grammar.ORDER_WORDS:
        for other in new.lows & grammar.ORDER_WORDS:
            if opposed(lemma(one), lemma(other)) and _changes_sides(shared, (_last(old, one), _last(new, other))):
                return Swap.UNDONE
    for i, j in (*laid.pairs, *laid.moved):
        word = old.content[i]
        if word.specific or word.key in grammar.SYMMETRIC:
            continue
        if _changes_sides(shared, (spots_old[i], spots_new[j])):
            verbs = (old.content[i].low, new.content[j].low)
            passive = verbs[0].endswith("ed") != verbs[1].endswith("ed") or any(
                (low in old.lows) != (low in new.lows) for low in ("by", "with", "used")
            )
            return Swap.UNDONE if passive else Swap.ROLES
    return Swap.NONE


def _spots(statement: Statement) -> list[int]:
    """Where each content word stands among all words."""
    return [at for at, word in enumerate(statement.words) if word.content]


def _last(statement: Statement, low: str) -> int:
    return max(at for at, word in enumerate(statement.words) if word.low == low)


def _changes_sides(shared: list[tuple[int, int]], pivot: tuple[int, int]) -> bool:
    old_at, new_at = pivot
    forward = any(i < old_at and j > new_at for i, j in shared)
    return forward and any(i > old_at and j < new_at for i, j in shared)
