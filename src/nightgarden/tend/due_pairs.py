"""Which near pairs an operation has to look at: those with something new in them since its last run, and those that a
run before had no time to read. Nearest first, so one cosine says how far that run came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from nightgarden.tend.meanings import Pair, ScopeMeanings
from nightgarden.tend.tending import Tending

UNREAD = "unread"  # of the state of an operation: below which cosine, and of what is new since when


@dataclass(frozen=True, slots=True)
class ScopedPair:
    """A near pair, and where its vectors are."""

    pair: Pair
    scope: ScopeMeanings


@dataclass(frozen=True, slots=True, kw_only=True)
class DuePairs:
    """What an operation looks at, nearest first, and how it writes down how far it came."""

    pairs: list[ScopedPair]
    since: str | None  # what is new since then is looked at
    cut_at: float | None  # the cosine of the first that was cut off

    def unread_from(self, cosine: float | None) -> dict[str, Any]:
        """The part of the operation's state that says from where the next run reads on; None: all of these were
        read."""
        below = cosine if cosine is not None else self.cut_at
        return {} if below is None else {UNREAD: {"since": self.since, "below": below}}


def has_unread(tending: Tending, operation: str) -> bool:
    return UNREAD in tending.last.get(operation, {})


async def due_pairs(
    tending: Tending,
    operation: str,
    scopes: Iterable[ScopeMeanings],
    *,
    floor: Callable[[ScopeMeanings], float],
    pairs_max: int,
) -> DuePairs:
    """At most so many; what is cut off is as unread as the rest."""
    fresh = tending.fresh(operation)
    unread = None if tending.goes_over_all(operation) else tending.last.get(operation, {}).get(UNREAD)
    older, below = (tending.new_since(unread["since"]), unread["below"]) if unread else (set(), -1.0)
    found: list[ScopedPair] = []
    for scope in scopes:
        await scope.look(fresh | older)
        for pair in scope.pairs(at_least=floor(scope)):
            ends = {pair.one, pair.other}
            if ends & fresh or (pair.cosine <= below and ends & older):
                found.append(ScopedPair(pair, scope))
    found.sort(key=lambda each: (-each.pair.cosine, each.pair.one, each.pair.other))
    if unread:
        since = unread["since"]
    else:
        since = None if tending.goes_over_all(operation) else tending.last.get(operation, {}).get("at")
    cut_at = found[pairs_max].pair.cosine if len(found) > pairs_max else None
    return DuePairs(pairs=found[:pairs_max], since=since, cut_at=cut_at)
