"""When a provider is left alone for a while: its own limits, and a breaker after failures. Pure.

One state a provider, kept in the garden, so that what one process learned holds for all. The breaker opens at the third
failure in a row, at once where trying again cannot help before somebody acts, and doubles its pause with each further
failure; the first call after a pause is the test.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from nightgarden.domain.backoff import backoff
from nightgarden.domain.mind_call import CallOutcome
from nightgarden.domain.state_keys import MIND_PROVIDER
from nightgarden.minds.limits import NO_LIMITS, Limits, free_at, merge

STATE = MIND_PROVIDER  # and its name
PAUSE_MIN = timedelta(seconds=30)
PAUSE_MAX = timedelta(minutes=30)
RETRY_WAIT_MAX = 5.0  # seconds; who asks has a deadline of his own
FAILURES_MAX = 3  # taste: one may be chance, three are not
_GOOD = frozenset({CallOutcome.ANSWERED, CallOutcome.EMPTY})
_NOBODYS_FAULT = frozenset({CallOutcome.CANCELLED, CallOutcome.OPEN, CallOutcome.REFUSED})
_NEEDS_SOMEBODY = frozenset({CallOutcome.NOT_ALLOWED, CallOutcome.UNKNOWN_MODEL})


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderState:
    """What is known about one provider."""

    limits: Limits = NO_LIMITS
    failures_in_row: int = 0
    paused_until: datetime | None = None
    reason: str = ""  # of the pause
    model: str = ""  # that was asked for last; what was wrong with one says nothing about another
    outcomes: Mapping[str, int] = field(default_factory=dict)  # since the garden was made


def after(state: ProviderState, outcome: CallOutcome, limits: Limits, *, reason: str, now: datetime) -> ProviderState:
    """The state after a call."""
    counted = dict(state.outcomes)
    counted[outcome.value] = counted.get(outcome.value, 0) + 1
    known = replace(state, limits=merge(state.limits, limits), outcomes=counted)
    if outcome in _GOOD:
        return replace(known, failures_in_row=0, paused_until=None, reason="")
    if outcome in _NOBODYS_FAULT:
        return known
    failures = state.failures_in_row + 1
    until = _pause_until(outcome, failures, limits, now)
    return replace(known, failures_in_row=failures, paused_until=until, reason=reason if until else "")


def _pause_until(outcome: CallOutcome, failures: int, limits: Limits, now: datetime) -> datetime | None:
    if outcome is CallOutcome.RATE_LIMITED:
        # With no word from the provider the pause doubles with each refusal.
        said = free_at(limits, 0, now)
        return said if said is not None else now + pause(failures)
    if outcome in _NEEDS_SOMEBODY:
        return now + PAUSE_MAX
    return now + pause(failures - FAILURES_MAX + 1) if failures >= FAILURES_MAX else None


def pause(failures: int) -> timedelta:
    """The pause after so many failures."""
    return backoff(failures, shortest=PAUSE_MIN, longest=PAUSE_MAX)


def why_not(state: ProviderState, *, model: str, tokens: int, now: datetime) -> str:
    """Why a provider is not asked now; empty when it may be."""
    if state.paused_until is not None and state.paused_until > now and state.model == model:
        return f"paused until {state.paused_until:%H:%M:%S} UTC: {state.reason}"
    if (free := free_at(state.limits, tokens, now)) is not None:
        return f"its rate limit leaves no room until {free:%Y-%m-%d %H:%M:%S} UTC"
    return ""


def retry_seconds(
    outcome: CallOutcome, limits: Limits, *, chance: float, now: datetime, wait_max: float = RETRY_WAIT_MAX
) -> float | None:
    """How long to wait before asking once more within a call; None: not at all. `chance` (0 to 1) spreads callers."""
    if outcome not in (CallOutcome.SERVER_ERROR, CallOutcome.RATE_LIMITED):
        return None
    if limits.retry_at is None:
        return 0.5 + chance if outcome is CallOutcome.SERVER_ERROR else None
    wait = (limits.retry_at - now).total_seconds()
    return max(wait, 0.0) + 0.5 * chance if wait <= wait_max else None
