"""How long a memory has lain unused, by days of work: a project that rests forgets slowly. Pure.

By the calendar alone, a project that somebody takes up once in a while would lose what it knows between two visits. So
where sessions tell when a project was worked in, each such day lets its memories age by a few days. The calendar is the
most that may pass, and a fraction of it the least, or a project left for good would never be tidied. Where no session
is known, nobody can tell rest from use by other ways, and the calendar counts. Memories of no project age with any
work.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from datetime import datetime

from nightgarden.domain.memory import Memory, Scope, ScopeKind
from nightgarden.domain.session import Session

AGED_BY_WORK = 3  # days; taste: what is worked on twice a week or more ages by the calendar
RESTING = 4  # taste: what rests ages four times slower; 90 days become a year


class Idleness:
    """Knows on which days each project was worked in: a session was held, a memory was made or used."""

    def __init__(self, sessions: Iterable[Session], memories: Iterable[Memory]) -> None:
        by_scope: dict[Scope | None, set[int]] = {}
        for session in sessions:
            for scope in {None, _project(session.scope)}:
                by_scope.setdefault(scope, set()).update(_days(session.started_at, session.ended_at))
        for memory in memories if by_scope else ():
            for scope in {None, _project(memory.scope)} & by_scope.keys():
                by_scope[scope] |= _days(memory.created_at, memory.last_accessed_at)
        self._worked = {scope: sorted(days) for scope, days in by_scope.items()}

    def days(self, memory: Memory, now: datetime) -> int:
        """For how many days a memory has not been read, confirmed or made."""
        since = last_used(memory)
        calendar = (now - since).days
        worked = self._worked.get(_project(memory.scope))
        if worked is None:
            return calendar
        passed = bisect_right(worked, now.toordinal()) - bisect_right(worked, since.toordinal())
        return max(calendar // RESTING, min(calendar, AGED_BY_WORK * passed))


def _project(scope: Scope | None) -> Scope | None:
    return scope if scope is not None and scope.kind is ScopeKind.PROJECT else None


def _days(*moments: datetime | None) -> set[int]:
    return {moment.toordinal() for moment in moments if moment is not None}


def last_used(memory: Memory) -> datetime:
    """When it was last read, confirmed or made."""
    return max(moment for moment in (memory.last_accessed_at, memory.confirmed_at, memory.created_at) if moment)
