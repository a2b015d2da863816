"""What the agent may spend: which mind it may ask, what is left of its windows beside the user, and who used what.

Subscriptions and servers of the user's own are asked first; what is paid by the token only if the settings say so,
under a daily cap of its own. Everything that was taken is read from the ledger.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from nightgarden.domain.conversation import Converser
from nightgarden.domain.mind_call import USER, Caps, day_of
from nightgarden.garden import Garden
from nightgarden.minds.budget import Bounds, Budget
from nightgarden.minds.budget_figures import find_budget
from nightgarden.minds.choose_converser import Wanted, choose_converser
from nightgarden.minds.converser import MeteredConverser
from nightgarden.minds.mind_of_settings import PAID_BY_TOKEN
from nightgarden.settings import Settings

ROOM = "ambient"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What the status bar and the prompt show."""

    provider: str
    budget: Budget
    user_tokens: int  # today
    own_tokens: int
    cap: int  # of the agent, a day


def find_converser(garden: Garden, env: Mapping[str, str]) -> Converser | None:
    """Who is asked; None: nobody is set up, or nobody may be asked. Raises BadSetting."""
    if garden.store.read_only:
        return None
    settings, ambient = garden.settings.mind, garden.settings.ambient
    kind = ambient.provider or settings.kind
    if not ambient.allow_api_keys:
        if kind in PAID_BY_TOKEN:
            return None
        if kind == "auto" and settings.api_provider != "none":  # an address that is set is that provider's
            settings = replace(settings, api_provider="none", base_url="")
    wanted = Wanted(
        budget=ROOM,
        daily_tokens=daily_tokens(garden.settings, kind),
        daily_usd=settings.daily_usd,
        paid_daily_tokens=ambient.api_daily_budget,
        provider=ambient.provider,
        model=ambient.model,
    )
    return choose_converser(settings, wanted, garden.store, garden, env)


def daily_tokens(settings: Settings, provider: str) -> int:
    """The cap of a day with a provider: what is paid by the token has its own."""
    return settings.ambient.api_daily_budget if provider in PAID_BY_TOKEN else settings.mind.daily_tokens


async def figures(garden: Garden, converser: Converser | None, bounds: Bounds) -> Figures:
    """The budget of the next cycle, and who used how much today."""
    now = garden.now()
    provider = (await converser.in_order())[0].provider if isinstance(converser, MeteredConverser) else ""
    cap = daily_tokens(garden.settings, provider)
    caps = Caps(tokens=cap, usd=garden.settings.mind.daily_usd)
    calls = await garden.store.mind_calls(since=day_of(now)[0])
    return Figures(
        provider=provider,
        budget=await find_budget(garden.store, now, provider, ROOM, caps, bounds),
        user_tokens=sum(call.charged_tokens for call in calls if call.budget == USER),
        own_tokens=sum(call.charged_tokens for call in calls if call.budget == ROOM),
        cap=cap,
    )
