"""What calls of language models added up to: by day, purpose and provider. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from nightgarden.domain.mind_call import CallOutcome, MindCall


@dataclass(frozen=True, slots=True, kw_only=True)
class Sum:
    """Calls under one name, added up. `charged` is what counts against the cap, estimates included."""

    name: str
    calls: int = 0
    failed: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    charged_tokens: int = 0
    cost_usd: float = 0.0

    def plus(self, call: MindCall) -> Sum:
        return replace(
            self,
            calls=self.calls + 1,
            failed=self.failed + (call.outcome not in (CallOutcome.ANSWERED, CallOutcome.OPEN)),
            tokens_in=self.tokens_in + (call.tokens_in or 0),
            tokens_out=self.tokens_out + (call.tokens_out or 0),
            tokens_cached=self.tokens_cached + (call.tokens_cached or 0),
            charged_tokens=self.charged_tokens + call.charged_tokens,
            cost_usd=self.cost_usd + (call.cost_usd or 0.0),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What was used in a number of days, today included."""

    total: Sum
    days: tuple[Sum, ...]  # each day of UTC, oldest first, those without a call too
    purposes: tuple[Sum, ...]
    providers: tuple[Sum, ...]  # provider and model
    outcomes: dict[str, int]


def first_moment(now: datetime, days: int) -> datetime:
    """Where a span of so many days of UTC begins, today being the last."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days - 1)


def add_up(calls: Sequence[MindCall], *, now: datetime, days: int) -> Usage:
    """The figures of these calls, which are all from that span."""
    start = first_moment(now, days).date()
    by_day = {
        str(start + timedelta(days=number)): Sum(name=str(start + timedelta(days=number))) for number in range(days)
    }
    for call in calls:
        name = str(call.at.date())
        by_day[name] = by_day.get(name, Sum(name=name)).plus(call)
    total = Sum(name="total")
    outcomes: dict[str, int] = {}
    for call in calls:
        total = total.plus(call)
        outcomes[call.outcome.value] = outcomes.get(call.outcome.value, 0) + 1
    return Usage(
        total=total,
        days=tuple(by_day[name] for name in sorted(by_day)),
        purposes=_grouped(calls, lambda call: call.purpose),
        providers=_grouped(calls, lambda call: f"{call.provider} {call.model}".strip()),
        outcomes=dict(sorted(outcomes.items())),
    )


def _grouped(calls: Sequence[MindCall], name_of: Callable[[MindCall], str]) -> tuple[Sum, ...]:
    """Most tokens first."""
    sums: dict[str, Sum] = {}
    for call in calls:
        name = name_of(call)
        sums[name] = sums.get(name, Sum(name=name)).plus(call)
    return tuple(sorted(sums.values(), key=lambda each: (-each.charged_tokens, each.name)))
