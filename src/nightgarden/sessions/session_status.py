"""Whether a session goes on, ended, or broke off. Pure: the clock and what is known of the process are arguments."""

from __future__ import annotations

from datetime import datetime, timedelta

from nightgarden.domain.session import SessionStatus

# A client writes at each step of a turn; the longest silent step is a build or a test run. Taste.
QUIET = timedelta(minutes=15)


def judge_status(
    *, turn_open: bool, ended: bool, changed_at: datetime, now: datetime, alive: bool | None = None
) -> SessionStatus:
    """`ended`: the client left a mark that it went. `alive`: whether its process runs; None when nobody can tell.

    Without a mark and without a known process, silence decides: a quiet session that owes no answer was closed, one
    that owes an answer broke off. A session that is resumed later becomes active again.
    """
    if ended:
        return SessionStatus.CLOSED
    if alive:
        return SessionStatus.ACTIVE
    quiet = now - changed_at >= QUIET
    if turn_open:
        return SessionStatus.CRASHED if quiet else SessionStatus.ACTIVE
    return SessionStatus.CLOSED if quiet or alive is False else SessionStatus.ACTIVE
