"""What calls of language models added up to: by day, purpose and provider. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from nightgarden.domain.mind_call import USER, CallOutcome, MindCall


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
class UsageReport:
    """What was used in a number of days, today included. `user…` is what the user's own clients took, where their
    transcripts are read; all else is ours."""

    total: Sum
    today: Sum
    days: tuple[Sum, ...]  # each day of UTC, oldest first, those without a call too
    purposes: tuple[Sum, ...]
    providers: tuple[Sum, ...]  # provider and model
    outcomes: dict[str, int]
    user: Sum
    user_today: Sum
    user_days: tuple[Sum, ...]
    user_models: tuple[Sum, ...]


def first_moment(now: datetime, days: int) -> datetime:
    """Where a span of so many days of UTC begins, today being the last."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=days - 1)


def add_up(calls: Sequence[MindCall], *, now: datetime, days: int) -> UsageReport:
    """The figures of these calls, which are all from that span."""
    ours = [call for call in calls if call.budget != USER]
    users = [call for call in calls if call.budget == USER]
    outcomes = Counter(call.outcome.value for call in ours)
    our_days, user_days = (_by_day(some, now=now, days=days) for some in (ours, users))
    return UsageReport(
        total=_sum("total", ours),
        today=replace(our_days[-1], name="today"),
        days=our_days,
        purposes=_grouped(ours, lambda call: call.purpose),
        providers=_grouped(ours, _model_of),
        outcomes=dict(sorted(outcomes.items())),
        user=_sum("you", users),
        user_today=replace(user_days[-1], name="you, today"),
        user_days=user_days,
        user_models=_grouped(users, _model_of),
    )


def _by_day(calls: Sequence[MindCall], *, now: datetime, days: int) -> tuple[Sum, ...]:
    """A sum for each day up to today; what is dated later counts as today's."""
    start = first_moment(now, days).date()
    names = [str(start + timedelta(days=number)) for number in range(days)]
    sums = {name: Sum(name=name) for name in names}
    for call in calls:
        name = min(str(call.at.date()), names[-1])
        sums[name] = sums.get(name, Sum(name=name)).plus(call)
    return tuple(sums[name] for name in sorted(sums))


def _sum(name: str, calls: Sequence[MindCall]) -> Sum:
    total = Sum(name=name)
    for call in calls:
        total = total.plus(call)
    return total


def _model_of(call: MindCall) -> str:
    return f"{call.provider} {call.model}".strip()


def _grouped(calls: Sequence[MindCall], name_of: Callable[[MindCall], str]) -> tuple[Sum, ...]:
    """Most tokens first."""
    sums: dict[str, Sum] = {}
    for call in calls:
        name = name_of(call)
        sums[name] = sums.get(name, Sum(name=name)).plus(call)
    return tuple(sorted(sums.values(), key=lambda each: (-each.charged_tokens, each.name)))
