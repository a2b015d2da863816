"""What the agent may spend: which mind it may ask, what is left of its windows beside the user, and who used what.

Subscriptions and servers of the user's own are asked first; what is paid by the token only if the settings say so,
under a daily cap of its own. Everything that was taken is read from the ledger and from the user's sessions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from nightgarden.ambient.cycles import Cycle, State
from nightgarden.domain.conversation import Converser
from nightgarden.domain.mind_call import MindCall, day_of
from nightgarden.domain.session import Usage
from nightgarden.garden import Garden
from nightgarden.minds.budget import Bounds, Budget, Share, UserPace, Work, plan
from nightgarden.minds.choose_converser import Wanted, choose_converser
from nightgarden.settings import Settings

ROOM = "ambient"
PAID_BY_TOKEN = ("openai", "anthropic", "openrouter")
USED_UP_PERCENT = 95.0
HISTORY = timedelta(days=7)
SESSIONS_READ = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What the status bar and the prompt show."""

    provider: str
    budget: Budget
    user_tokens: int  # in the window, or today
    own_tokens: int


def find_converser(garden: Garden, env: Mapping[str, str]) -> Converser | None:
    """Who is asked; None: nobody is set up, or nobody may be asked. Raises BadSetting."""
    if garden.store.read_only:
        return None
    settings, ambient = garden.settings.mind, garden.settings.ambient
    kind = ambient.provider or settings.kind
    if not ambient.allow_api_keys:
        if kind in PAID_BY_TOKEN:
            return None
        settings = replace(settings, api_provider="none")
    wanted = Wanted(
        budget=ROOM,
        daily_tokens=daily_tokens(garden.settings),
        daily_usd=settings.daily_usd,
        provider=ambient.provider,
        model=ambient.model,
    )
    return choose_converser(settings, wanted, garden.store, garden, env)


def daily_tokens(settings: Settings) -> int:
    """The cap of a day: what is paid by the token has its own."""
    paid = (settings.ambient.provider or settings.mind.kind) in PAID_BY_TOKEN
    return settings.ambient.api_daily_budget if paid else settings.mind.daily_tokens


async def figures(
    garden: Garden, state: State, cycles: Sequence[Cycle], bounds: Bounds, active_until: datetime | None
) -> Figures:
    """The budget of the next cycle, with what it was worked out from."""
    now = garden.now()
    day, _ = day_of(now)
    calls = await garden.store.mind_calls(since=min(day, now - timedelta(hours=6)))
    own = [call for call in calls if call.budget == ROOM]
    today = sum(call.charged_tokens for call in own if call.at >= day)
    cap = daily_tokens(garden.settings)
    shares = [
        Share(
            name="day", remaining=max(0, cap - today), resets_at=day + timedelta(days=1), used_by_us=today, users=False
        )
    ]
    offer = next((each for each in await garden.minds.list() if each.chosen), None)
    for window in offer.windows if offer is not None else ():
        if window.resets_at is None or "request" in window.name:
            continue
        if window.remaining is not None:
            used = _since(own, window.resets_at - timedelta(hours=5))
            shares.append(
                Share(name=window.name, remaining=window.remaining, resets_at=window.resets_at, used_by_us=used)
            )
        elif window.used_percent is not None and window.used_percent >= USED_UP_PERCENT:
            shares.append(Share(name=window.name, remaining=0, resets_at=window.resets_at))
    pace = await user_pace(garden, now, active_until)
    work = Work(
        cycle_tokens=tuple(cycle.tokens for cycle in cycles if cycle.tokens),
        refusals=state.limited,
        quiet_cycles=_quiet(cycles),
    )
    return Figures(
        provider=offer.kind if offer is not None else "",
        budget=plan(now, shares, pace, work, bounds),
        user_tokens=sum(tokens for at, tokens in pace.history if at >= day),
        own_tokens=today,
    )


async def user_pace(garden: Garden, now: datetime, active_until: datetime | None) -> UserPace:
    """What the user's own sessions took, as their clients tell."""
    recent = [
        s for s in await garden.sessions.list(limit=200) if s.ended_at is not None and s.ended_at >= now - HISTORY
    ]
    hour, tokens = now - timedelta(hours=1), 0
    for session in [s for s in recent if s.ended_at is not None and s.ended_at >= hour][:SESSIONS_READ]:
        whole = await garden.sessions.get(session.id)
        tokens += sum(_tokens(message.usage) for message in whole.messages if message.at >= hour)
    active = active_until is not None and active_until > now
    return UserPace(
        tokens_last_hour=tokens,
        history=tuple((session.ended_at, _tokens(session.usage)) for session in recent if session.ended_at is not None),
        active=active,
        idle_for=now - active_until if active_until is not None and not active else None,
    )


def _tokens(usage: Usage | None) -> int:
    return 0 if usage is None else usage.input_tokens + usage.output_tokens


def _since(calls: Sequence[MindCall], since: datetime) -> int:
    return sum(call.charged_tokens for call in calls if call.at >= since)


def _quiet(cycles: Sequence[Cycle]) -> int:
    """Cycles since the last that a provider refused, newest first."""
    count = 0
    for cycle in cycles:
        if "limit" in cycle.warning:
            break
        count += 1
    return count
