"""One call of a language model as the ledger keeps it, and whether a cap allows the next one. Pure.

A call is written down before it is made, charged with the most it may cost, and set right when it ends. One whose
process was killed stays open, charged in full: nobody knows what became of it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

USER = "user"  # budget and purpose of what the user's own clients took, as their transcripts tell; under no cap


class CallOutcome(StrEnum):
    """What became of a call."""

    OPEN = "open"  # under way, or its process was killed
    ANSWERED = "answered"
    EMPTY = "empty"  # answered without a word
    RATE_LIMITED = "rate_limited"
    NOT_ALLOWED = "not_allowed"  # no valid key or login
    UNKNOWN_MODEL = "unknown_model"
    REFUSED = "refused"  # the request was turned down for what it says
    SERVER_ERROR = "server_error"
    UNREACHABLE = "unreachable"  # never sent
    LOST = "lost"  # sent, and no usable answer came back
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"  # whoever asked went away


# What may have been billed although nothing usable came back: the charge made in advance stays.
MAY_HAVE_COST = frozenset({CallOutcome.OPEN, CallOutcome.LOST, CallOutcome.TIMED_OUT, CallOutcome.CANCELLED})


@dataclass(frozen=True, slots=True, kw_only=True)
class MindCall:
    """One call. What the provider or program did not report is None."""

    id: str
    at: datetime
    budget: str  # whose caps it counts under: mind, ambient …; empty for a mind that code passed in, and USER: no caps
    provider: str
    model: str
    purpose: str
    outcome: CallOutcome
    charged_tokens: int  # what counts against the cap: the estimate until the true figure is known
    charged_usd: float
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None  # of those in
    cost_usd: float | None = None
    duration_ms: int | None = None
    cycle: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """What one budget may use in a day of UTC."""

    tokens: int
    usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What a budget was charged."""

    tokens: int = 0
    usd: float = 0.0
    calls: int = 0


def is_over(spent: Spent, call: MindCall, caps: Caps) -> bool:
    """Whether this call could go beyond a cap."""
    return spent.tokens + call.charged_tokens > caps.tokens or spent.usd + call.charged_usd > caps.usd


def day_of(moment: datetime) -> tuple[datetime, datetime]:
    """The day of UTC that holds this moment: its beginning and its end."""
    start = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return start, start + timedelta(days=1)
